// swift-tools-version: 6.2
import PackageDescription

// One program for each pure room, which uses that room and nothing else; Scripts/check-linkage
// names the rooms that this checkout has and looks at what their programs link.
let rooms = (Context.environment["BELAY_ROOMS"] ?? "BelayCore BelayWire").split(separator: " ")

let package = Package(
    name: "Linkage",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Belay", path: "../..")],
    targets: rooms.map { room in
        .executableTarget(
            name: "Uses\(room)",
            dependencies: [.product(name: String(room), package: "Belay")]
        )
    }
)
