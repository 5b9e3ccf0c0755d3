import MuserCore

/// The devices of this process, each made at its first use and kept.
enum Devices {
  private static let cpu = Result { DeviceEngine(try CPUDevice()) }

  /// The engine of the device with this name.
  static func engine(_ name: String) throws -> any Engine {
    switch name {
    case "cpu", "auto": return try cpu.get()
    default:
      throw MuserError(.argument, "Cannot use the device \"\(name)\": there is no such device; use auto, cpu, metal or cuda")
    }
  }

  /// What can run here, and why the rest cannot, as JSON.
  static func describe() -> JSON {
    var json = JSON()
    json.array { json in
      json.object { json in
        json.value("name", "cpu")
        json.value("available", true)
        json.value("reason", "")
      }
    }
    return json
  }
}
