public import BelayCore
public import BelayTransport

/// Takes a snapshot where the server does not know the cursor any more.
///
/// No standard says how a server tells that a `Last-Event-ID` is too old (whatwg/html issue 8297),
/// so you name its signs. Where one comes, that attempt or connection ends, what came before it is
/// handled, and then the hook runs, in the place of an event: it takes the server's whole state
/// into your store, and answers the id that this state stands at. The ledger stores that cursor
/// and forgets the ids before it in one step, and the stream goes on from there, after the usual
/// wait. A crash between your store and the ledger's leaves the old cursor: the snapshot is taken
/// again.
///
/// A hook that throws is asked again when the server has said so again, after ever longer waits.
/// It is cancelled with the task of `process`, and by `close()`; what it answers then is ignored.
///
/// ```swift
/// let hook = SnapshotHook(on: .status(410)) { _ in
///     let orders = try await api.allOrders()
///     try await store.replaceAll(with: orders)
///     return .from(orders.lastEventID)
/// }
/// ```
public struct SnapshotHook: Sendable {
    /// What a server says where the cursor is too old.
    public enum Sign: Hashable, Sendable {
        /// It answers with this status, such as 410 or 412.
        case status(UInt16)
        /// Its response has a field of this name and value, whatever its status.
        case field(RequestField)
        /// An event of this type comes. It is not handed to the handler, nor is what follows it.
        case eventType(String)
    }

    let signs: [Sign]
    private let take: @Sendable (StaleCursor) async throws -> Resumption

    /// A hook.
    ///
    /// - Parameters:
    ///   - signs: What says that the cursor is too old.
    ///   - take: Takes the snapshot, and answers how to go on. It runs within `process`, in a
    ///     child task of its own, never on a transport's loop.
    public init(
        on signs: Sign..., take: @escaping @Sendable (StaleCursor) async throws -> Resumption
    ) {
        self.signs = signs
        self.take = take
    }

    var fields: [RequestField] {
        signs.compactMap { if case .field(let field) = $0 { field } else { nil } }
    }

    var eventTypes: Set<String> {
        Set(signs.compactMap { if case .eventType(let type) = $0 { type } else { nil } })
    }

    /// The advice that the signs by status are.
    var statuses: [UInt16: ReconnectAdvice] {
        signs.reduce(into: [:]) { if case .status(let status) = $1 { $0[status] = .takeSnapshot } }
    }

    /// Asks; `nil` for a hook that threw, or was cancelled since nobody waits for it any more.
    func ask(
        _ stale: StaleCursor, while statuses: LatestValues<ConnectionStatus>
    ) async -> Resumption? {
        await withTaskGroup(of: Resumption?.self) { [take] group in
            // The error is the app's own: evidence must not carry its text (law 8).
            group.addTask { try? await take(stale) }
            group.addTask {
                for await status in statuses {
                    guard status == .awaitingSnapshot(stale.generation) else { break }
                }
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}

/// A cursor that the server does not know any more.
public struct StaleCursor: Hashable, Sendable {
    /// Whose request said it.
    public let generation: Generation
    /// What it said in `Last-Event-ID`: the last processed event's id; `nil` where it said none.
    public let cursor: EventID?
    /// How the server told: `handshakeRefused` with its status, or `cursorTooOld`.
    public let cause: CloseCause
}

/// How a stream goes on after a snapshot.
public enum Resumption: Hashable, Sendable {
    /// From behind the event with this id: all up to it are in the snapshot. `nil` sends none.
    ///
    /// One that no request can say (`EventID.canBeAskedFor`) ends the stream with
    /// `cursorCannotBeAskedFor(.snapshot)`, and is not stored.
    case from(EventID?)
    /// Not at all: `process` throws `.closed` with the cause, and the cursor stays.
    case stop
}
