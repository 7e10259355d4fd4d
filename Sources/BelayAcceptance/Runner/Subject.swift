import Belay
import BelayCore
import BelayFaults
import BelayTransport

/// The client under test, as steps see it: Belay's own, over real transports.
enum Subject: Sendable {
    case webSocket(WebSocketConnection)
    case eventStream(EventSource)

    /// Reads until the end, and answers how it came.
    func read(_ app: ScriptedApp, record: (AppRecord.Event) -> Void) async -> AppRecord.ReadingEnd {
        switch self {
        case .webSocket(let connection):
            for await event in connection.events { record(AppRecord.Event(event)) }
            return Task.isCancelled ? .cancelled : .returned
        case .eventStream(let source):
            do throws(BelayError) {
                switch app.form {
                case .handler: try await source.process { try await app.handle($0) }
                case .deliveries: try await Self.settle(source.deliveries, by: app)
                }
                return .returned
            } catch {
                return AppRecord.ReadingEnd(error)
            }
        }
    }

    private static func settle(
        _ deliveries: EventSource.Deliveries, by app: ScriptedApp
    ) async throws(BelayError) {
        for try await delivery in deliveries {
            do {
                try await app.handle(delivery.event)
            } catch is SkipEvent {
                try await delivery.skip()
                continue
            } catch {
                delivery.fail(error)
                continue
            }
            try await delivery.commit()
        }
    }

    /// Whether a message's bytes left. An event stream sends none.
    func send(_ text: String) async -> Bool {
        guard case .webSocket(let connection) = self else { return false }
        do throws(BelayError) {
            try await connection.send(.text(text))
            return true
        } catch {
            return false  // Which error is in the connection's own records.
        }
    }

    func perform(_ wish: Wish) {
        switch (self, wish) {
        case (.webSocket(let connection), .close): connection.close()
        case (.webSocket(let connection), .reconnect): connection.reconnect()
        case (.webSocket(let connection), .retry): connection.retryNow()
        case (.eventStream(let source), .close): source.close()
        case (.eventStream(let source), .reconnect): source.reconnect()
        case (.eventStream(let source), .retry): source.retryNow()
        }
    }

    /// What an app asks of its connection.
    enum Wish: Sendable {
        case close, reconnect, retry
    }

    func inform(by path: NetworkPath) {
        switch self {
        case .webSocket(let connection): path.inform(connection)
        case .eventStream(let source): path.inform(source)
        }
    }

    var outcome: RequestOutcome {
        switch self {
        case .webSocket(let connection): connection.outcome
        case .eventStream(let source): source.outcome
        }
    }

    /// Returns when nothing is under way any more, or when cancelled.
    func waitUntilStopped() async {
        let statuses =
            switch self {
            case .webSocket(let connection): connection.statuses
            case .eventStream(let source): source.statuses
            }
        for await status in statuses {
            switch status {
            case .idle, .stopped: return
            case .connecting, .open, .closing, .waiting, .awaitingSnapshot, .suspended: continue
            }
        }
    }
}

extension AppRecord.Event {
    fileprivate init(_ event: WebSocketEvent) {
        switch event {
        case .opened(let id, _): self = .opened(id)
        case .message(let message, let id): self = .message(id, byteCount: message.byteCount)
        case .closed(let end): self = .closed(end.generation, end.cause)
        }
    }
}

extension AppRecord.ReadingEnd {
    fileprivate init(_ error: BelayError) {
        switch error.code {
        case .closed(let cause): self = .closed(cause)
        case .handlerGaveUp: self = .handlerGaveUp
        case .cancelled: self = .cancelled
        case .alreadyReading: self = .alreadyReading
        case .notOpen, .congested, .closeCodeNotAllowed:
            preconditionFailure("reading sends nothing: \(error)")
        case .ledgerFailed:
            preconditionFailure("a ledger in memory never fails: \(error)")
        case .cursorCannotBeAskedFor:
            preconditionFailure("no scenario gives such a cursor: \(error)")
        case .deliveryOver:
            preconditionFailure("nobody keeps a delivery: \(error)")
        }
    }
}
