// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Muser",
  platforms: [.macOS(.v13)],
  products: [.library(name: "Muser", type: .dynamic, targets: ["Muser"])],
  targets: [
    .target(name: "MuserABI"),
    .target(name: "MuserCPU"),
    .target(name: "MuserShaders"),
    .target(name: "MuserCore", dependencies: ["MuserABI", "MuserCPU", "MuserShaders"]),
    .target(name: "MuserCUDA", dependencies: ["MuserABI", "MuserCore"]),
    .target(
      name: "Muser",
      dependencies: ["MuserCore", .target(name: "MuserCUDA", condition: .when(platforms: [.linux]))],
      // Deno lets go of a library while threads of the Swift runtime still run its code: it must stay mapped.
      linkerSettings: [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "nodelete"], .when(platforms: [.linux]))]),
    .testTarget(name: "MuserCoreTests", dependencies: ["MuserCore"]),
    .testTarget(name: "MuserCUDATests", dependencies: ["MuserCUDA"]),
  ],
  cxxLanguageStandard: .cxx20
)
