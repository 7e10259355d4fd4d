import Testing

/// What the client asks, and what it makes of an answer that is no stream.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `A request behind the service protocol` {
    @Test func `has the standard's method and fields`() async throws {
        try await Contract.run { contract in
            let request = try await contract.connection().request
            #expect(request.method == "GET")
            #expect(request["Accept"] == "text/event-stream")
            #expect(request["Cache-Control"] == "no-cache")
            #expect(request["Last-Event-ID"] == nil)
        }
    }

    @Test func `carries fields of the caller`() async throws {
        var order = Order()
        order.headers = ["header-name-1": "value-1", "header-name-2": "value-2"]
        try await Contract.run(order) { contract in
            let request = try await contract.connection().request
            #expect(request["header-name-1"] == "value-1")
            #expect(request["header-name-2"] == "value-2")
        }
    }

    @Test(arguments: ["POST", "REPORT"])
    func `carries a content`(method: String) async throws {
        try await Contract.run(.asking(method)) { contract in
            let request = try await contract.connection().request
            #expect(request.method == method)
            #expect(request["Content-Type"] == "application/json; charset=utf-8")
            #expect(request.content == Order.content)
        }
    }

    @Test func `says an id of an earlier life`() async throws {
        var order = Order()
        order.lastEventId = "abc"
        try await Contract.run(order) { contract in
            let request = try await contract.connection().request
            #expect(request["Last-Event-ID"] == "abc")
        }
    }

    @Test(arguments: [204, 400, 401, 403, 404, 410, 300, 205])
    func `is not repeated where the status says no`(status: Int) async throws {
        try await Contract.run(replies: [.status(status)]) { contract in
            _ = try await contract.connection()
            // A 204 is what the server wishes, and no error.
            if status != 204 {
                #expect(try await contract.error() == "handshakeRefused \(status)")
            }
            try await contract.isOver(after: 1)
        }
    }

    @Test(arguments: [408, 500, 502, 503, 504])
    func `is repeated where the status says later`(status: Int) async throws {
        try await Contract.run(replies: [.status(status), .stream]) { contract in
            _ = try await contract.connection()
            #expect(try await contract.error() == "handshakeRefused \(status)")
            await (try await contract.connection()).send("data: Hello\n\n")
            #expect(try await contract.told() == .event("Hello"))
        }
    }

    @Test func `is repeated no sooner than Retry-After says`() async throws {
        try await Contract.run(replies: [.status(503, "Retry-After: 1"), .stream]) { contract in
            let first = try await contract.connection()
            let second = try await contract.connection()
            #expect(second.at - first.at >= 1_000)
        }
    }

    @Test(arguments: [
        "text/event-stream", "text/event-stream; charset=utf-8", "TEXT/Event-Stream",
        "text/event-stream;charset=windows-1252",
    ])
    func `is answered by an event stream of any charset, read as UTF-8`(
        type: String
    ) async throws {
        try await Contract.run(replies: [.stream(type: type)]) { contract in
            await (try await contract.connection()).send("data: é\n\n")
            #expect(try await contract.told() == .event("é"))
        }
    }

    @Test(arguments: ["text/html", "text/event-streamx", "application/json", "text/plain"])
    func `is not answered by anything else`(type: String) async throws {
        try await Contract.run(replies: [.stream(type: type)]) { contract in
            _ = try await contract.connection()
            #expect(try await contract.error() == "wrongContentType")
            try await contract.isOver(after: 1)
        }
    }
}

extension Order {
    static let content = "{\"hello\": \"world\"}"

    static func asking(_ method: String) -> Order {
        var order = Order()
        order.method = method
        order.body = content
        order.headers = ["content-type": "application/json; charset=utf-8"]
        return order
    }
}

extension Contract {
    /// No request follows the first `count`: another stream, begun now, is the next that asks.
    func isOver(after count: Int) async throws {
        var order = Order()
        order.streamUrl = address
        order.callbackUrl = "http://127.0.0.1:1/nobody"
        order.headers = ["fence": "yes"]
        #expect(try await service.send("POST", "/", try order.json).status == 201)
        #expect(try await connection().request["fence"] == "yes")
        #expect(await server.count == count + 1)
    }
}
