import Belay
import BelayTesting
import BelayTransport
import Synchronization

/// An event source whose app reads in one of two forms, in virtual time on one thread.
final class Reader: Sendable {
    /// How an app takes events.
    enum Form: CaseIterable {
        case process, deliveries
    }

    struct Refused: Error {}

    /// An event as its app saw it.
    struct Handled: Equatable {
        let id: String?
        let lastEventID: String
        let data: String

        init(_ id: String?, _ lastEventID: String, _ data: String) {
            (self.id, self.lastEventID, self.data) = (id, lastEventID, data)
        }
    }

    let loop = ManualLoop()
    let source: EventSource
    private let transport: ScriptedEventStreamTransport
    private let handled = Mutex<[Handled]>([])
    /// Data whose first handling fails, and data that is skipped.
    private let failing: Set<String>
    private let skipped: Set<String>

    init(ledger: any EventLedger, failing: Set<String> = [], skipped: Set<String> = []) throws {
        transport = ScriptedEventStreamTransport(domain: loop)
        source = EventSource(
            url: try ConnectionURL("http://127.0.0.1/events"), ledger: ledger,
            transport: transport, generator: SeededGenerator(seed: 1))
        self.failing = failing
        self.skipped = skipped
    }

    var events: [Handled] { handled.withLock { $0 } }

    /// What each request said.
    var lastEventIDs: [String?] { transport.channels.map(\.request.lastEventID) }

    func read(_ form: Form) -> Task<Void, any Error> {
        let task = Task(executorPreference: loop) { [self] in
            switch form {
            case .process:
                try await source.process { event in
                    if fails(event) { throw Refused() }
                    if skipped.contains(event.data) { throw SkipEvent() }
                }
            case .deliveries:
                for try await delivery in source.deliveries {
                    if fails(delivery.event) {
                        delivery.fail(Refused())
                    } else if skipped.contains(delivery.event.data) {
                        try await delivery.skip()
                    } else {
                        try await delivery.commit()
                    }
                }
            }
        }
        loop.run()
        return task
    }

    private func fails(_ event: ServerSentEvent) -> Bool {
        handled.withLock { handled in
            let isFirst = !handled.contains { $0.data == event.data }
            handled.append(Handled(event.id, event.lastEventID, event.data))
            return isFirst && failing.contains(event.data)
        }
    }

    /// Opens the newest connection, lets it say `text`, cuts it, and waits for the next one.
    func take(_ text: String) {
        let channel = transport.channels[transport.channels.count - 1]
        channel.report(.opened(subprotocol: nil))
        channel.report(.received(Array(text.utf8)))
        loop.advance(by: 2_000)
        channel.report(.ended(.reset))
        loop.advance(by: 2_000)
    }
}
