extension Model {
  /// What is in the file, as JSON.
  public func describe() throws -> JSON {
    let header = file.header
    let bytes = file.headerBytes
    let tensors = try shards.files.map { try $0.tensors() }
    var json = JSON()
    json.object { json in
      json.value("version", header.version)
      json.value("size", shards.files.reduce(0) { $0 + $1.fileSize })
      json.value("offset", file.start)
      json.value("alignment", header.alignment)
      json.value("dataOffset", header.dataOffset)
      json.value("mapped", file.isMapped)
      json.value("device", deviceName)
      json.value("architecture", file.string("general.architecture") ?? "")
      json.object("split") { json in
        json.value("count", shards.files.count)
        json.array("paths") { json in
          for file in shards.files { json.value(nil, file.path) }
        }
      }
      json.array("metadata") { json in
        for entry in header.metadata { entry.describe(to: &json, bytes) }
      }
      json.array("tensors") { json in
        for (index, file) in shards.files.enumerated() {
          for tensor in tensors[index] { tensor.describe(to: &json, file, shard: index) }
        }
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
  fileprivate func describe(to json: inout JSON, _ file: GGUFFile, shard: Int) {
    json.object { json in
      json.value("name", file.headerBytes[name].asText)
      json.value("type", typeName)
      json.array("dimensions") { json in
        for length in dimensions { json.value(nil, length) }
      }
      json.value("shard", shard)
      json.value("offset", file.header.dataOffset &+ offset)
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
