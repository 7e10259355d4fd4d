import Belay
import BelayCore
import BelayTesting
import BelayTransport
import Synchronization

/// An event source, its scripted transport and its handler, in virtual time on one thread.
final class Feed: Sendable {
    struct Refused: Error {}

    let loop: ManualLoop
    let transport: ScriptedEventStreamTransport
    let source: EventSource
    let records = Records()
    private let handled = Mutex<[String]>([])
    /// How often the handler still fails, and by what.
    private let failures = Mutex<(left: Int, error: any Error)>((0, Refused()))

    init(
        loop: ManualLoop = ManualLoop(),
        ledger: any EventLedger = MemoryLedger(),
        configuration: ConnectionConfiguration = ConnectionConfiguration(),
        method: RequestMethod = .get,
        body: [UInt8]? = nil,
        requestHook: RequestHook<EventStreamRequest>? = nil,
        snapshotHook: SnapshotHook? = nil
    ) throws {
        self.loop = loop
        transport = ScriptedEventStreamTransport(domain: loop)
        source = EventSource(
            EventStreamRequest(
                url: try ConnectionURL("http://127.0.0.1/events"), method: method, body: body),
            ledger: ledger,
            configuration: configuration,
            requestHook: requestHook,
            snapshotHook: snapshotHook,
            transport: transport,
            generator: SeededGenerator(seed: 1),
            evidence: { [records] in records.take($0) })
    }

    var events: [String] { handled.withLock { $0 } }
    var channels: [ScriptedEventStreamTransport.Scripted] { transport.channels }
    var eventRecords: [EventRecord] { records.event }

    func failNext(_ times: Int, with error: any Error = Refused()) {
        failures.withLock { $0 = (times, error) }
    }

    func process() -> Task<BelayError?, Never> {
        let task = Task(executorPreference: loop) { [self] () -> BelayError? in
            do throws(BelayError) {
                try await source.process { event in
                    handled.withLock { $0.append(event.data) }
                    let failure = failures.withLock { failures -> (any Error)? in
                        defer { failures.left = max(0, failures.left - 1) }
                        return failures.left > 0 ? failures.error : nil
                    }
                    if let failure { throw failure }
                }
                return nil
            } catch {
                return error
            }
        }
        loop.run()
        return task
    }

    /// Reads `deliveries`, and gives each to `body`; one that throws leaves the loop.
    func deliver(
        _ body: @escaping @Sendable (EventDelivery) async throws -> Void
    ) -> Task<BelayError?, Never> {
        let task = Task(executorPreference: loop) { [self] () -> BelayError? in
            do {
                for try await delivery in source.deliveries {
                    handled.withLock { $0.append(delivery.event.data) }
                    try await body(delivery)
                }
                return nil
            } catch {
                return error as? BelayError
            }
        }
        loop.run()
        return task
    }

    func open(_ index: Int = 0) {
        channels[index].report(.opened(subprotocol: nil))
        loop.run()
    }

    func receive(_ text: String, on index: Int = 0) {
        channels[index].report(.received(Array(text.utf8)))
        loop.run()
    }

    /// Ends the newest connection and lets the first wait pass.
    func cut(_ cause: CloseCause = .reset) {
        channels[channels.count - 1].report(.ended(cause))
        loop.advance(by: 1_000)
    }
}
