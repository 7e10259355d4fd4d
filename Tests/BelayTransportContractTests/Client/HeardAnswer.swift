import BelayCore
import BelayTransport

/// What a `RedirectingServer` was asked, and what came of it.
struct HeardAnswer {
    /// The server's event, whole, and the stream's end.
    static let found: [ContractClient<[UInt8]>.Seen] = [
        .opened(subprotocol: nil), .received(Array("data: found\n\n".utf8)), .ended(.peerFinished),
    ]

    let events: [ContractClient<[UInt8]>.Seen]
    let requests: [RedirectingServer.Request]
}

extension EventStreamKind {
    /// Asks a server of its own for `path`, with a cursor and credentials, until the end.
    func ask(
        _ path: String, _ method: RequestMethod = .get, body: [UInt8]? = nil,
        acceptsCompression: Bool = false, lastEventID: String = "41",
        scheme: ConnectionURL.Scheme = .http
    ) async throws -> HeardAnswer {
        let server = RedirectingServer()
        let port = try await server.start()
        let transport = transport
        let client = ContractClient<[UInt8]>(in: transport.domain)
        let address = "\(scheme.rawValue)://127.0.0.1:\(port)\(path)"
        let request = EventStreamRequest(
            url: try ConnectionURL(address), method: method, body: body,
            acceptsCompression: acceptsCompression, lastEventID: lastEventID,
            fields: [
                try RequestField("Authorization", "Bearer secret"),
                try RequestField("Content-Type", "application/json"),
            ])
        await client.open { transport.open(request, sink: $0) }
        try await client.wait { $0.last?.cause != nil }
        let answer = HeardAnswer(events: await client.events, requests: await server.requests)
        await server.stop()
        return answer
    }
}
