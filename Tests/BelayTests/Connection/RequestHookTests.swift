import BelayCore
import BelayTesting
import BelayTransport
import Synchronization
import Testing

@testable import Belay

/// What a hook was asked, and the tokens it answers with when the test says so.
private final class Tokens: Sendable {
    struct Refused: Error {}

    private let asked = Mutex<[RequestAttempt]>([])
    private let answers = Mutex<[Answer<String?>]>([])
    private let failed = Mutex(0)

    /// How often no token came: for a failure, or for a cancelled question.
    var failures: Int { failed.withLock { $0 } }

    var attempts: [RequestAttempt] { asked.withLock { $0 } }

    func field(for attempt: RequestAttempt) async throws -> RequestField {
        let answer = Answer<String?>()
        asked.withLock { $0.append(attempt) }
        answers.withLock { $0.append(answer) }
        guard let token = await answer.value(ifCancelled: nil) else {
            failed.withLock { $0 += 1 }
            throw Refused()
        }
        return try RequestField("Authorization", token)
    }

    /// Answers the newest question, or the one at `index`; `nil` fails it.
    func answer(_ token: String?, at index: Int? = nil) {
        let answers = answers.withLock { $0 }
        answers[index ?? answers.count - 1].give(token)
    }
}

@Suite struct `A request hook` {
    let g1 = Generation(1)
    let g2 = Generation(2)
    private let tokens = Tokens()

    private func chat(_ configuration: ConnectionConfiguration = .init()) throws -> Chat {
        let loop = ManualLoop()
        let hook = RequestHook<WebSocketRequest>(on: loop) { [tokens] request, attempt in
            var request = request
            request.fields.append(try await tokens.field(for: attempt))
            return request
        }
        return try Chat(loop: loop, configuration: configuration, requestHook: hook)
    }

    private func refused(_ status: UInt16) -> CloseCause { .handshakeRefused(status: status) }

    @Test func `completes the request of every attempt anew`() throws {
        let chat = try chat()
        chat.read()
        #expect(chat.channels.isEmpty)
        #expect(chat.connection.status == .connecting(g1))
        tokens.answer("one")
        chat.loop.run()
        #expect(chat.channels[0].request.fields.map(\.value) == ["one"])
        chat.report(.opened(subprotocol: nil), .ended(.reset))
        chat.waitOut()
        tokens.answer("two")
        chat.loop.run()
        #expect(chat.channels[1].request.fields.map(\.value) == ["two"])
        #expect(
            tokens.attempts == [
                RequestAttempt(generation: g1, previous: nil),
                RequestAttempt(generation: g2, previous: .reset),
            ])
    }

    @Test func `that fails ends its attempt, and is asked again`() throws {
        let chat = try chat()
        chat.read()
        tokens.answer(nil)
        chat.loop.run()
        #expect(chat.events == [.closed(g1, .requestFailed)])
        #expect(chat.channels.isEmpty)
        chat.waitOut()
        #expect(tokens.attempts.count == 2)
    }

    // W1, W2
    @Test func `has until the attempt's end, and is not heard after it`() throws {
        let chat = try chat()
        chat.read()
        chat.loop.advance(by: 10_000)
        #expect(chat.events == [.closed(g1, .openTimedOut)])
        chat.waitOut()
        #expect(tokens.attempts.count == 2)
        #expect(chat.channels.isEmpty)
        tokens.answer("two")
        chat.loop.run()
        #expect(chat.channels.map(\.generation) == [g2])
    }

    // W2: a hook that does not mind being cancelled.
    @Test func `of an attempt that was replaced opens nothing`() throws {
        let loop = ManualLoop()
        let late = Latest<[Answer<Void>]>([])
        let hook = RequestHook<WebSocketRequest>(on: loop) { request, _ in
            let answer = Answer<Void>()
            late.publish(late.value + [answer])
            await answer.value()
            return request
        }
        let chat = try Chat(loop: loop, requestHook: hook)
        chat.read()
        chat.connection.reconnect()
        chat.loop.run()
        late.value[0].give(())
        chat.loop.run()
        #expect(chat.channels.isEmpty)
        let stale = chat.records.connection.last
        #expect(stale?.input == .prepared(g1) && stale?.verdict == .stale)
        late.value[1].give(())
        chat.loop.run()
        #expect(chat.channels.map(\.generation) == [g2])
    }

    @Test func `is cancelled by a close, and nothing is sent`() throws {
        let chat = try chat()
        chat.read()
        chat.connection.close()
        chat.loop.run()
        #expect(chat.events == [.closed(g1, .closedLocally)])
        #expect(tokens.failures == 1)
        #expect(chat.channels.isEmpty)
        #expect(chat.loop.armedTimers == 0)
    }

    @Test func `is asked once more when its credentials are refused, and then no more`() throws {
        let chat = try chat()
        chat.read()
        tokens.answer("old")
        chat.loop.run()
        chat.report(.ended(refused(401)))
        chat.waitOut()
        #expect(tokens.attempts.last?.previous == refused(401))
        tokens.answer("new")
        chat.loop.run()
        chat.report(.ended(refused(401)))
        #expect(chat.connection.status == .stopped(refused(401)))
    }

    @Test func `completes an event stream's request, but for its cursor`() async throws {
        let loop = ManualLoop()
        let transport = ScriptedEventStreamTransport(domain: loop)
        let source = EventSource(
            url: try ConnectionURL("http://127.0.0.1/events"),
            ledger: MemoryLedger(lastEventID: "7"),
            requestHook: RequestHook(on: loop) { [tokens] request, attempt in
                var request = request
                request.lastEventID = "hook"
                request.fields.append(try await tokens.field(for: attempt))
                return request
            },
            transport: transport)
        let processing = Task(executorPreference: loop) { try? await source.process { _ in } }
        loop.run()
        tokens.answer("one")
        loop.run()
        #expect(transport.channels[0].request.fields.map(\.value) == ["one"])
        #expect(transport.channels[0].request.lastEventID == "7")
        source.close()
        loop.run()
        await processing.value
    }
}
