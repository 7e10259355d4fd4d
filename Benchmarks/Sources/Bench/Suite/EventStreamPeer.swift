import Foundation

/// A parser of another language, which reads a file in a process of its own.
struct EventStreamPeer {
    let name: String
    /// Prints the number of events and the CPU seconds of a second pass; the first warms it up.
    let command: [String]
    /// What must be there; without it the column stays empty.
    let needs: String

    static let all = [
        EventStreamPeer(
            name: "node", command: ["/usr/bin/env", "node", "Peers/parse.js"],
            needs: "/usr/bin/node"),
        EventStreamPeer(
            name: "httpx-sse", command: [python, "Peers/parse.py"], needs: python),
    ]

    private static let python =
        ProcessInfo.processInfo.environment["BELAY_BENCH_PYTHON"] ?? "python3"

    var isInstalled: Bool { FileManager.default.fileExists(atPath: needs) }

    /// Said below the table where the column stays empty.
    var absence: String? { isInstalled ? nil : "\(name): \(needs) is not there" }

    func parse(_ file: EventStreamFile, by chunk: Int, expecting events: Int) throws -> Double {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst()) + [file.path, "\(chunk)"]
        process.standardOutput = output
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
