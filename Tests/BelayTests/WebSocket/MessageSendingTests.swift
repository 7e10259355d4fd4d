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
    @Test func `is refused while too much waits to leave, also of callers that gave up`()
        async throws
    {
        var configuration = ConnectionConfiguration()
        configuration.unsentBytes = 100
        let chat = try Chat(configuration: configuration)
        chat.open()
        let large = chat.send(String(repeating: "x", count: 1_000))
        #expect(chat.channels[0].sent.count == 1)
        large.cancel()
        chat.loop.run()
        #expect(await large.value?.code == .cancelled)
        let refused = chat.send("more")
        #expect(await refused.value?.code == .congested)
        chat.report(.sent(1))
        let accepted = chat.send("more")
        #expect(chat.channels[0].sent.count == 2)
        chat.report(.sent(2))
        #expect(await accepted.value == nil)
    }

    @Test func `counts a header for each message, so that empty ones are bounded too`() async throws
    {
        var configuration = ConnectionConfiguration()
        configuration.unsentBytes = 42
        let chat = try Chat(configuration: configuration)
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
        var configuration = ConnectionConfiguration()
        configuration.unsentBytes = 20
        let chat = try Chat(configuration: configuration)
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
