import BelayCore
import BelayTransport

extension ConnectionDriver where Role == WebSocketRole {
    /// Hands `message` to the open generation; returns when its bytes have left for the system.
    nonisolated func send(_ message: WebSocketMessage) async throws(BelayError) {
        let cancelled = BelayError(.cancelled, generation: .zero)
        guard !Task.isCancelled else { throw cancelled }
        let answer = PendingSends.Caller()
        domain.submit { [self] in
            assumeIsolated { $0.begin(message, for: answer) }
        }
        try await answer.value(ifCancelled: .failure(cancelled)).get()
    }

    private func begin(_ message: WebSocketMessage, for caller: PendingSends.Caller) {
        guard !caller.isGiven else { return }  // Cancelled before its turn came.
        guard let (id, channel) = openChannel else {
            caller.give(.failure(BelayError(.notOpen, generation: generation)))
            return
        }
        guard sends.haveRoom(for: message.byteCount) else {
            caller.give(.failure(BelayError(.congested, generation: id)))
            return
        }
        channel.send(message, number: sends.begin(byteCount: message.byteCount, caller))
    }
}

/// Sends of one generation whose bytes have not left yet: their callers, and how much they hold.
struct PendingSends {
    /// A caller of `send`. One that was cancelled hears nothing; the bytes wait all the same.
    typealias Caller = Answer<Result<Void, BelayError>>

    private struct Pending {
        let byteCount: Int
        let caller: Caller
    }

    /// Bytes that may wait; a message that waits alone may be longer.
    private let limit: Int
    private var pending: [UInt64: Pending] = [:]
    private var weight = 0
    private var newest: UInt64 = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether a message of `byteCount` bytes may wait beside the others.
    func haveRoom(for byteCount: Int) -> Bool {
        pending.isEmpty || weight + Self.weight(byteCount) <= limit
    }

    /// A message waits from now on, under a number greater than all before it.
    mutating func begin(byteCount: Int, _ caller: Caller) -> UInt64 {
        newest += 1
        pending[newest] = Pending(byteCount: byteCount, caller: caller)
        weight += Self.weight(byteCount)
        return newest
    }

    /// How long a message is that waits; `nil` where it does not.
    func byteCount(of number: UInt64) -> Int? {
        pending[number]?.byteCount
    }

    /// Its bytes left.
    mutating func complete(_ number: UInt64) {
        guard let sent = pending.removeValue(forKey: number) else { return }
        weight -= Self.weight(sent.byteCount)
        sent.caller.give(.success(()))
    }

    /// Their generation ended. Callers learn it in the order of their calls.
    mutating func failAll(with error: BelayError) {
        let failed = pending.sorted { $0.key < $1.key }
        pending = [:]
        weight = 0
        for (_, send) in failed { send.caller.give(.failure(error)) }
    }

    /// A message counts its frame header too, or empty ones would count nothing (RFC 6455 §5.2).
    private static func weight(_ byteCount: Int) -> Int { byteCount + 14 }
}
