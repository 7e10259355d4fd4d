import Belay
import BelayCore
import BelayTesting
import BelayTransport
import Synchronization
import Testing

/// What a stream tells besides its events.
@Suite struct `Asides of an event stream` {
    /// All that is told, in order: events as their data.
    private final class Row: Sendable {
        enum Item: Hashable {
            case event(String)
            case comment(String)
            case closed(CloseCause)
        }

        private let told = Mutex<[Item]>([])
        var items: [Item] { told.withLock { $0 } }

        func add(_ item: Item) { told.withLock { $0.append(item) } }

        func add(_ aside: EventStreamAside) {
            switch aside {
            case .comment(let text, _): add(.comment(text))
            case .closed(let end): add(.closed(end.cause))
            }
        }
    }

    private let loop = ManualLoop()
    private let row = Row()

    private func source(
        over transport: ScriptedEventStreamTransport,
        configuration: ConnectionConfiguration = ConnectionConfiguration()
    ) throws -> EventSource {
        EventSource(
            url: try ConnectionURL("http://127.0.0.1/"), configuration: configuration,
            transport: transport, generator: SeededGenerator(seed: 1),
            asides: { [row] in row.add($0) })
    }

    /// Reads in the loop; the handler waits for `gate`, where there is one.
    private func process(_ source: EventSource, gate: Answer<Void>? = nil) {
        _ = Task(executorPreference: loop) { [row] in
            try await source.process { event in
                row.add(.event(event.data))
                await gate?.value()
            }
        }
        loop.run()
    }

    @Test func `come in order with events, also the end`() throws {
        let transport = ScriptedEventStreamTransport(domain: loop)
        let source = try source(over: transport)
        process(source)
        let channel = transport.channels[0]
        channel.report(.opened(subprotocol: nil))
        channel.report(.received(Array(": a\ndata: 1\n\n:\ndata: 2\n: b\n\n:half".utf8)))
        channel.report(.ended(.reset))
        loop.run()
        #expect(
            row.items == [
                .comment(" a"), .event("1"), .comment(""), .comment(" b"), .event("2"),
                .closed(.reset),
            ])
    }

    @Test func `tell the end that no retry mends`() throws {
        let transport = ScriptedEventStreamTransport(domain: loop)
        let source = try source(over: transport)
        process(source)
        transport.channels[0].report(.ended(.wrongContentType))
        loop.run()
        #expect(row.items == [.closed(.wrongContentType)])
    }

    @Test func `fill no memory while the handler waits and the server refuses`() throws {
        var configuration = ConnectionConfiguration()
        configuration.delivery = DeliveryLimit(elements: 2)
        configuration.longestWait = .seconds(1)
        let transport = ScriptedEventStreamTransport(domain: loop)
        let source = try source(over: transport, configuration: configuration)
        let gate = Answer<Void>()
        process(source, gate: gate)
        transport.channels[0].report(.opened(subprotocol: nil))
        transport.channels[0].report(.received(Array("data: 1\n\ndata: 2\n\n:a\n".utf8)))
        transport.channels[0].report(.ended(.reset))
        loop.run()
        for number in 1...20 {
            loop.advance(by: 1_000)
            transport.channels[number].report(.ended(.handshakeRefused(status: 503)))
            loop.run()
        }
        gate.give(())
        loop.run()
        #expect(
            row.items == [
                .event("1"), .event("2"), .comment("a"), .closed(.handshakeRefused(status: 503)),
            ])
    }
}
