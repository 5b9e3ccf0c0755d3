extension GGUFTensor {
  /// Reads the record of one tensor and proves what can be proven without its neighbours.
  init(parsing cursor: inout GGUFCursor) throws {
    let start = cursor.offset
    let name = try cursor.string("a tensor's name")
    guard (1...63).contains(name.count) else {
      throw MuserError(
        .string, "the tensor name at byte \(start) is \(name.count) bytes long, and 1 to 63 can be; convert it again")
    }
    let bytes = cursor.bytes
    let title = { "tensor \"\(bytes.text(name))\"" }
    let dimensionCount = try cursor.read(UInt32.self, title())
    guard dimensionCount <= 4 else {
      throw MuserError(.shape, "\(title()) has \(dimensionCount) dimensions, and 4 is the limit; convert it again")
    }
    var dimensions = Dimensions()
    for _ in 0..<dimensionCount { dimensions.append(try cursor.read(UInt64.self, title())) }
    let typeID = try cursor.read(UInt32.self, title())
    let offset = try cursor.read(UInt64.self, title())

    self.name = name
    self.dimensions = dimensions
    self.typeID = typeID
    self.offset = offset
    let values = try Self.values(of: dimensions, title())
    self.bytes = try TensorType(id: typeID).map { type in
      let columns = dimensions.first ?? 1
      guard columns % type.blockValues == 0 else {
        throw MuserError(
          .row,
          "\(title()) has rows of \(columns) values, which is not a multiple of the \(type.blockValues) values in a "
            + "block of \(type.name); convert it again")
      }
      let (size, overflow) = (values / type.blockValues).multipliedReportingOverflow(by: type.blockBytes)
      guard !overflow else {
        throw MuserError(.shape, "\(title()) has more bytes than 64 bits can count; convert it again")
      }
      return size
    }
  }

  /// The number of values, which a signed 64-bit integer must be able to hold; 0 only where a dimension is 0.
  private static func values(of dimensions: Dimensions, _ title: @autoclosure () -> String) throws -> UInt64 {
    for length in dimensions where length > UInt64(Int64.max) {
      throw MuserError(
        .shape, "\(title()) has a dimension of \(Int64(bitPattern: length)), which cannot be negative; convert it again")
    }
    if dimensions.contains(0) { return 0 }
    var values: UInt64 = 1
    for length in dimensions {
      let (product, overflow) = values.multipliedReportingOverflow(by: length)
      guard !overflow, product <= UInt64(Int64.max) else {
        throw MuserError(.shape, "\(title()) has more values than a 64-bit integer can count; convert it again")
      }
      values = product
    }
    return values
  }
}

extension GGUFHeader {
  /// Proves that the data of every tensor lies inside the file and inside nobody else's.
  func proveRanges(_ bytes: UnsafeRawBufferPointer, total: UInt64) throws {
    var end: UInt64 = 0
    var isAscending = true
    for record in tensorRecords {
      let tensor = try tensor(at: record, in: bytes)
      try proveRange(of: tensor, bytes, total: total)
      // A type that is not known has no known length: it is taken as empty.
      guard let size = tensor.bytes, size > 0 else { continue }
      isAscending = isAscending && tensor.offset >= end
      end = tensor.offset + size
    }
    // Files are written in order of offset, so sorting is for the rare one that is not.
    if !isAscending { try proveNoOverlap(bytes) }
  }

  func proveRange(of tensor: GGUFTensor, _ bytes: UnsafeRawBufferPointer, total: UInt64) throws {
    let title = { "tensor \"\(bytes.text(tensor.name))\"" }
    guard tensor.offset % alignment == 0 else {
      throw MuserError(
        .range,
        "\(title()) begins at offset \(tensor.offset), which is not a multiple of the alignment \(alignment); "
          + "convert it again")
    }
    let size = tensor.bytes ?? 0
    // A tensor without bytes may be where no data is, but not where sums with its offset would overflow.
    if size == 0 && tensor.type != nil && tensor.offset <= total { return }
    guard dataOffset <= total, tensor.offset <= total - dataOffset, size <= total - dataOffset - tensor.offset else {
      throw MuserError(
        .range,
        "\(title()) needs \(size) bytes at offset \(tensor.offset) of the tensor data, which begins at byte "
          + "\(dataOffset), and the file ends at byte \(total)\(try missing(bytes, total: total)); download it again")
    }
  }

  /// How many bytes the last tensor lacks, nothing where that is more than 64 bits can count.
  private func missing(_ bytes: UnsafeRawBufferPointer, total: UInt64) throws -> String {
    var needed: UInt64 = 0
    for record in tensorRecords {
      let tensor = try tensor(at: record, in: bytes)
      let (first, overflow) = dataOffset.addingReportingOverflow(tensor.offset)
      let (end, overflowToo) = first.addingReportingOverflow(tensor.bytes ?? 0)
      if overflow || overflowToo { return "" }
      needed = max(needed, end)
    }
    return ": \(needed - total) bytes are missing"
  }

  private func proveNoOverlap(_ bytes: UnsafeRawBufferPointer) throws {
    var ranges: [(start: UInt64, end: UInt64)] = []
    ranges.reserveCapacity(tensorRecords.count)
    for record in tensorRecords {
      let tensor = try tensor(at: record, in: bytes)
      if let size = tensor.bytes, size > 0 { ranges.append((tensor.offset, tensor.offset + size)) }
    }
    ranges.sort { $0.start < $1.start }
    for (lower, upper) in zip(ranges, ranges.dropFirst()) where lower.end > upper.start {
      let names = try names(ofTensorsAt: lower.start, upper.start, bytes).map { "\"\($0)\"" }.joined(separator: " and ")
      throw MuserError(.overlap, "tensors \(names) share bytes, so one of them would be wrong; convert it again")
    }
  }

  /// The names of the first two tensors that have data and begin at one of the two offsets.
  private func names(
    ofTensorsAt lower: UInt64, _ upper: UInt64, _ bytes: UnsafeRawBufferPointer
  ) throws -> [String] {
    var names: [String] = []
    for record in tensorRecords where names.count < 2 {
      let tensor = try tensor(at: record, in: bytes)
      guard let size = tensor.bytes, size > 0, tensor.offset == lower || tensor.offset == upper else { continue }
      names.append(bytes.text(tensor.name))
    }
    return names
  }

  /// Whether the record is that of the tensor of this name: far less work than reading all of it.
  func isTensor(at record: Int, named name: [UInt8], in bytes: UnsafeRawBufferPointer) throws -> Bool {
    var cursor = GGUFCursor(bytes, total: UInt64(bytes.count), at: record)
    let range = try cursor.string("a tensor's name")
    return range.count == name.count && bytes[range].elementsEqual(name)
  }

  /// Reads a tensor's record again.
  func tensor(at record: Int, in bytes: UnsafeRawBufferPointer) throws -> GGUFTensor {
    var cursor = GGUFCursor(bytes, total: UInt64(bytes.count), at: record)
    return try GGUFTensor(parsing: &cursor)
  }
}
