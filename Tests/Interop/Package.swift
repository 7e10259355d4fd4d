// swift-tools-version: 6.2
import PackageDescription

// Belay and the programs of others, on this machine, built from what apps import. The tests are
// Scripts/interop's; the two programs talk to the Autobahn suite, see Scripts/autobahn.
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
        .testTarget(
            name: "InteropTests",
            dependencies: [
                .product(name: "Belay", package: "Belay"),
                .product(name: "BelayFaults", package: "Belay"),
            ],
            path: "Suites",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]),
    ]
)
