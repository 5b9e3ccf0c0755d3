import MuserCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A library that this one does not link: looked for when it is needed, so that nothing has to be installed to build.
/// It stays open for the life of the process, because its own threads may outlive every user of it.
struct DynamicLibrary: @unchecked Sendable {
  let name: String
  private let handle: UnsafeMutableRawPointer

  /// Opens the library called `name`, a path or a name that the loader looks for. The error is the loader's own sentence.
  init(_ name: String) throws {
    guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
      throw MuserError(.device, dlerror().map { String(cString: $0) } ?? "\(name): the loader gives no reason")
    }
    self.name = name
    self.handle = handle
  }

  /// The function called `symbol`, whose C type the caller states.
  func function<Function>(_ symbol: String) throws -> Function {
    guard let address = dlsym(handle, symbol) else {
      throw MuserError(.device, "\(name): it has no function \(symbol), install a newer one")
    }
    // Safety: `Function` is a C function pointer of the type that NVIDIA's headers give the symbol.
    return unsafeBitCast(address, to: Function.self)
  }
}

/// What `use` makes of the first of `names` that it can use; where there is none, the error tells of each.
func first<Result>(of names: [String], _ use: (String) throws -> Result) throws -> Result {
  var misses: [String] = []
  for name in names {
    do { return try use(name) } catch let miss as MuserError { misses.append(miss.message) }
  }
  throw MuserError(.device, misses.joined(separator: "; "))
}
