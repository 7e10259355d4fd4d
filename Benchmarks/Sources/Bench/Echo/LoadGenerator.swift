import Foundation

/// Runs `bench-load` against a server and reads what it printed.
struct LoadGenerator {
    let core: Int

    /// One load of the echo benchmark.
    struct Load {
        let connections: Int
        let payloadBytes: Int
        /// Messages of one connection that are under way at once.
        let outstanding: Int
        /// Ends the run, if `secondsLimit` has not.
        let messages: Int
    }

    /// A run against a slow peer is cut here; what it did until then is counted.
    private static let secondsLimit = 5

    /// CPU seconds of the server for one echoed message.
    func echo(_ load: Load, from server: EchoServer) throws -> Double {
        let numbers = [
            load.connections, load.payloadBytes, load.outstanding, load.messages,
            Self.secondsLimit,
        ]
        let figures = try run(["echo"] + address(of: server) + numbers.map(String.init))
        return try value("cpu_ns", in: figures) / value("messages", in: figures) / 1e9
    }

    /// Bytes of resident memory that one idle connection adds to the server.
    func idle(_ connections: Int, at server: EchoServer) throws -> Double {
        let figures = try run(["idle"] + address(of: server) + [String(connections)])
        return try value("resident_bytes", in: figures) / value("connections", in: figures)
    }

    private func address(of server: EchoServer) -> [String] {
        [String(server.port), String(server.processIdentifier), server.kind.path]
    }

    private func run(_ arguments: [String]) throws -> [String: Double] {
        try LoadRun([tool("bench-load")] + arguments, core: core).figures()
    }

    private func value(_ name: String, in figures: [String: Double]) throws -> Double {
        guard let value = figures[name] else {
            throw BenchmarkError("bench-load printed no \(name)")
        }
        return value
    }
}

/// A program that loads a server and prints what it saw.
struct LoadRun {
    private let command: [String]
    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()

    /// Starts it on `core`.
    init(_ command: [String], core: Int) throws {
        self.command = command
        let pinned = pinned(command, to: core)
        process.executableURL = URL(filePath: pinned[0])
        process.arguments = Array(pinned.dropFirst())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    /// Waits for its end. Names and values, as in `messages 20000 cpu_ns 91234567`.
    func figures() throws -> [String: Double] {
        // Both are a line at most, so neither pipe can fill.
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError(text(of: errors) + " [\(command.joined(separator: " "))]")
        }
        let words = text(of: output).split(separator: " ").map(String.init)
        let pairs = stride(from: 0, to: words.count - 1, by: 2).map { place in
            (words[place], Double(words[place + 1]) ?? 0)
        }
        return Dictionary(pairs, uniquingKeysWith: { $1 })
    }

    private func text(of pipe: Pipe) -> String {
        let data = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
        return String(decoding: data, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
