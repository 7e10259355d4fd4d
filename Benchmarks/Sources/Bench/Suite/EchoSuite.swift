extension Comparison {
    /// What one echoed message costs the process that serves it, by load.
    static func echo(_ scale: Scale) throws -> Comparison {
        let cores = Cores.available()
        let load = LoadGenerator(core: cores.load)
        _ = Descriptors.raiseLimit()
        // All run from the beginning: a server without clients costs nothing.
        let servers = try EchoServer.Kind.all.map { kind in
            kind.isInstalled ? try EchoServer(kind, core: cores.server) : nil
        }
        let divisor = scale.pick(short: 2, full: 1)
        let cases = [
            LoadGenerator.Load(
                connections: 64, payloadBytes: 64, outstanding: 1, messages: 20_000 / divisor),
            LoadGenerator.Load(
                connections: 64, payloadBytes: 64, outstanding: 32, messages: 100_000 / divisor),
            LoadGenerator.Load(
                connections: 64, payloadBytes: 16_384, outstanding: 1, messages: 5_000 / divisor),
            LoadGenerator.Load(
                connections: 1_000, payloadBytes: 64, outstanding: 1, messages: 20_000 / divisor),
            LoadGenerator.Load(
                connections: 1, payloadBytes: 64, outstanding: 1, messages: 5_000 / divisor),
        ].map { work in
            Case(
                name: work.name,
                gauges: [.cost("µs/message", perSecond: 1e6, of: 1)],
                subjects: servers.map { server in
                    server.map { server in { try load.echo(work, from: server) } }
                })
        }
        return Comparison(
            title: "echo: CPU of the server", better: .lower,
            subjects: EchoServer.Kind.all.map(\.name), cases: cases, summary: .geometricMean,
            remarks: ["connections × payload × messages under way"] + absences + [pinning(cores)])
    }

    /// What a connection that says nothing costs in resident memory.
    static func idle(_ scale: Scale) throws -> Comparison {
        let cores = Cores.available()
        let load = LoadGenerator(core: cores.load)
        // With room for the warm-up and what a server has open besides.
        let limit = Descriptors.raiseLimit() - 1_000
        let counts = scale.pick(short: [2_000], full: [2_000, 10_000]).filter { $0 < limit }
        let cases = counts.map { connections in
            Case(
                name: "\(connections) connections",
                gauges: [Gauge(unit: "bytes/connection") { $0 }],
                // A fresh server each time: one that was loaded has memory to spare.
                subjects: EchoServer.Kind.all.map { kind in
                    guard kind.isInstalled else { return nil }
                    return { try load.idle(connections, at: EchoServer(kind, core: cores.server)) }
                })
        }
        return Comparison(
            title: "idle: resident memory of the server", better: .lower,
            subjects: EchoServer.Kind.all.map(\.name), cases: cases, mostRounds: 3,
            remarks: absences)
    }
}

/// A line for each column that stays empty.
private var absences: [String] {
    EchoServer.Kind.all.filter { !$0.isInstalled }.map { kind in
        "\(kind.name): needs \(kind.needs) and \(taskset)"
    }
}

private func pinning(_ cores: Cores) -> String {
    cores.server == cores.load
        ? "server and load share one core" : "server and load have one core each"
}

extension LoadGenerator.Load {
    fileprivate var name: String {
        let size = payloadBytes < 1_024 ? "\(payloadBytes) B" : "\(payloadBytes / 1_024) KiB"
        return "\(connections) × \(size) × \(outstanding)"
    }
}
