import Belay
import Testing

@testable import BelayCommand

@Suite(.timeLimit(.minutes(5))) struct `belay watch` {
    @Test(arguments: [
        ("watch", "--path"), ("watch --path --towards example.org", "in digits"),
        ("watch --path now", "now"), ("watch ws://a --towards 127.0.0.1", "--path"),
        ("watch ws://a ws://b", "ws://b"), ("watch ftp://a", "is no address"),
        ("watch ws://a --ping 0", "0.001"),
    ])
    func `refuses what it cannot watch`(_ line: String, _ hint: String) async {
        let listening = Listening()
        #expect(await listening.run(line) == .usage)
        #expect(listening.output.isEmpty)
        #expect(listening.talk.contains(hint))
    }

    // P1
    @Test(arguments: ["watch --path", "watch --path --towards 127.0.0.1"])
    func `shows what the system says of a path, until interrupted`(
        _ line: String
    ) async throws {
        let listening = Listening()
        let task = Task { await listening.run(line) }
        try await listening.wait(for: "change 1")
        task.cancel()
        #expect(await task.value == .passed)
        #expect(listening.talk.isEmpty)
        let lines = listening.output.split(separator: "\n")
        let first = try #require(lines.first { $0.contains("change 1") })
        if line.contains("127.0.0.1") { #expect(first.contains(" available,")) }
    }
}
