import BelayFaults
import Foundation
import Testing

@testable import BelayCommand

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct `belay contract-service` {
    @Test func `says where it listens, and quits when it is told`() async throws {
        let listening = Listening()
        let task = Task { await listening.run("contract-service --port 0") }
        while !listening.output.hasSuffix("\n") { await Task.yield() }
        let words = listening.output.split(whereSeparator: \.isWhitespace)
        #expect(words.dropLast() == ["listening", "on"])
        let address = try #require(words.last.flatMap { URL(string: String($0)) })
        var request = URLRequest(url: address)
        request.httpMethod = "DELETE"
        URLSession.shared.dataTask(with: request).resume()
        #expect(await task.value == .passed)
        #expect(listening.talk.isEmpty)
    }

    @Test func `stops when it is interrupted`() async {
        let listening = Listening()
        let task = Task { await listening.run("contract-service --port 0") }
        while listening.output.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value == .passed)
    }

    @Test func `names the port that is taken, and the remedy`() async throws {
        let endpoint = Endpoint()
        let port = try await endpoint.start()
        let listening = Listening()
        #expect(await listening.run("contract-service --port \(port)") == .failed)
        #expect(listening.talk.contains("--port 0"))
        await endpoint.stop()
    }

    @Test func `is not for other machines, unless it is told so`() async {
        let listening = Listening()
        #expect(await listening.run("contract-service --host 0.0.0.0 --port 0") == .usage)
        #expect(listening.talk.contains("--public"))
    }
}
