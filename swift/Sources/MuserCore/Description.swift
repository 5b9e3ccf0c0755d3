extension Model {
  /// What is in the file, as JSON.
  public func describe() throws -> JSON {
    let tensors = try file.tensors()
    let header = file.header
    let bytes = file.headerBytes
    var json = JSON()
    json.object { json in
      json.value("version", header.version)
      json.value("size", file.fileSize)
      json.value("offset", file.start)
      json.value("alignment", header.alignment)
      json.value("dataOffset", header.dataOffset)
      json.value("mapped", file.mapping != nil)
      json.value("device", deviceName)
      json.value("architecture", file.string("general.architecture") ?? "")
      json.object("split") { json in
        json.value("index", file.integer("split.no") ?? 0)
        json.value("count", file.integer("split.count") ?? 1)
        json.value("tensors", file.integer("split.tensors.count") ?? UInt64(tensors.count))
      }
      json.array("metadata") { json in
        for entry in header.metadata { entry.describe(to: &json, bytes) }
      }
      json.array("tensors") { json in
        for tensor in tensors { tensor.describe(to: &json, bytes, header) }
      }
    }
    return json
  }
}

extension GGUFHeader.Metadata {
  fileprivate func describe(to json: inout JSON, _ bytes: UnsafeRawBufferPointer) {
    json.object { json in
      json.value("key", bytes[key].asText)
      json.value("type", type.name)
      json.value("element", element?.name ?? "")
      json.value("count", count)
      json.value("offset", value.lowerBound)
      json.value("bytes", value.count)
    }
  }
}

extension GGUFTensor {
  fileprivate func describe(to json: inout JSON, _ bytes: UnsafeRawBufferPointer, _ header: GGUFHeader) {
    json.object { json in
      json.value("name", bytes[name].asText)
      json.value("type", typeName)
      json.array("dimensions") { json in
        for length in dimensions { json.value(nil, length) }
      }
      json.value("offset", header.dataOffset &+ offset)
      json.value("bytes", self.bytes ?? 0)
    }
  }
}

extension RowTable {
  /// Facts of the table, as JSON.
  public func describe() -> JSON {
    var json = JSON()
    json.object { json in
      json.value("name", shape.name)
      json.value("type", shape.type.name)
      json.value("columns", shape.columns)
      json.value("rows", shape.rows)
      json.value("rowBytes", shape.rowBytes)
      json.value("bytes", shape.bytes)
      json.value("offset", shape.offset)
      json.value("kernel", shape.type.kernel ?? "")
      json.value("placement", placement)
      json.value("device", deviceName)
      json.value("scale", options.scale)
      json.value("output", options.half ? "f16" : "f32")
    }
    return json
  }
}

extension TensorType {
  /// Every type of the format, as JSON.
  public static func describeAll() -> JSON {
    var json = JSON()
    json.array { json in
      for type in all {
        json.object { json in
          json.value("name", type.name)
          json.value("id", type.id)
          json.value("blockValues", type.blockValues)
          json.value("blockBytes", type.blockBytes)
          json.value("kernel", type.kernel ?? "")
          json.value("reason", type.reason ?? "")
        }
      }
    }
    return json
  }
}
