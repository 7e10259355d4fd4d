import Belay
import BelayAcceptance
import Testing

/// One case of a harness: a service, a stream that it was ordered to read, and what it tells.
final class Contract {
    let service: ServiceClient
    let server: StreamServer
    /// The resource of the stream.
    let stream: String
    /// Where the stream comes from.
    let address: String
    private var connections: AsyncStream<StreamConnection>.Iterator
    private var messages: AsyncStream<Told>.Iterator

    private init(
        _ service: ServiceClient, _ server: StreamServer, _ callbacks: CallbackServer,
        stream: String, address: String
    ) {
        (self.service, self.server, self.stream) = (service, server, stream)
        self.address = address
        connections = server.requests.makeAsyncIterator()
        messages = callbacks.messages.makeAsyncIterator()
    }

    /// The next request that the stream's server got.
    func connection() async throws -> StreamConnection {
        try #require(await connections.next(isolation: #isolation))
    }

    /// The next message.
    func told() async throws -> Told {
        try #require(await messages.next(isolation: #isolation))
    }

    /// The next message must be an error; answers it.
    func error() async throws -> String {
        let told = try await told()
        guard case .error(let text) = told else {
            Issue.record("expected an error, got \(told)")
            return ""
        }
        return text
    }

    func command(_ body: String) async throws {
        #expect(try await service.send("POST", stream, body).status == 202)
    }

    func listen(to type: String) async throws {
        try await command("{\"command\": \"listen\", \"listen\": {\"type\": \"\(type)\"}}")
    }

    func restart() async throws {
        try await command("{\"command\": \"restart\"}")
    }

    func delete() async throws {
        #expect(try await service.send("DELETE", stream).status == 204)
    }

    /// Orders a stream from a server with these replies, and ends all of it after `body`.
    static func run(
        _ order: Order = Order(), replies: [Reply] = [.stream], path: String = "/stream",
        callbackStatus: Int = 202, _ body: (Contract) async throws -> Void
    ) async throws {
        let endpoint = ContractEndpoint(over: DefaultTransport.eventStream)
        let server = StreamServer(replies)
        let callbacks = CallbackServer(answering: callbackStatus)
        let service = ServiceClient(base: "http://127.0.0.1:\(try await endpoint.start())")
        var order = order
        order.streamUrl = "http://127.0.0.1:\(try await server.start())\(path)"
        order.callbackUrl = try await callbacks.start()
        let answer = try await service.send("POST", "/", try order.json)
        #expect(answer.status == 201, "\(answer.text)")
        let contract = Contract(
            service, server, callbacks, stream: try #require(answer.location),
            address: order.streamUrl)
        var failure: (any Error)?
        do { try await body(contract) } catch { failure = error }
        await endpoint.stop()
        await server.stop()
        await callbacks.stop()
        if let failure { throw failure }
    }
}
