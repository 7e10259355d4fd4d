import Foundation

/// A program of someone else's that runs as a child process, and the lines that it prints.
///
/// Every program in `Peers` ends when its input does, so that none outlives these tests, however
/// they end.
final class Peer {
    /// It ended, or the test's time was over, before it said what was waited for.
    struct Silence: Error {
        let awaited: String
        let said: [String]
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var bytes: AsyncStream<Data>.Iterator
    private var rest = Data()
    private let ending: AsyncStream<Void>
    private var said: [String] = []

    /// Starts a program; its errors come among its lines, to be seen where something is missed.
    init(_ command: [String]) throws {
        let (bytes, sink) = AsyncStream.makeStream(of: Data.self)
        let (ending, end) = AsyncStream.makeStream(of: Void.self)
        self.bytes = bytes.makeAsyncIterator()
        self.ending = ending
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        process.terminationHandler = { _ in end.finish() }
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            guard data.isEmpty else { return _ = sink.yield(data) }
            handle.readabilityHandler = nil
            sink.finish()
        }
        try process.run()
    }

    /// What follows `word` in the next line that begins with it; other lines are passed over.
    func says(_ word: String) async throws -> String {
        while let line = await nextLine() {
            said.append(line)
            if line == word { return "" }
            if line.hasPrefix(word + " ") { return String(line.dropFirst(word.count + 1)) }
        }
        throw Silence(awaited: word, said: said)
    }

    /// All lines from here to its end.
    func lines() async -> [String] {
        var lines: [String] = []
        while let line = await nextLine() { lines.append(line) }
        return lines
    }

    /// The port that a server told.
    func port() async throws -> UInt16 {
        let text = try await says("port")
        guard let port = UInt16(text) else { throw Silence(awaited: "a port", said: said) }
        return port
    }

    /// Sends a signal to this one process.
    func signal(_ number: Int32) {
        if process.isRunning { kill(process.processIdentifier, number) }
    }

    /// Ends its input, and returns when it ended.
    ///
    /// Also where the test's time is over: it must have let go of what it started itself.
    func end() async {
        try? input.fileHandleForWriting.close()
        signal(SIGCONT)
        // A task of its own is not cancelled with the test's.
        await Task { [ending] in
            for await _ in ending {}
        }.value
    }

    private func nextLine() async -> String? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest = Data(rest[(end + 1)...]) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            guard let more = await bytes.next(isolation: #isolation) else { return nil }
            rest += more
        }
    }
}
