// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "BelayBenchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Belay", path: "..")],
    targets: [
        // What the figures are compared with in the same process.
        .target(name: "CBaselines"),
        // The other side of the echo benchmark, and its lowest bound.
        .executableTarget(name: "bench-load", path: "Sources/Load"),
        .executableTarget(
            name: "bench-floor", dependencies: ["CBaselines"], path: "Sources/Floor"),
        // uWebSockets, whose library it loads when it is started.
        .executableTarget(
            name: "bench-uwebsockets", path: "Sources/UWebSockets",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        // What the echo benchmark is about, in a process of its own.
        .executableTarget(
            name: "bench-endpoint",
            dependencies: [.product(name: "BelayFaults", package: "Belay")],
            path: "Sources/Endpoint"),
        // The other side of the soak: Belay's own connections.
        .executableTarget(
            name: "bench-clients",
            dependencies: [.product(name: "Belay", package: "Belay")],
            path: "Sources/Clients"),
        // What a process holds, and whether it grows.
        .target(name: "Footprint", dependencies: ["CBaselines"]),
        // Whether a million events come in order, and leave nothing behind.
        .executableTarget(
            name: "soak-events",
            dependencies: [
                "Footprint",
                .product(name: "Belay", package: "Belay"),
                .product(name: "BelayFaults", package: "Belay"),
            ],
            path: "Sources/Events"),
        // Whether thousands of lost connections leave something behind.
        .executableTarget(
            name: "soak-reconnects",
            dependencies: [
                "Footprint",
                .product(name: "Belay", package: "Belay"),
                .product(name: "BelayFaults", package: "Belay"),
            ],
            path: "Sources/Reconnects"),
        .executableTarget(
            name: "bench",
            dependencies: [
                "CBaselines",
                .product(name: "Belay", package: "Belay"),
                .product(name: "BelayCore", package: "Belay"),
                .product(name: "BelayTesting", package: "Belay"),
                .product(name: "BelayWire", package: "Belay"),
            ],
            path: "Sources/Bench"),
    ]
)

// As in the package that is measured (STYLE §1).
for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]
}
