// swift-tools-version: 6.2
import PackageDescription

// A process that works off an event stream, and one that kills it at random moments and counts.
// See Scripts/crash.
let package = Package(
    name: "Crash",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Belay", path: "../..")],
    targets: [
        .executableTarget(
            name: "CrashSubject",
            dependencies: [
                .product(name: "Belay", package: "Belay"),
                .product(name: "BelayFile", package: "Belay"),
                .product(name: "BelaySQLite", package: "Belay"),
            ]),
        .executableTarget(
            name: "Crash",
            dependencies: [
                .product(name: "BelayFaults", package: "Belay"),
                .product(name: "BelayFile", package: "Belay"),
                .product(name: "BelaySQLite", package: "Belay"),
            ]),
    ]
)
