import MuserABI

/// A command list, checked: operations with their buffers, in the order in which they run. A class, so that a run
/// retains one object and not everything in it.
final class Step<D: Device>: Sendable {
  let operations: [any Operation<D>]
  /// The shortest of the tables that ids of the host are looked up in.
  let shortestTable: TableShape?
  /// Whether the first operation looks the host's ids up: one id then goes to it without a copy.
  let takesHostId: Bool

  /// Reads the words that muser.h describes: an operation's number, then its operands.
  init(_ words: UnsafeBufferPointer<UInt32>, _ scope: StepScope<D>) throws {
    var operations: [any Operation<D>] = []
    var tables: [TableShape] = []
    var takesHostId = false
    var rest = words[...]
    while let number = rest.popFirst() {
      // The words themselves are compared: an enumeration of C takes any number for one of its cases.
      switch number {
      case MuserOperation.embedding.rawValue:
        let table = try scope.table(try operand(&rest))
        let source = try operand(&rest)
        let ids = try scope.buffer(source, valuesPerRow: 1)
        let output = try scope.buffer(try operand(&rest), valuesPerRow: table.shape.columns)
        if operations.isEmpty { takesHostId = source == 0 }
        operations.append(Embedding(table: table, ids: ids, output: output, fault: scope.fault))
        tables.append(table.shape)
      case MuserOperation.rmsNorm.rawValue:
        let columns = try operand(&rest)
        let input = try scope.buffer(try operand(&rest), valuesPerRow: UInt64(columns))
        let output = try scope.buffer(try operand(&rest), valuesPerRow: UInt64(columns))
        let epsilon = Float(bitPattern: try operand(&rest))
        let pipeline = try scope.device.pipeline(for: .rmsNorm)
        operations.append(
          RMSNorm(pipeline: pipeline, input: input, output: output, columns: columns, epsilon: epsilon))
      default:
        throw MuserError(.argument, "\(number) is no operation")
      }
    }
    self.operations = operations
    self.takesHostId = takesHostId
    shortestTable = tables.min { $0.rows < $1.rows }
  }
}

private func operand(_ words: inout Slice<UnsafeBufferPointer<UInt32>>) throws -> UInt32 {
  guard let word = words.popFirst() else { throw MuserError(.argument, "the last operation lacks operands") }
  return word
}

/// What a command list may name.
struct StepScope<D: Device> {
  let device: D
  let capacity: Int
  let fault: D.Buffer
  let buffers: [SessionBuffer<D>]
  let tables: [DeviceTable<D>]

  func table(_ number: UInt32) throws -> PlacedTable<D> {
    guard Int(number) < tables.count else { throw MuserError(.argument, "there is no table \(number)") }
    let table = tables[Int(number)].table
    guard !table.options.half else {
      throw MuserError(.argument, "table \"\(table.shape.name)\" gives f16, and the residual stream is f32")
    }
    return table
  }

  /// A buffer that holds `valuesPerRow` 4-byte values for each row of the session.
  func buffer(_ number: UInt32, valuesPerRow: UInt64) throws -> D.Buffer {
    guard Int(number) < buffers.count else { throw MuserError(.argument, "there is no buffer \(number)") }
    let (bytes, overflow) = valuesPerRow.multipliedReportingOverflow(by: UInt64(capacity) * 4)
    guard !overflow, bytes <= UInt64(buffers[Int(number)].bytes) else {
      throw MuserError(
        .argument,
        "buffer \(number) has \(buffers[Int(number)].bytes) bytes, and \(capacity) rows of \(valuesPerRow) values do not "
          + "fit in it")
    }
    return buffers[Int(number)].buffer
  }
}
