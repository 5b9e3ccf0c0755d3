/// The files of a model in order: one, or the parts that it was split into. The metadata is in the first; a tensor may
/// lie in any.
public struct Shards: Sendable {
  public let files: [GGUFFile]

  /// Opens all parts. One that holds none of the tables that every model has is mapped only when a table of it is opened.
  init(paths: [String], start: UInt64, map: Bool) throws {
    var files: [GGUFFile] = []
    for (index, path) in paths.enumerated() {
      try MuserError.naming("open \(path)") {
        let file = try GGUFFile(path: path, start: start, map: map, later: index > 0)
        try Self.prove(file, isPart: index, of: paths.count)
        files.append(file)
      }
    }
    self.files = files
    guard let first = files.first else { throw MuserError(.argument, "Cannot open a model: no path is given") }
    try MuserError.naming("open \(first.path)") { try proveWhole(as: first.integer("split.tensors.count")) }
  }

  /// The tensor of this name and the file that it lies in.
  func tensor(named name: String) throws -> (file: GGUFFile, tensor: GGUFTensor)? {
    for file in files {
      if let tensor = try file.tensor(named: name) { return (file, tensor) }
    }
    return nil
  }

  private static func prove(_ file: GGUFFile, isPart index: Int, of count: Int) throws {
    let number = file.integer("split.no") ?? 0
    let whole = max(1, file.integer("split.count") ?? 1)
    if whole == UInt64(count), number == UInt64(index) || count == 1 { return }
    if whole > 1, try file.isFollowedByAnother() {
      throw MuserError(
        .split,
        "it is several parts of a split model, joined end to end; keep the parts as files of their own, or merge them "
          + "with llama-gguf-split")
    }
    throw MuserError(
      .split,
      // The number is whatever the file says, the largest one included.
      "it is part \(number &+ 1) of \(whole) of a split model, and was given as part \(index + 1) of \(count); open the "
        + "model with all its parts beside one another, under the names that they were made with")
  }

  private func proveWhole(as declared: UInt64?) throws {
    guard files.count > 1 else { return }
    var names: Set<String> = []
    var total: UInt64 = 0
    for file in files {
      for tensor in try file.tensors() {
        total += 1
        let name = file.headerBytes[tensor.name].asText
        guard names.insert(name).inserted else {
          throw MuserError(.duplicate, "the tensor \"\(name.shown())\" is in two parts; take parts of one model only")
        }
      }
    }
    guard declared == nil || declared == total else {
      throw MuserError(
        .split, "its parts have \(total) tensors, and it says that there are \(declared!); take parts of one model only")
    }
  }
}

extension GGUFFile {
  /// Whether another GGUF begins where the tensor data of this one ends.
  fileprivate func isFollowedByAnother() throws -> Bool {
    let end = try tensors().map { header.dataOffset + $0.offset + ($0.bytes ?? 0) }.max() ?? header.dataOffset
    let padded = (end + header.alignment - 1) & ~(header.alignment - 1)
    guard start + padded + 4 <= fileSize else { return false }
    return try withUnsafeTemporaryAllocation(byteCount: 4, alignment: 1) { magic in
      try read(into: magic, from: padded)
      return magic.elementsEqual("GGUF".utf8)
    }
  }
}
