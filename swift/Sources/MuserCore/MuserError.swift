/// A failure that the caller can act on: a stable code for programs and a sentence for people.
public struct MuserError: Error, Equatable {
  /// Every code: first those of the file's content, in the order in which they are checked.
  public enum Code: String, CaseIterable, Sendable {
    case badMagic = "bad-magic"
    case byteOrder = "byte-order"
    case version
    case count
    case string
    case kvType = "kv-type"
    case array
    case duplicate
    case alignment
    case shape
    case type
    case row
    case range
    case overlap
    case limit
    case changed
    case notFound = "not-found"
    case permission
    case notAFile = "not-a-file"
    case io
    case split
    case tensor
    case id
    case argument
    case device
    case memory
    case timeout
  }

  public let code: Code
  /// What is so and what would fix it; `Cannot …:` is put before it where the action is known.
  public let message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The same failure, told as the end of an attempted action.
  public func whileTrying(to action: String) -> MuserError {
    MuserError(code, "Cannot \(action): \(message)")
  }

  /// Runs `body`; its failures begin with `Cannot <action>:`.
  public static func naming<Result>(
    _ action: @autoclosure () -> String, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let error as MuserError { throw error.whileTrying(to: action()) }
  }
}
