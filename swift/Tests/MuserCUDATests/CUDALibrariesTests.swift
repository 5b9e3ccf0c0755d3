import MuserCore
import Testing

@testable import MuserCUDA

/// All tests drive one stand-in, one after the other.
@Suite(.serialized) enum CUDATests {}

extension CUDATests {
  /// What is said where a library is missing or of no use.
  @Suite(.serialized) struct CUDALibrariesTests {
    init() { FakeCUDA.reset() }

    private func reason(driver: [String], compiler: [String]) -> String {
      let names = LibraryNames(driver: driver, compiler: compiler)
      let failure = #expect(throws: MuserError.self) { _ = try CUDADevice(names, deadline: 1) }
      #expect(failure?.code == .device)
      return failure?.message ?? ""
    }

    @Test func everyNameOfTheDriverThatDoesNotOpenIsTold() {
      let reason = reason(driver: ["libnone.so.1", "/nowhere/libcuda.so"], compiler: [])
      #expect(reason.hasPrefix("NVIDIA's driver is not usable (libnone.so.1: "))
      #expect(reason.contains("; /nowhere/libcuda.so: "))
      #expect(reason.hasSuffix("install it, or use the device cpu"))
    }

    @Test func aLibraryWithoutTheFunctionsIsNoDriver() {
      #expect(reason(driver: ["libc.so.6"], compiler: []).contains("libc.so.6: it has no function cuInit"))
    }

    @Test func everyNameOfTheCompilerThatDoesNotOpenIsTold() {
      let reason = reason(driver: [FakeCUDA.path], compiler: ["libnone.so.13", "libnone.so.12"])
      #expect(reason.contains("libnone.so.13: "))
      #expect(reason.contains("; libnone.so.12: "))
      #expect(reason.contains("LD_LIBRARY_PATH"))
    }

    @Test func theNextNameIsTriedWhereOneDoesNotOpen() throws {
      let names = LibraryNames(driver: ["libnone.so", FakeCUDA.path], compiler: ["libnone.so", FakeCUDA.path])
      #expect(try CUDADevice(names, deadline: 1).detail == "Fake GPU, sm_90, \(FakeCUDA.path) of CUDA 13.0")
    }

    @Test func aMachineWithoutAGPUIsTold() {
      FakeCUDA.fail(0, 100)
      #expect(reason(driver: [FakeCUDA.path], compiler: []).hasPrefix("NVIDIA's driver does not start: CUDA_ERROR_FAKE"))
    }

    @Test func aCompilerNewerThanTheDriverIsNotUsed() throws {
      let library = try DynamicLibrary(FakeCUDA.path)
      let failure = #expect(throws: MuserError.self) {
        _ = try Compiler(library, driverVersion: 12040, capability: 90)
      }
      #expect(failure?.message.contains("it is of CUDA 13, and the driver knows CUDA 12 at most") == true)
    }

    @Test func aCompilerThatDroppedTheGPUIsNotUsedAndOneThatDoesNotKnowItYetIs() throws {
      let library = try DynamicLibrary(FakeCUDA.path)
      let failure = #expect(throws: MuserError.self) {
        _ = try Compiler(library, driverVersion: 13000, capability: 61)
      }
      #expect(failure?.message.contains("no longer compiles for this GPU's generation (sm_61)") == true)
      _ = try Compiler(library, driverVersion: 13000, capability: 121).compile("", kernel: "muser_embedding_f32")
      #expect(FakeCUDA.calls.contains("nvrtcGetPTX"))
    }
  }
}
