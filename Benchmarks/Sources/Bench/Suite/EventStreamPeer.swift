import Foundation

/// A parser of another language, which reads a file in a process of its own.
struct EventStreamPeer {
    let name: String
    /// Prints the number of events and the CPU seconds of a second pass; the first warms it up.
    let command: [String]
    /// Whether a long line costs it the same a byte; if not, one of 64 MiB takes it minutes.
    var isLinear = true

    /// Those that are there and new enough.
    static let installed = all.filter(\.works)

    /// What to say of the others.
    static let absences = all.filter { peer in
        !installed.contains { $0.name == peer.name }
    }.map { "\($0.name) is not there, or too old: Scripts/setup bench" }

    private static let all = [
        EventStreamPeer(
            name: "eventsource-parser",
            command: node("parse-eventsource-parser.js") + [eventSourceParser]),
        EventStreamPeer(name: "undici", command: node("parse-undici.js"), isLinear: false),
        EventStreamPeer(name: "httpx-sse", command: [python, "Peers/parse-httpx-sse.py"]),
    ]

    private static func node(_ script: String) -> [String] {
        ["/usr/bin/env", "node", "Peers/\(script)"]
    }

    private static let environment = ProcessInfo.processInfo.environment
    private static let python = environment["BELAY_BENCH_PYTHON"] ?? "python3"
    private static let eventSourceParser = environment["BELAY_BENCH_EVENTSOURCE_PARSER"] ?? ""

    /// Whether it reads a stream of one event.
    private var works: Bool {
        do {
            let file = try EventStreamFile(Array("data: x\n\n".utf8))
            _ = try parse(file, by: 4, expecting: 1)
            return true
        } catch {
            return false  // Said below the table.
        }
    }

    func parse(_ file: EventStreamFile, by chunk: Int, expecting events: Int) throws -> Double {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst()) + [file.path, "\(chunk)"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let words = String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 2, Int(words[0]) == events, let seconds = Double(words[1]) else {
            throw BenchmarkError("\(name): \(words) for \(events) events")
        }
        return seconds
    }
}

/// A stream as a file, for as long as somebody holds it.
final class EventStreamFile: Sendable {
    let path: String

    init(_ bytes: [UInt8]) throws {
        let place = FileManager.default.temporaryDirectory.appending(
            path: "belay-\(UUID().uuidString).events")
        try Data(bytes).write(to: place)
        path = place.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)  // The system clears what stays.
    }
}
