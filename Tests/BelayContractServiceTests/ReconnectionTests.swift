import Testing

/// How the client comes back, and where it goes on.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `A stream behind the service protocol` {
    @Test func `is restarted by the caller, which is no error`() async throws {
        try await Contract.run { contract in
            await (try await contract.connection()).send("data: Hello\n\n")
            #expect(try await contract.told() == .event("Hello"))
            try await contract.restart()
            await (try await contract.connection()).send("data: Thanks\n\n")
            #expect(try await contract.told() == .event("Thanks"))
        }
    }

    @Test func `goes on behind the last event`() async throws {
        try await Contract.run { contract in
            let first = try await contract.connection()
            #expect(first.request["Last-Event-ID"] == nil)
            await first.send("id: abc\ndata: Hello\n\n")
            #expect(try await contract.told() == .event("Hello", id: "abc"))
            await first.cut()
            #expect(try await contract.connection().request["Last-Event-ID"] == "abc")
        }
    }

    @Test func `goes on behind the last event that had an id`() async throws {
        try await Contract.run { contract in
            let first = try await contract.connection()
            await first.send("id: abc\ndata: Hello\n\n")
            await first.send("data: World\n\n")
            #expect(try await contract.told() == .event("Hello", id: "abc"))
            #expect(try await contract.told() == .event("World", id: "abc"))
            await first.cut()
            #expect(try await contract.connection().request["Last-Event-ID"] == "abc")
        }
    }

    @Test func `says no id once an empty one cleared it`() async throws {
        try await Contract.run { contract in
            let first = try await contract.connection()
            await first.send("id: abc\ndata: Hello\n\n")
            await first.send("id: \ndata: World\n\n")
            #expect(try await contract.told() == .event("Hello", id: "abc"))
            #expect(try await contract.told() == .event("World"))
            await first.cut()
            #expect(try await contract.connection().request["Last-Event-ID"] == nil)
        }
    }

    @Test func `sends its content again`() async throws {
        try await Contract.run(.asking("POST")) { contract in
            for _ in 1...3 {
                let connection = try await contract.connection()
                #expect(connection.request.method == "POST")
                #expect(connection.request.content == Order.content)
                await connection.cut()
            }
        }
    }

    @Test func `ends by silence, which is an error, and begins anew`() async throws {
        var order = Order()
        order.readTimeoutMs = 100
        try await Contract.run(order) { contract in
            await (try await contract.connection()).send("data: Hello\n\n")
            #expect(try await contract.told() == .event("Hello"))
            #expect(try await contract.error() == "idleTimedOut")
            _ = try await contract.connection()
        }
    }

    @Test func `drops half an event, and its id, with its connection`() async throws {
        try await Contract.run { contract in
            let first = try await contract.connection()
            await first.send("id: abc\ndata: Hello\n\nid: def\ndata: Goodbye")
            await first.cut()
            #expect(try await contract.told() == .event("Hello", id: "abc"))
            #expect(try await contract.error() == "truncated")
            let second = try await contract.connection()
            #expect(second.request["Last-Event-ID"] == "abc")
            await second.send("data: We meet again\n\n")
            #expect(try await contract.told() == .event("We meet again", id: "abc"))
        }
    }

    @Test func `works after it was broken`() async throws {
        try await Contract.run { contract in
            let first = try await contract.connection()
            await first.send("id: abc\ndata: Hello\n\n")
            #expect(try await contract.told() == .event("Hello", id: "abc"))
            await first.cut()
            #expect(try await contract.error() == "truncated")
            await (try await contract.connection()).send("id: def\ndata: World\n\n")
            #expect(try await contract.told() == .event("World", id: "def"))
        }
    }

    // What the public harness does not cover.

    @Test func `says how each connection ended`() async throws {
        try await Contract.run { contract in
            await (try await contract.connection()).finish()
            #expect(try await contract.error() == "peerFinished")
            await (try await contract.connection()).cut()
            #expect(try await contract.error() == "truncated")
            await (try await contract.connection()).reset()
            #expect(try await contract.error() == "reset")
        }
    }

    @Test func `keeps nothing of what was not UTF-8 for the next connection`() async throws {
        try await Contract.run { contract in
            let first = try await contract.connection()
            await first.send(Array("data: a".utf8) + [0xE2, 0x82])
            await first.cut()
            #expect(try await contract.error() == "truncated")
            await (try await contract.connection()).send("data: b\n\n")
            #expect(try await contract.told() == .event("b"))
        }
    }

    @Test func `is told once of an event that comes again`() async throws {
        try await Contract.run { contract in
            let first = try await contract.connection()
            await first.send("id: 1\ndata: a\n\nid: 2\ndata: b\n\n")
            #expect(try await contract.told() == .event("a", id: "1"))
            #expect(try await contract.told() == .event("b", id: "2"))
            await first.cut()
            #expect(try await contract.error() == "truncated")
            await (try await contract.connection()).send(
                "id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\ndata: c\n\n")
            #expect(try await contract.told() == .event("c", id: "3"))
        }
    }

    // Its wait is an hour, unless the server names another.
    @Test(arguments: ["retry: 1\n", "retry:1\n\n", "data: a\nretry: 01\n\n"])
    func `waits as retry says, from its line on`(text: String) async throws {
        var order = Order()
        order.initialDelayMs = 3_600_000
        try await Contract.run(order) { contract in
            let first = try await contract.connection()
            await first.send(text)
            await first.cut()
            _ = try await contract.connection()
        }
    }

    // Its wait is a millisecond, unless it takes the number for an hour.
    @Test(arguments: [
        "retry: 3600000x\n", "retry: +3600000\n", "retry: 3.6e6\n", "retry: -1\n", "retry\n",
        "retry:  3600000\n", "retry: \u{0663}\u{0666}\u{0660}\u{0660}\u{0660}\u{0660}\u{0660}\n",
    ])
    func `does not wait as a retry says that is no number`(text: String) async throws {
        try await Contract.run { contract in
            let first = try await contract.connection()
            await first.send(text)
            await first.cut()
            _ = try await contract.connection()
        }
    }

    @Test(arguments: [Reply.silence, .stream])
    func `tells nothing more once it is deleted, and lets its connection go`(
        reply: Reply
    ) async throws {
        try await Contract.run(replies: [reply]) { contract in
            let first = try await contract.connection()
            try await contract.delete()
            while !(await first.isEnded) { await Task.yield() }
            try await contract.isOver(after: 1)
        }
    }

    @Test func `does not come back once it is deleted while it waits`() async throws {
        let wait = Reply.status(503, "Retry-After: 2")
        try await Contract.run(replies: [wait, wait, .stream]) { contract in
            _ = try await contract.connection()
            #expect(try await contract.error() == "handshakeRefused 503")
            try await contract.delete()
            // Another one that waits as long is back later than the deleted one would be.
            let callbacks = CallbackServer()
            var order = Order()
            order.streamUrl = contract.address
            order.callbackUrl = try await callbacks.start()
            order.headers = ["other": "yes"]
            #expect(try await contract.service.send("POST", "/", try order.json).status == 201)
            for _ in 1...2 {
                let request = try await contract.connection().request
                #expect(request["other"] == "yes")
            }
            #expect(await contract.server.count == 3)
            await callbacks.stop()
        }
    }

    @Test func `ends where nobody takes what it tells`() async throws {
        try await Contract.run(callbackStatus: 404) { contract in
            let first = try await contract.connection()
            await first.send("data: a\n\n")
            #expect(try await contract.told() == .event("a"))
            while !(await first.isEnded) { await Task.yield() }
            try await contract.isOver(after: 1)
        }
    }
}
