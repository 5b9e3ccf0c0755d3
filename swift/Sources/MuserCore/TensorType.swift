import MuserABI

/// A tensor type of the format: how many values a block holds, in how many bytes, and the kernel that gathers rows.
public struct TensorType: Sendable, Hashable {
  // Safety: points to a constant table of the library, which never moves or changes.
  nonisolated(unsafe) private let facts: UnsafePointer<MuserTypeFacts>

  /// The type with this number in the file, `nil` where the format has none.
  public init?(id: UInt32) {
    guard let facts = muser_type_facts(id) else { return nil }
    self.facts = facts
  }

  private init(_ facts: UnsafePointer<MuserTypeFacts>) { self.facts = facts }

  /// Every type of the format; those that rows can be gathered from come first.
  public static var all: [TensorType] {
    var types: [TensorType] = []
    while let facts = muser_type_at(UInt32(types.count)) { types.append(TensorType(facts)) }
    return types
  }

  public var id: UInt32 { facts.pointee.id }
  public var name: String { String(cString: facts.pointee.name) }
  public var blockValues: UInt64 { UInt64(facts.pointee.block_values) }
  public var blockBytes: UInt64 { UInt64(facts.pointee.block_bytes) }
  /// Name of the kernel that gathers rows, `nil` where none can.
  public var kernel: String? { facts.pointee.kernel.map(String.init(cString:)) }
  /// Why rows cannot be gathered, `nil` where they can.
  public var reason: String? { facts.pointee.reason.map(String.init(cString:)) }

  /// Names of the types that rows can be gathered from.
  public static var supported: String {
    all.filter { $0.kernel != nil }.map(\.name).joined(separator: ", ")
  }

  public static func == (left: TensorType, right: TensorType) -> Bool { left.id == right.id }
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
