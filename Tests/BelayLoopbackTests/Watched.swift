import Foundation
import Synchronization

/// A `belay` process of the test's own, its lines as they come, and the signals it is sent.
final class Watched: Sendable {
    struct NotBuilt: Error, CustomStringConvertible {
        let path: String
        var description: String { "there is no \(path): build the package first" }
    }

    private let process: Mutex<Process>
    private let said = Mutex<[String]>([])
    private let lines: AsyncStream<String>
    private let identifier: pid_t

    init(_ arguments: [String]) throws {
        // The product lies beside the bundle that runs these tests.
        let runner = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let program = [Bundle.main.bundleURL, runner]
            .map { $0.appendingPathComponent("belay") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let program else { throw NotBuilt(path: "belay beside \(runner.path)") }

        let process = Process()
        let output = Pipe()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        let rest = Mutex("")
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            guard !data.isEmpty else {
                handle.readabilityHandler = nil
                return continuation.finish()
            }
            let whole = rest.withLock { rest -> [Substring] in
                let text = rest + String(decoding: data, as: UTF8.self)
                var parts = text.split(separator: "\n", omittingEmptySubsequences: false)
                rest = String(parts.removeLast())
                return parts
            }
            for line in whole { continuation.yield(String(line)) }
        }
        try process.run()
        identifier = process.processIdentifier
        self.process = Mutex(process)
    }

    deinit {
        // A stopped process takes no other signal than this one.
        kill(identifier, SIGKILL)
    }

    /// What it has said so far, as far as it was read.
    var all: [String] { said.withLock { $0 } }

    /// Reads on until a line holds all of these words.
    func line(with words: String...) async -> String? {
        await line { line in words.allSatisfy(line.contains) }
    }

    /// Reads on until a line is what `condition` wants.
    func line(where condition: (String) -> Bool) async -> String? {
        for await line in lines {
            said.withLock { $0.append(line) }
            if condition(line) { return line }
        }
        return nil
    }

    func send(_ signal: Int32) {
        kill(identifier, signal)
    }
}
