// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Belay",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        .library(name: "BelayCore", targets: ["BelayCore"])
    ],
    targets: [
        // Rooms, in the order of DESIGN §2: a room imports only rooms above it.
        .target(name: "BelayCore"),
        .target(name: "BelayTransport", dependencies: ["BelayCore"]),
        .target(name: "BelayTesting", dependencies: ["BelayCore", "BelayTransport"]),

        // Tests mirror the rooms.
        .testTarget(
            name: "BelayCoreTests",
            dependencies: ["BelayCore", "BelayTesting"],
            resources: [
                .copy("Connection/connection.transitions"),
                .copy("Heartbeat/heartbeat.transitions"),
                .copy("Path/network-hint.transitions"),
                .copy("Resume/resume.transitions"),
            ]),
        .testTarget(name: "BelayTransportTests", dependencies: ["BelayTransport"]),
        .testTarget(name: "BelayTestingTests", dependencies: ["BelayTesting"]),
    ]
)

// One place for what every Swift target is held to (STYLE §1).
for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]
}
