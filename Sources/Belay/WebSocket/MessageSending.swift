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
        let outcome = await answer.value(ifCancelled: .failure(cancelled))
        if case .failure(cancelled) = outcome {
            domain.submit { [self] in
                assumeIsolated { $0.letGoOfCancelled() }
            }
        }
        try outcome.get()
    }

    /// A message that waited is let go of at once, not when its turn would have come; one behind
    /// it may have room.
    private func letGoOfCancelled() {
        role.sends.removeCancelled()
        sendWaiting()
    }

    private func begin(_ message: WebSocketMessage, for caller: PendingSends.Caller) {
        guard !caller.isGiven else { return }  // Cancelled before its turn came.
        guard let id = openChannel?.generation else {
            caller.give(.failure(BelayError(.notOpen, generation: generation)))
            return
        }
        guard role.sends.append(message, for: caller) else {
            caller.give(.failure(BelayError(.congested, generation: id)))
            return
        }
        sendWaiting()
    }
}

/// Sends of one generation: those that are leaving, and behind them those that wait for room.
///
/// Nothing of a message that waits has been sent, and none moves to another generation.
struct PendingSends {
    /// A caller of `send`. One that was cancelled hears nothing; its bytes that are leaving leave.
    typealias Caller = Answer<Result<Void, BelayError>>

    private struct Leaving {
        let byteCount: Int
        let caller: Caller
    }

    private struct Waiting {
        let message: WebSocketMessage
        let caller: Caller
    }

    /// Bytes that may be leaving; a message that leaves alone may be longer.
    private let byteLimit: Int
    /// Calls that may wait behind them.
    private let waitingLimit: Int
    private var leaving: [UInt64: Leaving] = [:]
    private var weight = 0
    private var newest: UInt64 = 0
    private var waiting: [Waiting] = []

    init(byteLimit: Int, waitingLimit: Int) {
        self.byteLimit = byteLimit
        self.waitingLimit = waitingLimit
    }

    /// Puts a message behind all others; `false` where it cannot leave, and too many wait.
    mutating func append(_ message: WebSocketMessage, for caller: Caller) -> Bool {
        if waiting.count >= waitingLimit { removeCancelled() }
        guard waiting.count < waitingLimit || hasRoom(for: message) else { return false }
        waiting.append(Waiting(message: message, caller: caller))
        return true
    }

    /// Lets go of the messages that wait for callers that gave up.
    mutating func removeCancelled() {
        waiting.removeAll { $0.caller.isGiven }
    }

    /// The next message that has room to leave, under a number greater than all before it.
    mutating func next() -> (payload: WebSocketMessage, number: UInt64)? {
        waiting.removePrefix { $0.caller.isGiven }
        guard let first = waiting.first, hasRoom(for: first.message) else { return nil }
        waiting.removeFirst()
        newest += 1
        let byteCount = first.message.byteCount
        leaving[newest] = Leaving(byteCount: byteCount, caller: first.caller)
        weight += Self.weight(byteCount)
        return (first.message, newest)
    }

    /// How long a message is that is leaving; `nil` where it is not.
    func byteCount(of number: UInt64) -> Int? {
        leaving[number]?.byteCount
    }

    /// Its bytes left.
    mutating func complete(_ number: UInt64) {
        guard let sent = leaving.removeValue(forKey: number) else { return }
        weight -= Self.weight(sent.byteCount)
        sent.caller.give(.success(()))
    }

    /// Their generation ended. Callers learn it in the order of their calls.
    mutating func failAll(with error: BelayError) {
        let failed = leaving.sorted { $0.key < $1.key }.map(\.value.caller) + waiting.map(\.caller)
        leaving = [:]
        waiting = []
        weight = 0
        for caller in failed { caller.give(.failure(error)) }
    }

    private func hasRoom(for message: WebSocketMessage) -> Bool {
        leaving.isEmpty || weight + Self.weight(message.byteCount) <= byteLimit
    }

    /// A message counts its frame header too, or empty ones would count nothing (RFC 6455 §5.2).
    private static func weight(_ byteCount: Int) -> Int { byteCount + 14 }
}

extension Array {
    /// Removes the elements in front of the first that does not match.
    fileprivate mutating func removePrefix(while matches: (Element) -> Bool) {
        removeFirst(firstIndex { !matches($0) } ?? count)
    }
}
