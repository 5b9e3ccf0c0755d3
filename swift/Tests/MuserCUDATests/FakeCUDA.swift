import Foundation
import MuserCore

@testable import MuserCUDA

/// The stand-in for NVIDIA's libraries, tests/cuda/fake_cuda.c, compiled once and driven from here.
enum FakeCUDA {
  static let path: String = {
    let root = (#filePath as NSString).deletingLastPathComponent + "/../../.."
    let library = NSTemporaryDirectory() + "muser-fake-cuda-\(getpid()).so"
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["clang", "-shared", "-fPIC", "-w", "-o", library, "\(root)/tests/cuda/fake_cuda.c"]
    try! compiler.run()
    compiler.waitUntilExit()
    precondition(compiler.terminationStatus == 0, "clang does not compile fake_cuda.c")
    return library
  }()

  static var names: LibraryNames { LibraryNames(driver: [path], compiler: [path]) }

  static func device(deadline: Double = 5) throws -> CUDADevice { try CUDADevice(names, deadline: deadline) }

  private static let library = try! DynamicLibrary(path)
  private static func function<F>(_ name: String) -> F { try! library.function(name) }

  static func reset() { (function("fake_reset") as @convention(c) () -> Void)() }
  /// Fails the call of this number from now on, counted from 0.
  static func fail(_ call: Int, _ status: Int32) {
    (function("fake_fail") as @convention(c) (Int64, Int32) -> Void)(Int64(call), status)
  }
  /// How many queries find their stream busy; −1: all.
  static func beBusy(_ queries: Int) {
    (function("fake_be_busy") as @convention(c) (Int64) -> Void)(Int64(queries))
  }
  /// What was made and not destroyed.
  static var live: Int64 { (function("fake_live") as @convention(c) () -> Int64)() }
  /// Every call since the reset.
  static var calls: [Substring] {
    String(cString: (function("fake_calls") as @convention(c) () -> UnsafePointer<CChar>)()).split(separator: " ")
  }
}
