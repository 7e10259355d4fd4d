import Belay
import BelayCore
import BelayTesting
import BelayTransport
import Testing

@Suite struct `Sending on a WebSocket connection` {
    @Test func `returns when the bytes have left`() async throws {
        let chat = try Chat()
        chat.open()
        let sending = chat.send("hello")
        #expect(chat.channels[0].sent == [.text("hello")])
        chat.channels[0].report(.sent(1))
        chat.loop.run()
        #expect(await sending.value == nil)
    }

    @Test func `fails before the connection is open`() async throws {
        let chat = try Chat()
        chat.read()
        let sending = chat.send("early")
        #expect(await sending.value?.code == .notOpen)
    }

    @Test func `fails with the cause of its generation, and never moves to the next`() async throws
    {
        let chat = try Chat()
        chat.open()
        let sending = chat.send("lost")
        chat.channels[0].report(.ended(.reset))
        chat.loop.advance(by: 1_000)
        chat.channels[1].report(.opened(subprotocol: nil))
        chat.loop.run()
        #expect(await sending.value?.code == .closed(.reset))
        #expect(chat.channels[1].sent.isEmpty)
    }

    @Test func `is not completed by an old generation's report`() async throws {  // W2
        let chat = try Chat()
        chat.open()
        chat.channels[0].report(.ended(.reset))
        chat.loop.advance(by: 1_000)
        chat.channels[1].report(.opened(subprotocol: nil))
        chat.loop.run()
        let sending = chat.send("new")
        chat.channels[0].report(.sent(1))
        chat.channels[1].report(.ended(.peerVanished))
        chat.loop.run()
        #expect(await sending.value?.code == .closed(.peerVanished))
    }

    @Test func `ends with its task`() async throws {
        let chat = try Chat()
        chat.open()
        let sending = chat.send("slow")
        sending.cancel()
        chat.loop.run()
        #expect(await sending.value?.code == .cancelled)
    }

    @Test func `sends nothing for a task that is cancelled already`() async throws {
        let chat = try Chat()
        chat.open()
        let sending = Task(executorPreference: chat.loop) {
            try await chat.connection.send(.text("no"))
        }
        sending.cancel()
        chat.loop.run()
        await #expect(throws: BelayError.self) { try await sending.value }
        #expect(chat.channels[0].sent.isEmpty)
    }

    @Test(arguments: [ConnectionInput.stop, .background])
    func `is refused in every state but open`(input: ConnectionInput) async throws {
        let chat = try Chat()
        let idle = chat.send("idle")
        chat.read()
        let connecting = chat.send("connecting")
        chat.report(.opened(subprotocol: nil))
        if input == .background { chat.connection.enterBackground() }
        if input == .stop { chat.connection.close() } else { chat.report(.ended(.reset)) }
        chat.loop.run()
        // Closing, or suspended.
        let over = chat.send("over")
        for sending in [idle, connecting, over] {
            #expect(await sending.value?.code == .notOpen)
        }
        #expect(chat.channels[0].sent.isEmpty)
    }

    @Test func `is finished by a report that comes while the connection closes`() async throws {
        let chat = try Chat()
        chat.open()
        let sending = chat.send("last word")
        chat.connection.close()
        chat.report(.sent(1))
        #expect(await sending.value == nil)
    }

    @Test func `tells each caller its own outcome`() async throws {
        let chat = try Chat()
        chat.open()
        let first = chat.send("first")
        let second = chat.send("second")
        let third = chat.send("third")
        #expect(chat.channels[0].sent == [.text("first"), .text("second"), .text("third")])
        second.cancel()
        chat.report(.sent(1), .sent(1), .sent(2), .ended(.reset))
        #expect(await first.value == nil)
        #expect(await second.value?.code == .cancelled)
        #expect(await third.value?.code == .closed(.reset))
    }

