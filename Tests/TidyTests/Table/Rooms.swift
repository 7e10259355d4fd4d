/// A room and the whole list of what its files may import, the standard library aside.
struct Room: Sendable {
    let name: String
    let imports: [String]

    /// The C library under its names on the systems we build for.
    static let system = ["Darwin", "Glibc", "Musl"]

    /// The table of DESIGN §2, in its order: a room imports only rooms above it.
    static let all: [Room] = [
        Room(name: "BelayCore", imports: []),
        Room(name: "BelayWire", imports: []),
        Room(name: "BelayTransport", imports: ["BelayCore", "Synchronization"]),
        Room(
            name: "BelayURLSession",
            imports: [
                "BelayCore", "BelayTransport", "Dispatch", "Foundation", "FoundationNetworking",
                "Network", "Synchronization", "URLLoading",
            ]),
        Room(
            name: "BelayTCP",
            imports: [
                "BelayCore", "BelayWire", "BelayTransport", "CCurl", "CDBus", "CLinux", "COpenSSL",
                "CZlib", "Dispatch", "Synchronization",
            ] + system),
        // Synchronization for the last hand-over, from the domain to the app's task; Observation
        // for what a screen shows.
        Room(
            name: "Belay",
            imports: [
                "BelayCore", "BelayWire", "BelayTransport", "Observation", "Synchronization",
            ]),
        Room(
            name: "BelayFile", imports: ["Belay", "BelayCore", "Synchronization"] + system),
        Room(name: "BelaySQLite", imports: ["Belay", "BelayCore", "CSQLite", "Synchronization"]),
        Room(
            name: "BelayFaults",
            imports: ["BelayCore", "BelayTCP", "BelayTransport", "BelayWire", "Synchronization"]),
        Room(
            name: "BelayTesting",
            imports: ["BelayCore", "BelayFaults", "BelayTransport", "Synchronization"]),
        Room(
            name: "BelayAcceptance",
            imports: [
                "Belay", "BelayCore", "BelayFaults", "BelayTransport", "BelayWire", "Foundation",
                "FoundationNetworking", "Synchronization",
            ]),
        Room(
            name: "BelayCommand",
            imports: ["Belay", "BelayAcceptance", "BelayFaults", "Dispatch", "Foundation"]),
    ]

    /// Files that may import more than their room; `Exceptions.systems` says why.
    static let exceptions: [String: [String]] = [
        "Sources/Belay/DefaultTransport.swift": ["BelayTCP", "BelayURLSession"],
        "Sources/Belay/Exports.swift": ["BelayURLSession"],
        "Sources/BelayTesting/Loop/ThreadIdentity.swift": system,
    ]

    /// The only file that may hand an import on to whoever imports its room.
    static let exports = "Sources/Belay/Exports.swift"

    static func named(_ name: String) -> Room? { all.first { $0.name == name } }

    /// What the room may import, and what those rooms may, and so on.
    var reach: Set<String> {
        imports.reduce(into: Set(imports)) { reach, name in
            reach.formUnion(Room.named(name)?.reach ?? [])
        }
    }
}
