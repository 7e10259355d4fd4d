import Belay
import BelayAcceptance
import Foundation
import Testing

/// What a harness may ask of the service itself.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `The contract service` {
    private func withService(
        _ body: (ServiceClient, ContractEndpoint) async throws -> Void
    ) async throws {
        let endpoint = ContractEndpoint(over: DefaultTransport.eventStream)
        let port = try await endpoint.start()
        try await body(ServiceClient(base: "http://127.0.0.1:\(port)"), endpoint)
        await endpoint.stop()
    }

    private struct Status: Decodable {
        let name: String
        let clientVersion: String
        let capabilities: [String]
    }

    @Test func `says what it is, and all that it can do`() async throws {
        try await withService { service, _ in
            let answer = try await service.send("GET")
            #expect(answer.status == 200)
            let status = try JSONDecoder().decode(Status.self, from: answer.body)
            #expect(status.name == "belay")
            #expect(status.clientVersion == BelayVersion.current)
            #expect(
                status.capabilities == [
                    "bom", "comments", "event-type-listeners", "headers", "last-event-id",
                    "payload-size-stress-testable", "post", "read-timeout", "report", "restart",
                    "server-directed-shutdown-request",
                ])
        }
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        var method = "POST"
        var path = "/"
        var body: String?
        let status: Int
        let text: String
        var allow: String?

        var testDescription: String { "\(method) \(path) \(body ?? "")" }
    }

    private static let unreadable =
        "the content is no JSON object, or a number in it does not fit"
    private static let from = #""streamUrl": "http://127.0.0.1:1/""#
    private static let to = #""callbackUrl": "http://127.0.0.1:1/""#

    @Test(arguments: [
        Wrong(body: "", status: 400, text: unreadable),
        Wrong(body: "{", status: 400, text: unreadable),
        Wrong(body: "[1]", status: 400, text: unreadable),
        Wrong(body: "{\(to)}", status: 400, text: "streamUrl is missing"),
        Wrong(body: "{\(from)}", status: 400, text: "callbackUrl is missing"),
        Wrong(
            body: #"{"streamUrl": null, \#(to)}"#, status: 400, text: "streamUrl is missing"),
        Wrong(
            body: #"{"streamUrl": 1, \#(to)}"#, status: 400,
            text: "streamUrl has a value of another type"),
        Wrong(
            body: #"{"streamUrl": "/here", \#(to)}"#, status: 400,
            text: "streamUrl: an absolute http address is wanted"),
        Wrong(
            body: #"{"streamUrl": "ws://a/", \#(to)}"#, status: 400,
            text: "streamUrl: an absolute http address is wanted"),
        Wrong(
            body: #"{"callbackUrl": "file:///tmp", \#(from)}"#, status: 400,
            text: "callbackUrl: an absolute http address is wanted"),
        Wrong(
            body: #"{"readTimeoutMs": 0, \#(from), \#(to)}"#, status: 400,
            text: "readTimeoutMs: at least 1 is wanted"),
        Wrong(
            body: #"{"initialDelayMs": -1, \#(from), \#(to)}"#, status: 400,
            text: "initialDelayMs: at least 0 is wanted"),
        Wrong(
            body: #"{"initialDelayMs": 0.5, \#(from), \#(to)}"#, status: 400,
            text: unreadable),
        Wrong(
            body: #"{"method": "HEAD", \#(from), \#(to)}"#, status: 400,
            text: "method: its response can be no stream"),
        Wrong(
            body: #"{"headers": {"a": "b\nc"}, \#(from), \#(to)}"#, status: 400,
            text: "headers: a cannot be sent"),
        Wrong(path: "/streams/1", body: "{}", status: 404, text: "nothing is at /streams/1"),
        Wrong(path: "/streams/", body: "{}", status: 404, text: "nothing is at /streams/"),
        Wrong(path: "/other", body: "{}", status: 404, text: "nothing is at /other"),
        Wrong(method: "DELETE", path: "/streams/7", status: 404, text: "nothing is at /streams/7"),
        Wrong(
            method: "PUT", status: 405, text: "this takes GET, HEAD, POST, DELETE",
            allow: "GET, HEAD, POST, DELETE"),
    ])
    func `refuses what it cannot carry out, and says why`(_ wrong: Wrong) async throws {
        try await withService { service, _ in
            let answer = try await service.send(wrong.method, wrong.path, wrong.body)
            #expect(answer.status == wrong.status)
            #expect(answer.text == wrong.text + "\n")
            #expect(answer.allow == wrong.allow)
        }
    }

    @Test func `refuses a request that is too long to be one of a harness`() async throws {
        try await withService { service, _ in
            let long = String(repeating: " ", count: 70_000)
            let answer = try await service.send("POST", "/", long)
            #expect(answer.status == 413)
        }
    }

    @Test(arguments: [
        (#"{"command": "dance"}"#, 400, "no command dance: known are listen and restart\n"),
        (#"{"command": "listen"}"#, 400, "listen is missing\n"),
        (#"{"command": "listen", "listen": {}}"#, 400, "type is missing\n"),
        (#"{}"#, 400, "command is missing\n"),
    ])
    func `knows the protocol's commands only`(
        body: String, status: Int, text: String
    ) async throws {
        try await Contract.run { contract in
            let answer = try await contract.service.send("POST", contract.stream, body)
            #expect(answer.status == status)
            #expect(answer.text == text)
            #expect(try await contract.service.send("PATCH", contract.stream).status == 405)
        }
    }

    @Test func `knows a stream no more once it is deleted`() async throws {
        try await Contract.run { contract in
            try await contract.delete()
            #expect(try await contract.service.send("DELETE", contract.stream).status == 404)
        }
    }

    @Test func `runs as many streams as it may, and one more when one is deleted`() async throws {
        try await withService { service, _ in
            var order = Order()
            // Nobody is there, and the next attempt is an hour off.
            order.initialDelayMs = 3_600_000
            order.streamUrl = "http://127.0.0.1:1/"
            order.callbackUrl = "http://127.0.0.1:1/"
            let json = try order.json
            var first: String?
            for _ in 0..<1_000 {
                let answer = try await service.send("POST", "/", json)
                first = first ?? answer.location
                guard answer.status == 201 else { return _ = Issue.record("\(answer.text)") }
            }
            #expect(try await service.send("POST", "/", json).status == 503)
            #expect(try await service.send("DELETE", try #require(first)).status == 204)
            #expect(try await service.send("POST", "/", json).status == 201)
        }
    }

    @Test func `quits when it is told, after it said so`() async throws {
        try await withService { service, endpoint in
            async let quit: Void = endpoint.waitUntilQuit()
            let answer = try await service.send("DELETE")
            #expect(answer.status == 204)
            await quit
        }
    }

    @Test func `quits when its task is cancelled`() async throws {
        try await withService { _, endpoint in
            let task = Task { await endpoint.waitUntilQuit() }
            task.cancel()
            await task.value
        }
    }
}
