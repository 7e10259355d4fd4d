// swift-tools-version: 6.2
import PackageDescription

// What foreign test suites talk to, built from what apps import; see Scripts/autobahn.
let package = Package(
    name: "Interop",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Belay", path: "../..")],
    targets: [
        .executableTarget(
            name: "InteropClient", dependencies: [.product(name: "Belay", package: "Belay")]),
        .executableTarget(
            name: "InteropServer",
            dependencies: [
                .product(name: "BelayFaults", package: "Belay"),
                .product(name: "BelayWire", package: "Belay"),
            ]),
    ]
)
