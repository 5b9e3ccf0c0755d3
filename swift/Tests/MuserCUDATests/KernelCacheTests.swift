import Foundation
import MuserCore
import Testing

@testable import MuserCUDA

extension CUDATests {
  /// Compiled kernels in a folder. Every test has one of its own.
  @Suite(.serialized) final class KernelCacheTests {
    private let folder = NSTemporaryDirectory() + "muser-kernels-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"

    init() throws {
      FakeCUDA.reset()
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private var entries: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: folder).map { "\(folder)/\($0)" } }
    }

    /// Whether a device of its own that looks up rows compiles the kernel.
    private func compiles() throws -> Bool {
      FakeCUDA.reset()
      try Scenario.run(cache: folder)
      #expect(FakeCUDA.live == 0)
      return FakeCUDA.calls.contains("nvrtcCompileProgram")
    }

    @Test func whatOneDeviceCompiledTheNextOneFinds() throws {
      #expect(try compiles())
      #expect(try entries.count == 1)
      #expect(try !compiles())
      #expect(try entries.count == 1)
    }

    @Test func nothingIsWrittenWhereNoFolderIsNamed() throws {
      try Scenario.run()
      #expect(try entries.isEmpty)
    }

    @Test func anEntryThatIsDamagedIsMadeAgain() throws {
      _ = try compiles()
      let path = try #require(try entries.first)
      let sound = try Data(contentsOf: URL(fileURLWithPath: path))
      var damaged = [0, 7, 8, 100, sound.count - 1].map { at in
        var bytes = sound
        bytes[at] ^= 1
        return bytes
      }
      damaged += [0, 3, 8, sound.count - 1].map { sound.prefix($0) } + [sound + [0]]
      for bytes in damaged {
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(try compiles(), "\(bytes.count) bytes")
        #expect(try entries == [path])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == sound)
      }
    }

    @Test func anEntryThatTheDriverRefusesIsMadeAgain() throws {
      _ = try compiles()
      FakeCUDA.reset()
      try Scenario.run(cache: folder)
      let load = try #require(
        FakeCUDA.calls.filter { !$0.hasPrefix("cuCtx") }.firstIndex(of: "cuModuleLoadData"))
      FakeCUDA.reset()
      FakeCUDA.fail(load, 200)
      try Scenario.run(cache: folder)
      #expect(FakeCUDA.calls.contains("nvrtcCompileProgram"))
      #expect(FakeCUDA.live == 0)
    }

    @Test func aKernelIsFoundOnlyByAllThatItWasMadeFrom() throws {
      let cache = KernelCache(folder: folder)
      let kernel = CompiledKernel(code: [0, 1, 0, 2], entry: "entry")
      try cache.keep(kernel, for: .init("a", from: "text", for: "sm_90"))
      let found = try #require(cache.find(.init("a", from: "text", for: "sm_90")))
      #expect(found.code == kernel.code)
      #expect(found.entry == kernel.entry)
      #expect(cache.find(.init("b", from: "text", for: "sm_90")) == nil)
      #expect(cache.find(.init("a", from: "texts", for: "sm_90")) == nil)
      #expect(cache.find(.init("a", from: "text", for: "sm_80")) == nil)
    }

    @Test func anEntryUnderTheNameOfAnotherIsNotUsed() throws {
      let cache = KernelCache(folder: folder)
      let other = KernelCache.Key("a", from: "other", for: "sm_90")
      try cache.keep(CompiledKernel(code: [1], entry: "a"), for: .init("a", from: "text", for: "sm_90"))
      let path = try #require(try entries.first)
      try cache.keep(CompiledKernel(code: [2], entry: "a"), for: other)
      let otherPath = try #require(try entries.first { $0 != path })
      try FileManager.default.removeItem(atPath: otherPath)
      try FileManager.default.copyItem(atPath: path, toPath: otherPath)
      #expect(cache.find(other) == nil)
    }

    @Test func aLinkIsNotFollowedButReplaced() throws {
      _ = try compiles()
      let path = try #require(try entries.first)
      let elsewhere = folder + "-elsewhere"
      try FileManager.default.moveItem(atPath: path, toPath: elsewhere)
      defer { try? FileManager.default.removeItem(atPath: elsewhere) }
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
      #expect(try compiles())
      #expect(try !compiles())
    }

    @Test func aFolderThatCannotBeWrittenToIsAnErrorThatNamesIt() throws {
      let failure = #expect(throws: MuserError.self) { try Scenario.run(cache: "\(self.folder)/none") }
      #expect(failure?.code == .io)
      #expect(failure?.message.contains("/none\" cannot keep compiled kernels: the system says \"No such file") == true)
      #expect(FakeCUDA.live == 0)
    }
  }
}
