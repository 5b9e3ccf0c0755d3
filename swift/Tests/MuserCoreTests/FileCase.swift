import Testing

@testable import MuserCore

/// A file and what must become of it.
struct FileCase: Sendable, CustomTestStringConvertible {
  /// What is so about the file.
  let title: String
  /// The code it is refused with, `nil` where it can be read.
  let code: MuserError.Code?
  /// Words of the message: the place, and the numbers that a person needs.
  let says: [String]
  let bytes: [UInt8]

  var testDescription: String { "\(title) \(code.map { "is refused as \($0.rawValue)" } ?? "can be read")" }
  var expected: Outcome { code.map(Outcome.refused) ?? .read }

  init(_ title: String, _ code: MuserError.Code?, says: [String] = [], bytes: [UInt8]) {
    self.title = title
    self.code = code
    self.says = says
    self.bytes = bytes
  }

  /// The sound file, changed.
  init(
    _ title: String, _ code: MuserError.Code? = nil, says: [String] = [], _ change: (inout GGUFBuilder) -> Void
  ) {
    var file = GGUFBuilder.sound
    change(&file)
    self.init(title, code, says: says, bytes: file.bytes)
  }

  /// Every case of every table.
  static let all: [FileCase] = [
    beginnings, counts, texts, values, arrays, names, alignments, shapes, ranges, reference,
  ].flatMap { $0 }
}

extension GGUFBuilder {
  /// A small model: a table of two rows of four values, and a tensor behind it.
  static var sound: GGUFBuilder {
    GGUFBuilder(
      pairs: [.init("general.architecture", .text("llama")), .init("llama.embedding_length", .u32(4))],
      tensors: [.init("token_embd.weight"), .init("output_norm.weight", 0, [4], bytes: 16)])
  }

  /// A file that is only a header.
  static var empty: GGUFBuilder { GGUFBuilder() }

  /// A file of these tensors and no metadata.
  static func of(_ tensors: Tensor..., alignment: UInt32? = nil) -> GGUFBuilder {
    GGUFBuilder(
      pairs: alignment.map { [.init("general.alignment", .u32($0))] } ?? [], tensors: tensors,
      alignment: Int(alignment ?? 32))
  }

  /// A file of this metadata and no tensors.
  static func of(_ pairs: Pair...) -> GGUFBuilder { GGUFBuilder(pairs: pairs) }
}