    // C16 of the field's reports.
    @Test func `waits for room, also behind callers that gave up, and keeps its order`()
        async throws
    {
        let chat = try Chat(room: 100)
        chat.open()
        let large = chat.send(String(repeating: "x", count: 1_000))
        large.cancel()
        chat.loop.run()
        #expect(await large.value?.code == .cancelled)
        let waiting = ["one", "two", "three"].map { chat.send($0) }
        #expect(chat.channels[0].sent.count == 1)
        chat.report(.sent(1))
        #expect(chat.channels[0].sent.dropFirst() == [.text("one"), .text("two"), .text("three")])
        chat.report(.sent(2), .sent(3), .sent(4))
        for sending in waiting { #expect(await sending.value == nil) }
    }

    @Test func `lets no short message overtake a long one that waits`() async throws {
        let chat = try Chat(room: 100)
        chat.open()
        _ = chat.send(String(repeating: "a", count: 60))
        let long = chat.send(String(repeating: "b", count: 60))
        let short = chat.send("c")
        #expect(chat.channels[0].sent.count == 1)
        chat.report(.sent(1))
        chat.report(.sent(2), .sent(3))
        #expect(chat.channels[0].sent.map(\.byteCount) == [60, 60, 1])
        #expect(await long.value == nil)
        #expect(await short.value == nil)
    }

    @Test func `fails while it waits with the cause of its generation, and never moves on`()
        async throws
    {
        let chat = try Chat(room: 100)
        chat.open()
        let leaving = chat.send(String(repeating: "x", count: 1_000))
        let waiting = chat.send("waits")
        chat.report(.ended(.reset))
        chat.waitOut()
        chat.report(.opened(subprotocol: nil))
        #expect(await leaving.value?.code == .closed(.reset))
        #expect(await waiting.value?.code == .closed(.reset))
        #expect(chat.channels[1].sent.isEmpty)
    }

    @Test func `sends nothing that waits once the connection closes`() async throws {
        let chat = try Chat(room: 100)
        chat.open()
        let leaving = chat.send(String(repeating: "x", count: 1_000))
        let waiting = chat.send("waits")
        chat.connection.close()
        chat.report(.sent(1))
        #expect(chat.channels[0].sent.count == 1)
        chat.report(.ended(.closedLocally))
        #expect(await leaving.value == nil)
        #expect(await waiting.value?.code == .closed(.closedLocally))
    }

    @Test func `skips whoever gave up while it waited`() async throws {
        let chat = try Chat(room: 100)
        chat.open()
        _ = chat.send(String(repeating: "x", count: 1_000))
        let waiting = ["one", "two", "three"].map { chat.send($0) }
        // There is room before the cancelled one was let go of.
        waiting[1].cancel()
        chat.report(.sent(1))
        #expect(await waiting[1].value?.code == .cancelled)
        #expect(chat.channels[0].sent.dropFirst() == [.text("one"), .text("three")])
    }

    @Test func `that waits and is cancelled gives its place at once to the one behind it`()
        async throws
    {
        let chat = try Chat(room: 100)
        chat.open()
        _ = chat.send(String(repeating: "a", count: 60))
        let long = chat.send(String(repeating: "b", count: 60))
        let short = chat.send("c")
        #expect(chat.channels[0].sent.count == 1)
        long.cancel()
        chat.loop.run()
        #expect(await long.value?.code == .cancelled)
        chat.loop.run()
        // One that did not leave would never be answered.
        try #require(chat.channels[0].sent.map(\.byteCount) == [60, 1])
        chat.report(.sent(2))
        #expect(await short.value == nil)
    }

    // C16 of the field's reports.
    @Test func `is refused where too many wait, which callers that gave up do not`() async throws {
        let chat = try Chat(room: 100, waiting: 2)
        chat.open()
        _ = chat.send(String(repeating: "x", count: 1_000))
        let waiting = (0..<2).map { _ in chat.send("waits") }
        #expect(await chat.send("too many").value?.code == .congested)
        waiting[0].cancel()
        chat.loop.run()
        let accepted = chat.send("in its place")
        chat.report(.sent(1))
        #expect(chat.channels[0].sent.dropFirst() == [.text("waits"), .text("in its place")])
        chat.report(.sent(2), .sent(3))
        #expect(await accepted.value == nil)
    }

    @Test func `counts a header for each message, so that empty ones are bounded too`() async throws
    {
        let chat = try Chat(room: 42, waiting: 0)
        chat.open()
        let sendings = (0..<4).map { _ in chat.send("") }
        #expect(chat.channels[0].sent.count == 3)
        #expect(await sendings[3].value?.code == .congested)
        chat.report(.ended(.reset))
        for sending in sendings.prefix(3) {
            #expect(await sending.value?.code == .closed(.reset))
        }
    }

    @Test func `has room again in the next generation`() async throws {
        let chat = try Chat(room: 20)
        chat.open()
        let lost = chat.send("lost")
        chat.report(.ended(.reset))
        chat.waitOut()
        chat.report(.opened(subprotocol: nil))
        let sending = chat.send("new")
        chat.report(.sent(2))
        #expect(await lost.value?.code == .closed(.reset))
        #expect(await sending.value == nil)
    }

    @Test func `takes text and bytes as they are`() async throws {
        let chat = try Chat()
        chat.open()
        let sending = Task(executorPreference: chat.loop) {
            try await chat.connection.send("text")
            try await chat.connection.send([1, 2])
        }
        chat.loop.run()
        chat.report(.sent(1))
        chat.report(.sent(2))
        try await sending.value
        #expect(chat.channels[0].sent == [.text("text"), .binary([1, 2])])
    }
}

extension Chat {
    /// A chat in which `room` bytes may be leaving, and `waiting` calls may wait behind them.
    fileprivate convenience init(room: Int, waiting: Int = 10) throws {
        var configuration = ConnectionConfiguration()
        configuration.unsentBytes = room
        configuration.waitingSends = waiting
        try self.init(configuration: configuration)
    }
}
