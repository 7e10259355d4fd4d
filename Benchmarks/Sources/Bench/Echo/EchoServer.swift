import Foundation

/// An echo server in a process of its own, which ends when its standard input does.
final class EchoServer {
    /// How one is started, and what it is called in the tables.
    struct Kind {
        let name: String
        let command: [String]
        /// Where it answers an opening handshake.
        var path = "/"
        /// What must be there; without it the column stays empty.
        let needs: String
    }

    let kind: Kind
    let port: Int
    private let process: Process
    private let input: Pipe

    /// Starts one on `core` and waits for the line with its port.
    init(_ kind: Kind, core: Int) throws {
        self.kind = kind
        process = Process()
        input = Pipe()
        let output = Pipe()
        let command = pinned(kind.command, to: core)
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // It ends with the server, so a server that dies is seen here at once.
        guard let port = Self.firstLine(of: output.fileHandleForReading).flatMap({ Int($0) })
        else {
            process.terminate()
            let command = kind.command.joined(separator: " ")
            throw BenchmarkError("\(kind.name) did not start: \(command)")
        }
        self.port = port
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    /// The process that serves: `taskset` has become it.
    var processIdentifier: Int32 { process.processIdentifier }

    private static func firstLine(of file: FileHandle) -> String? {
        var line = Data()
        while let byte = try? file.read(upToCount: 1), let byte = byte.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }
}

extension EchoServer.Kind {
    /// Belay's endpoint first, then its peers in the order of the columns.
    static let all = [
        belay(),
        EchoServer.Kind(
            name: "uWebSockets", command: [tool("bench-uwebsockets"), uWebSockets],
            needs: uWebSockets),
        EchoServer.Kind(
            name: "node-ws", command: ["/usr/bin/env", "node", "Peers/echo.js"],
            needs: "/usr/share/nodejs/ws"),
        EchoServer.Kind(
            name: "websockets", command: [python, "Peers/echo.py"], needs: python),
        EchoServer.Kind(
            name: "C floor", command: [tool("bench-floor")], needs: tool("bench-floor")),
    ]

    /// The endpoint, for as many connections as it takes by itself, or for so many.
    static func belay(connections: Int? = nil) -> EchoServer.Kind {
        let program = tool("bench-endpoint")
        return EchoServer.Kind(
            name: "belay", command: [program] + (connections.map { ["\($0)"] } ?? []),
            path: "/ws", needs: program)
    }

    /// Whether it can be started here.
    var isInstalled: Bool {
        [needs, taskset].allSatisfy(FileManager.default.fileExists(atPath:))
    }

    private static var python: String {
        ProcessInfo.processInfo.environment["BELAY_BENCH_PYTHON"] ?? "python3"
    }

    /// The library that PyPI's socketify has for 64-bit Intel, and for no other Linux.
    private static var uWebSockets: String {
        ProcessInfo.processInfo.environment["BELAY_BENCH_UWEBSOCKETS"].flatMap {
            $0.isEmpty ? nil : $0
        } ?? "the Linux library of socketify"
    }
}

/// A program that is built beside this one.
func tool(_ name: String) -> String {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name).path
}
