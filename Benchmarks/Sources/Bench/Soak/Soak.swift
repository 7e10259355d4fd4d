import Foundation

/// Holds many connections for some minutes, each with its heartbeat, and tells what became of them.
///
/// The clients ping and the endpoint answers. Most clients are `bench-load`'s; some are Belay's own
/// connections, in a process of theirs. The ones lost must be none: then it ends with 1.
struct Soak {
    /// What is held.
    private struct Group {
        let name: String
        let server: EchoServer
        let load: LoadRun
    }

    let options: SoakOptions
    private let cores = Cores.available()

    /// A process has descriptors beside those of its connections: the listener, the loop, pipes.
    private static let otherDescriptors = 100
    /// Connections that `bench-load` opens before the counted ones.
    private static let warmUp = 200

    /// Runs it; whether no connection was lost and no pong was missing.
    func run() throws -> Bool {
        let limit = Descriptors.raiseLimit()
        let most = limit - Self.otherDescriptors - Self.warmUp
        let clients = min(options.clients, most)
        tell(limit: limit, most: most)
        fflush(nil)
        var groups: [Group] = []
        var left = options.connections
        while left > 0 {
            let count = min(left, most)
            groups.append(try group("clients in C", count, loadedBy: "bench-load", ["soak"]))
            left -= count
        }
        if clients > 0 { groups.append(try group("Belay's", clients, loadedBy: "bench-clients")) }
        print("\(SoakRow.header)")
        var sound = true
        for group in groups {
            let row = SoakRow(name: group.name, figures: try group.load.figures())
            print(row.text)
            fflush(nil)
            sound = sound && row.isSound
        }
        print("  CPU, bytes and RSS: of the endpoint's process; for Belay's own, of theirs")
        return sound
    }

    private func tell(limit: Int, most: Int) {
        print(
            "\(options.connections) connections for \(options.seconds) s, "
                + "a ping each \(options.interval) s")
        guard most < max(options.connections, options.clients) else { return }
        print(
            """
            limit: RLIMIT_NOFILE, descriptors of a process: \(limit) is the most that this system
            allows here, so one process holds at most \(most) connections. More are held by more
            endpoints at the same time, a process each. As root with CAP_SYS_RESOURCE, or with a
            higher hard limit, `ulimit -n` raises it and one process holds them all.
            """)
    }

    private func group(
        _ name: String, _ count: Int, loadedBy program: String, _ mode: [String] = []
    ) throws -> Group {
        let kind = EchoServer.Kind.belay(connections: count + Self.warmUp)
        let server = try EchoServer(kind, core: cores.server)
        let process = program == "bench-load" ? [String(server.processIdentifier)] : []
        let command =
            [tool(program)] + mode + [String(server.port)] + process + [kind.path]
            + [count, options.seconds, options.interval * 1_000].map(String.init)
        return Group(name: name, server: server, load: try LoadRun(command, core: cores.load))
    }
}

/// What the command line asks for.
struct SoakOptions {
    var seconds = 600
    var connections = 100_000
    /// Belay's own connections, beside those.
    var clients = 10_000
    /// From a ping to the next, in seconds.
    var interval = 25

    static let usage = """
        usage: bench soak [--minutes N] [--connections N] [--clients N] [--interval SECONDS]
          --minutes      how long they are held; 10
          --connections  of clients in C; 100000
          --clients      of Belay's own; 10000
          --interval     from a ping to the next; 25
        """

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst().flatMap({ Int($0) }), value >= 0 else {
                throw BenchmarkError("\(name): a number must follow")
            }
            switch name {
            case "--minutes": seconds = max(1, value) * 60
            case "--connections": connections = value
            case "--clients": clients = value
            case "--interval": interval = max(1, value)
            default: throw BenchmarkError("unknown argument \(name)")
            }
        }
    }
}

/// What became of the connections of one process.
private struct SoakRow {
    static let header =
        "  clients          connections     pings   late  missing  lost  "
        + "worst ms  CPU s  µs/ping  bytes/connection  RSS MiB"

    let name: String
    let figures: [String: Double]

    /// Whether every connection and every pong is accounted for.
    var isSound: Bool { figure("lost") == 0 && figure("missing") == 0 }

    var text: String {
        let cpu = figure("cpu_ns") / 1e9
        return "  " + name.padding(toLength: 15, withPad: " ", startingAt: 0)
            + [
                cell(figure("connections"), 13), cell(figure("pings"), 10), cell(figure("late"), 7),
                cell(figure("missing"), 9), cell(figure("lost"), 6),
                cell(figure("worst_ns") / 1e6, 10), cell(cpu, 7, decimals: 1),
                cell(cpu * 1e6 / max(1, figure("pings")), 9, decimals: 1),
                cell(figure("resident_bytes") / max(1, figure("connections")), 18),
                cell(figure("process_bytes") / 1_048_576, 9),
            ].joined()
    }

    private func figure(_ name: String) -> Double { figures[name] ?? 0 }

    private func cell(_ value: Double, _ width: Int, decimals: Int = 0) -> String {
        let text = String(format: "%.\(decimals)f", value)
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
