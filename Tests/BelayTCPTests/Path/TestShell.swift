import Foundation
import Testing

/// A shell of a test's own: it takes scripts, and what it started says is read as lines.
///
/// It ends with this object, and so does all that it started in its background. `$folder` is its
/// own, and goes with it.
final class TestShell {
    /// What was said, one line each, oldest first.
    private(set) var lines: [String] = []
    private let process = Process()
    private let input = Pipe()
    private var output: AsyncStream<String>.Iterator
    private var commands = 0

    /// - Parameter wrapper: The command, with arguments, that runs the shell; empty for none.
    init(in wrapper: [String] = []) async throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = wrapper + ["bash"]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        self.output = Self.lines(of: output).makeAsyncIterator()
        try process.run()
        try await run(
            """
            folder=$(mktemp -d)
            trap 'kill -9 $(jobs -p) 2>/dev/null; rm -rf "$folder"' EXIT
            """)
    }

    deinit {
        // The shell ends with its input. Nobody waits for it here: Foundation's wait holds a thread
        // that other tests need, and did not end beside a thousand sockets.
        try? input.fileHandleForWriting.close()
    }

    /// Runs `script` and waits for its end; its last command must succeed.
    func run(_ script: String) async throws {
        commands += 1
        let mark = "done \(commands)"
        let text = "{ \(script)\n} </dev/null; echo \"\(mark) $?\"\n"
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try await wait { $0.contains { $0.hasPrefix(mark) } }
        let code = lines.last { $0.hasPrefix(mark) }?.split(separator: " ").last
        try #require(code == "0", "\(script): \(lines.suffix(5))")
    }

    /// Reads on until `condition` holds of the lines. The test's time limit ends a wait in vain.
    func wait(until condition: ([String]) -> Bool) async throws {
        while !condition(lines) {
            guard let line = await output.next(isolation: #isolation) else {
                throw Ended(lines: lines.suffix(10).map { $0 })
            }
            lines.append(line)
        }
    }

    /// What is said against these commands; nil where they succeed.
    static func refusal(of commands: String, in wrapper: [String] = []) -> String? {
        let all = "all is there"
        let process = Process()
        let talk = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = wrapper + ["bash", "-c", "\(commands) && printf '\(all)'"]
        process.standardOutput = talk
        process.standardError = talk
        guard (try? process.run()) != nil else { return "no env command" }
        // To the end of its words: whoever waits for the process itself may wait for ever.
        let said = String(
            decoding: talk.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return said.hasSuffix(all)
            ? nil : "not allowed or not there: \(said.split(separator: "\n").first ?? "bash")"
    }

    private struct Ended: Error {
        let lines: [String]
    }

    private static func lines(of pipe: Pipe) -> AsyncStream<String> {
        AsyncStream { continuation in
            let rest = LineRest()
            pipe.fileHandleForReading.readabilityHandler = { handle in
                let data = handle.availableData
                for line in rest.append(data) { continuation.yield(line) }
                if data.isEmpty {
                    handle.readabilityHandler = nil
                    continuation.finish()
                }
            }
        }
    }
}
