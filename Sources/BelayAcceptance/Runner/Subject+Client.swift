import Belay
import BelayCore
import BelayFaults
import BelayTransport

// How a scenario's data becomes a client.
extension Subject {
    init(
        _ client: ScenarioClient, port: UInt16, transports: AcceptanceTransports,
        ledger: MemoryLedger, seed: UInt64, evidence: @escaping @Sendable (EvidenceRecord) -> Void
    ) throws {
        let fields = try client.fields.map { try RequestField($0.name, $0.value) }
        let generator = SeededGenerator(seed: seed)
        switch client.kind {
        case .webSocket(let interval, let timeout):
            self = .webSocket(
                WebSocketConnection(
                    url: try client.url("ws", port: port),
                    heartbeat: .every(.milliseconds(interval), timeout: .milliseconds(timeout)),
                    configuration: client.numbers.configuration,
                    fields: fields,
                    transport: transports.webSocket,
                    generator: generator,
                    evidence: evidence))
        case .eventStream(let script):
            self = .eventStream(
                EventSource(
                    url: try client.url("http", port: port),
                    ledger: ledger,
                    configuration: client.numbers.configuration,
                    fields: fields,
                    snapshotHook: try script.snapshotHook,
                    transport: transports.eventStream,
                    generator: generator,
                    evidence: evidence))
        }
    }
}

extension ScenarioClient {
    /// The address. At port 1 nobody listens; a port that was free before may be taken by now.
    fileprivate func url(_ scheme: String, port: UInt16) throws -> ConnectionURL {
        switch destination {
        case .endpoint(let target): try ConnectionURL("\(scheme)://127.0.0.1:\(port)\(target)")
        case .nobody: try ConnectionURL("\(scheme)://127.0.0.1:1/")
        }
    }

    /// The handler; one that never fails for a WebSocket, which has none.
    var handler: HandlerScript {
        switch kind {
        case .webSocket: HandlerScript()
        case .eventStream(let script): script
        }
    }

    /// A ledger as an earlier run left it.
    var ledger: MemoryLedger {
        let script = handler
        let waits = BackoffPolicy(
            floor: script.wait.lowerBound, base: script.wait.upperBound,
            cap: script.wait.upperBound)
        return MemoryLedger(
            lastEventID: script.storedCursor,
            policy: ResumePolicy(attemptLimit: script.attemptLimit, backoff: waits))
    }
}

extension HandlerScript {
    fileprivate var snapshotHook: SnapshotHook? {
        get throws {
            guard let snapshot else { return nil }
            return SnapshotHook(on: .status(410), .field(try RequestField("X-Cursor", "gone"))) {
                _ in .from(EventID(snapshot))
            }
        }
    }
}

extension ScenarioClient.Numbers {
    fileprivate var configuration: ConnectionConfiguration {
        var configuration = ConnectionConfiguration()
        configuration.openTimeout = .milliseconds(openTimeout)
        configuration.closeTimeout = .milliseconds(closeTimeout)
        configuration.idleTimeout = idleTimeout.map { .after(.milliseconds($0)) } ?? .none
        configuration.probeTimeout = .milliseconds(probeTimeout)
        configuration.shortestWait = .milliseconds(wait.lowerBound)
        configuration.firstWait = .milliseconds(wait.upperBound)
        configuration.longestWait = .milliseconds(longestWait)
        configuration.restartWait =
            .milliseconds(wait.lowerBound) ... .milliseconds(max(wait.lowerBound, longestWait))
        configuration.attemptLimit = attemptLimit
        configuration.delivery = DeliveryLimit(elements: queuedElements)
        return configuration
    }
}
