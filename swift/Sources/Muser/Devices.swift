import MuserCore

#if MUSER_METAL
import MuserMetal
#endif
#if os(Linux)
import MuserCUDA
#endif

/// The devices of this process, each made at its first use and kept.
enum Devices {
  private static let all = [
    Entry("cpu") { DeviceEngine(try CPUDevice()) },
    Entry("metal") {
      #if MUSER_METAL
      DeviceEngine(try MetalDevice())
      #else
      throw MuserError(.device, "Metal is part of Apple's systems, and this is another one")
      #endif
    },
    Entry("cuda") {
      #if os(Linux)
      DeviceEngine(try CUDADevice())
      #else
      throw MuserError(.device, "CUDA is part of NVIDIA's drivers for Linux, and this is another system")
      #endif
    },
  ]

  /// The device that "auto" stands for: the one that hands rows to the host soonest. A build with the stand-in for Metal
  /// is there to run everything on it.
  #if MUSER_STAND_IN
  private static let automatic = "metal"
  #else
  private static let automatic = "cpu"
  #endif

  /// The engine of the device with this name.
  static func engine(_ name: String) throws -> any Engine {
    try MuserError.naming("use the device \"\(name)\"") {
      guard let entry = all.first(where: { $0.name == (name == "auto" ? automatic : name) }) else {
        let names = all.map(\.name).joined(separator: ", ")
        throw MuserError(.argument, "there is no such device; use auto, \(names)")
      }
      return try entry.engine()
    }
  }

  /// What can run here, and why the rest cannot, as JSON.
  static func describe() -> JSON {
    var json = JSON()
    json.array { json in
      for entry in all {
        let engine = Result { try entry.engine() }
        json.object { json in
          json.value("name", entry.name)
          switch engine {
          case .success(let engine):
            json.value("available", true)
            json.value("reason", "")
            json.value("detail", engine.detail)
            json.value("memory", engine.memory)
          case .failure(let error):
            json.value("available", false)
            json.value("reason", (error as? MuserError)?.message ?? "\(error)")
          }
        }
      }
    }
    return json
  }

  /// A device that is made when it is first asked for, and asked for again where that failed.
  private final class Entry: @unchecked Sendable {
    let name: String
    private let make: @Sendable () throws -> any Engine
    private let lock = Lock()
    private var made: (any Engine)?

    init(_ name: String, _ make: @escaping @Sendable () throws -> any Engine) {
      self.name = name
      self.make = make
    }

    func engine() throws -> any Engine {
      try lock.locked {
        let engine = try made ?? make()
        made = engine
        return engine
      }
    }
  }
}
