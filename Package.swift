// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Belay",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        .library(name: "Belay", targets: ["Belay"]),
        .library(name: "BelayCore", targets: ["BelayCore"]),
        .library(name: "BelayWire", targets: ["BelayWire"]),
        .library(name: "BelayFile", targets: ["BelayFile"]),
        .library(name: "BelaySQLite", targets: ["BelaySQLite"]),
        .library(name: "BelayFaults", targets: ["BelayFaults"]),
        .library(name: "BelayTesting", targets: ["BelayTesting"]),
        .library(name: "BelayAcceptance", targets: ["BelayAcceptance"]),
        .executable(name: "belay", targets: ["BelayCommand"]),
    ],
    targets: [
        // Rooms, in the order of DESIGN §2: a room imports only rooms above it.
        .target(name: "BelayCore"),
        .target(name: "BelayWire"),
        .target(name: "BelayTransport", dependencies: ["BelayCore"]),
        .target(name: "BelayURLSession", dependencies: ["BelayCore", "BelayTransport"]),
        .target(
            name: "BelayTCP",
            dependencies: [
                "BelayCore", "BelayWire", "BelayTransport", "COpenSSL", "CZlib",
                .target(name: "CCurl", condition: .when(platforms: [.linux])),
                .target(name: "CDBus", condition: .when(platforms: [.linux])),
                .target(name: "CLinux", condition: .when(platforms: [.linux])),
            ]),
        // HTTP of event streams.
        .target(
            name: "CCurl", linkerSettings: [.linkedLibrary("curl", .when(platforms: [.linux]))]),
        // What NetworkManager says. It links nothing: libsystemd is loaded where it is there.
        .target(name: "CDBus"),
        // What Glibc's module lacks.
        .target(name: "CLinux"),
        // TLS over our own sockets. Elsewhere than on Linux it is empty and refuses.
        .target(
            name: "COpenSSL",
            linkerSettings: [
                .linkedLibrary("ssl", .when(platforms: [.linux])),
                .linkedLibrary("crypto", .when(platforms: [.linux])),
            ]),
        // Compresses WebSocket messages.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "Belay",
            dependencies: [
                "BelayCore", "BelayWire", "BelayTransport", "BelayTCP",
                // Foundation is not linked where nothing of it is used.
                .target(name: "BelayURLSession", condition: .when(platforms: [.iOS, .macOS])),
            ]),
        .target(name: "BelayFile", dependencies: ["Belay", "BelayCore"]),
        .target(name: "BelaySQLite", dependencies: ["Belay", "BelayCore", "CSQLite"]),
        // Keeps the durable ledger.
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .target(
            name: "BelayFaults",
            dependencies: ["BelayCore", "BelayWire", "BelayTransport", "BelayTCP"]),
        .target(name: "BelayTesting", dependencies: ["BelayCore", "BelayTransport"]),
        .target(
            name: "BelayAcceptance",
            dependencies: ["Belay", "BelayCore", "BelayFaults", "BelayTransport", "BelayWire"],
            exclude: ["Evidence/evidence.schema.json"]),
        .executableTarget(
            name: "BelayCommand", dependencies: ["Belay", "BelayAcceptance", "BelayFaults"]),

        // Tests mirror the rooms.
        .testTarget(
            name: "BelayCoreTests",
            dependencies: ["BelayCore", "BelayTesting"],
            resources: [
                .copy("Connection/connection.transitions"),
                .copy("Heartbeat/heartbeat.transitions"),
                .copy("Path/Corpus"),
                .copy("Path/network-hint.transitions"),
                .copy("Resume/resume.transitions"),
            ]),
        .testTarget(
            name: "BelayWireTests", dependencies: ["BelayWire"],
            resources: [.copy("EventStream/Vectors")]),
        .testTarget(
            name: "BelayTransportTests", dependencies: ["BelayTransport", "BelayTesting"]),
        .testTarget(
            name: "BelayURLSessionTests",
            dependencies: ["BelayCore", "BelayTesting", "BelayTransport", "BelayURLSession"]),
        .testTarget(
            name: "BelayTCPTests",
            dependencies: [
                "BelayTCP", "BelayCore", "BelayTesting", "BelayTransport", "BelayWire",
                "PathProbe",
            ],
            resources: [
                .copy("Curl/h2_peer.py"), .copy("Path/network_manager.py"),
                .copy("TLS/tls_peer.py"),
            ]),
        .testTarget(
            name: "BelayTests",
            dependencies: ["Belay", "BelayCore", "BelayTransport", "BelayTesting", "BelayWire"]),
        .testTarget(name: "BelayFileTests", dependencies: ["Belay", "BelayCore", "BelayFile"]),
        .testTarget(
            name: "BelaySQLiteTests",
            dependencies: [
                "Belay", "BelayCore", "BelaySQLite", "BelayTesting", "BelayTransport", "CSQLite",
            ]),
        .testTarget(
            name: "BelayTestingTests",
            dependencies: ["BelayCore", "BelayTransport", "BelayTesting"]),
        .testTarget(
            name: "BelayFaultsTests",
            dependencies: ["BelayFaults", "BelayTCP", "BelayTransport", "BelayWire"]),
        .testTarget(
            name: "BelayAcceptanceTests",
            dependencies: ["Belay", "BelayAcceptance", "BelayCore", "BelayFaults"],
            resources: [.copy("Report/Golden")]),
        .testTarget(
            name: "BelayCommandTests",
            dependencies: [
                "Belay", "BelayCommand", "BelayAcceptance", "BelayFaults", "BelayTesting",
                "BelayTransport",
            ]),

        // What every transport promises, tried on each of them.
        .testTarget(
            name: "BelayTransportContractTests",
            dependencies: [
                "BelayCore", "BelayFaults", "BelayTCP", "BelayTesting", "BelayTransport",
                "BelayURLSession", "BelayWire",
            ]),

        // What every ledger promises, tried on each of them.
        .testTarget(
            name: "BelayLedgerContractTests",
            dependencies: [
                "Belay", "BelayCore", "BelayFile", "BelaySQLite", "BelayTesting", "BelayTransport",
            ]),

        // A runner of the service protocol, against Belay's own service.
        .testTarget(
            name: "BelayContractServiceTests",
            dependencies: [
                "Belay", "BelayAcceptance", "BelayFaults", "BelayTCP", "BelayTransport",
                "BelayWire",
            ]),

        // What apps call, on real sockets.
        .testTarget(
            name: "BelayLoopbackTests",
            dependencies: [
                "Belay", "BelayFaults", "BelayTCP", "BelayTesting", "BelayTransport",
                "BelayURLSession",
            ]),

        // Watches the path in the network namespaces that BelayTCPTests makes.
        .executableTarget(
            name: "PathProbe", dependencies: ["BelayCore", "BelayTCP", "BelayTransport"],
            path: "Tests/PathProbe"),

        // Holds the rules of STYLE that a compiler does not.
        .testTarget(name: "TidyTests"),
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

// On Linux, by wish, only what speaks to Apple's frameworks, over our stubs of them: so that it is
// compiled and run there too (make test-apple-stubs).
#if os(Linux)
    if Context.environment["BELAY_APPLE_STUBS"] != nil {
        let kept = ["BelayCore", "BelayTransport", "BelayTesting", "BelayURLSession"]
        package.products = []
        package.targets.removeAll { !kept.contains($0.name) && $0.name != "BelayURLSessionTests" }
        for target in package.targets where target.name.hasPrefix("BelayURLSession") {
            target.dependencies += ["Network", "URLLoading"]
            target.swiftSettings?.append(.define("BELAY_APPLE_STUBS"))
        }
        // As the frameworks are built: what they list may grow, and their clients know. The compiler
        // warns that Dispatch and Foundation are not built so here.
        package.targets += ["Network", "URLLoading"].map { name in
            .target(
                name: name, path: "Tests/AppleStubs/\(name)",
                swiftSettings: [
                    .unsafeFlags(["-enable-library-evolution", "-suppress-warnings"])
                ])
        }
    }
#endif
