// swift-tools-version: 6.0
import Foundation
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

// Metal: on Apple's systems. Tests on Linux run the same sources over a stand-in for Apple's framework, in a build folder
// of their own: a module called Metal in the folder would be found by every target.
let hasStandIn = Context.environment["MUSER_STAND_IN"] == "1"
#if os(Linux)
let hasMetal = hasStandIn
#else
let hasMetal = true
#endif

if hasMetal {
  let framework: [Target.Dependency] = hasStandIn ? ["Metal"] : []
  let flags: [SwiftSetting] = [.define("MUSER_METAL")] + (hasStandIn ? [.define("MUSER_STAND_IN")] : [])
  package.targets += [
    .target(
      name: "MuserMetal", dependencies: ["MuserCore"] + framework, swiftSettings: [.swiftLanguageMode(.v5)],
      // A process without windows finds no GPU unless CoreGraphics is there.
      linkerSettings: ["CoreGraphics", "Metal"].map { .linkedFramework($0, .when(platforms: [.macOS])) }),
    .testTarget(
      name: "MuserMetalTests", dependencies: ["MuserCore", "MuserMetal"] + framework, swiftSettings: flags),
  ]
  for target in package.targets where target.name == "Muser" {
    target.dependencies.append("MuserMetal")
    target.swiftSettings = flags
  }
}
if hasStandIn {
  package.targets += [
    .target(name: "MetalKernels", path: "Tests/MetalKernels"),
    .target(
      name: "Metal", dependencies: ["MetalKernels", "MuserCore"], path: "Tests/Metal",
      swiftSettings: [.swiftLanguageMode(.v5)]),
  ]
}

// The published package has the sources without their tests.
if !FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/Tests") {
  package.targets.removeAll { $0.type == .test }
}
