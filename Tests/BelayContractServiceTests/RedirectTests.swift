import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct `A redirect behind the service protocol` {
    /// The public harness: 301 and 307 without a place to go to must not loop, nor be silent.
    @Test(arguments: [301, 302, 303, 307, 308], ["", "Location: "])
    func `without a place is an error, and ends the stream`(
        status: Int, location: String
    ) async throws {
        let fields = location.isEmpty ? [] : [location]
        let reply = fields.isEmpty ? Reply.status(status) : .status(status, location)
        try await Contract.run(replies: [reply]) { contract in
            _ = try await contract.connection()
            #expect(try await contract.error() == "handshakeRefused \(status)")
            try await contract.isOver(after: 1)
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `is followed within its origin, with all that was asked`(status: Int) async throws {
        var order = Order()
        order.headers = ["authorization": "Bearer secret"]
        order.lastEventId = "abc"
        let replies = [Reply.status(status, "Location: /moved"), .stream]
        try await Contract.run(order, replies: replies) { contract in
            _ = try await contract.connection()
            let second = try await contract.connection()
            #expect(second.request.path == "/moved")
            #expect(second.request["Authorization"] == "Bearer secret")
            #expect(second.request["Last-Event-ID"] == "abc")
            await second.send("data: hello\n\n")
            #expect(try await contract.told() == .event("hello", id: "abc"))
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `to another origin carries no secret`(status: Int) async throws {
        let other = StreamServer([.stream])
        let port = try await other.start()
        var order = Order()
        order.headers = ["authorization": "Bearer secret", "cookie": "a=b"]
        order.lastEventId = "abc"
        let reply = Reply.status(status, "Location: http://127.0.0.1:\(port)/elsewhere")
        try await Contract.run(order, replies: [reply]) { contract in
            _ = try await contract.connection()
            var elsewhere = other.requests.makeAsyncIterator()
            let request = try #require(await elsewhere.next(isolation: #isolation)).request
            #expect(request.path == "/elsewhere")
            for name in ["Authorization", "Cookie", "Last-Event-ID"] {
                #expect(request[name] == nil)
            }
        }
        await other.stop()
    }

    /// Source: RFC 9110 §15.4: 303 asks by GET, 307 and 308 by the same method and content.
    @Test(
        arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func `of a POST keeps the method where its status says so`(
        status: Int, method: String
    ) async throws {
        let replies = [Reply.status(status, "Location: /moved"), .stream]
        try await Contract.run(.asking("POST"), replies: replies) { contract in
            _ = try await contract.connection()
            let request = try await contract.connection().request
            #expect(request.method == method)
            let content = request.content
            #expect(content == (method == "POST" ? Order.content : ""))
        }
    }

    @Test
    func `that leads to itself ends`() async throws {
        try await Contract.run(replies: [.status(302, "Location: /stream")]) { contract in
            _ = try await contract.connection()
            #expect(try await contract.error() == "handshakeRefused 302")
        }
    }
}
