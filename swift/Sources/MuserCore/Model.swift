/// A model's files and the device that serves it. Immutable: any number of threads may use it at once.
public final class Model: Sendable {
  /// The model's parts in order; most models have one.
  public let shards: Shards
  private let engine: any Engine
  private let inPlace: Bool

  /// The name of the table of a model's first step.
  static let tokenTable = "token_embd.weight"
  /// The name of the table of its last step; a file without it uses the first table for both.
  static let outputTable = "output.weight"

  /// Opens the GGUF at `paths`, several where it was split, and gets `engine` ready for the tables that it has, so that
  /// a device that cannot serve them says so now and not at the first token. `inPlace` has a device with memory of its
  /// own read tables where the file is mapped.
  public init(paths: [String], start: UInt64, map: Bool, inPlace: Bool = false, engine: any Engine) throws {
    self.engine = engine
    self.inPlace = inPlace
    shards = try Shards(paths: paths, start: start, map: map)
    try MuserError.naming("open \(path)") {
      for name in [Self.tokenTable, Self.outputTable] {
        guard let (_, tensor) = try shards.tensor(named: name) else { continue }
        if name == Self.tokenTable { try prove(tokenTable: tensor) }
        if let type = tensor.type, type.kernel != nil { try engine.prepare(.embedding(type)) }
      }
    }
  }

  /// The first part, which has the metadata.
  public var file: GGUFFile { shards.files[0] }
  public var path: String { file.path }

  public var deviceName: String { engine.deviceName }

  /// Opens a two-dimensional tensor for lookups.
  public func table(named name: String, _ options: RowOptions) throws -> any RowTable {
    try MuserError.naming("open table \"\(name)\" of \(file.path)") {
      guard let (file, tensor) = try shards.tensor(named: name) else {
        throw MuserError(.tensor, "there is no such tensor\(try tablesToChooseFrom())")
      }
      let shape = try TableShape(tensor, named: name, dataOffset: file.header.dataOffset)
      return try engine.table(shape, of: file, inPlace: inPlace, options)
    }
  }

  /// Makes a session on the model's device, for up to `capacity` rows at once. `timed` measures how long the device
  /// takes, which costs it a little.
  public func session(capacity: Int, timed: Bool = false) throws -> any Session {
    try MuserError.naming("open a session of \(capacity) rows") {
      try engine.session(capacity: capacity, timed: timed)
    }
  }

  /// Fails with `changed` where the file is no longer the one that was opened.
  public func check() throws {
    for file in shards.files { try MuserError.naming("use \(file.path)") { try file.check() } }
  }

  /// The columns of the token table are the width of the model's residual stream, where the file states it.
  private func prove(tokenTable tensor: GGUFTensor) throws {
    guard let architecture = file.string("general.architecture") else { return }
    let key = "\(architecture).embedding_length"
    guard let width = file.integer(key), let columns = tensor.dimensions.first, columns != width else { return }
    throw MuserError(
      .shape,
      "\"\(Self.tokenTable)\" has \(columns) columns, and \"\(key.shown())\" is \(width); one of them is wrong, so "
        + "convert it again")
  }

  private func tablesToChooseFrom() throws -> String {
    let most = 12
    let names = try shards.files.flatMap { file in
      try file.tensors().filter { $0.dimensions.count == 2 && $0.type?.kernel != nil }
        .map { "\"\(file.headerBytes.text($0.name))\"" }
    }
    if names.isEmpty { return ", and no other two-dimensional one" }
    let rest = names.count > most ? " and \(names.count - most) more" : ""
    return "; the two-dimensional ones are \(names.prefix(most).joined(separator: ", "))\(rest)"
  }
}

/// A device behind a face that does not depend on which one it is.
public protocol Engine: Sendable {
  var deviceName: String { get }
  var detail: String { get }
  var memory: UInt64 { get }
  func keepKernels(in folder: String)
  func prepare(_ kernel: Kernel) throws
  func table(_ shape: TableShape, of file: GGUFFile, inPlace: Bool, _ options: RowOptions) throws -> any RowTable
  func session(capacity: Int, timed: Bool) throws -> any Session
}

/// Opens tables on a device. Made once a device: what it keeps is shared by all models.
public final class DeviceEngine<D: Device>: Engine {
  private let device: D
  private let scratches: ScratchPool<D>

  public init(_ device: D) {
    self.device = device
    scratches = ScratchPool(device)
  }

  public var deviceName: String { device.name }
  public var detail: String { device.detail }
  public var memory: UInt64 { device.memory }

  public func keepKernels(in folder: String) { device.keepKernels(in: folder) }

  public func prepare(_ kernel: Kernel) throws { _ = try device.pipeline(for: kernel) }

  public func table(
    _ shape: TableShape, of file: GGUFFile, inPlace: Bool, _ options: RowOptions
  ) throws -> any RowTable {
    try DeviceTable(shape, of: file, inPlace: inPlace, on: device, options, scratches)
  }

  public func session(capacity: Int, timed: Bool) throws -> any Session {
    try DeviceSession(on: device, capacity: capacity, timed: timed)
  }
}
