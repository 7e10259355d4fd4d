import BelayCore
import BelayTransport

extension ConnectionDriver where Role == WebSocketRole {
    /// Hands `message` to the open generation; returns when its bytes have left for the system.
    func send(_ message: WebSocketMessage) async throws(BelayError) {
        guard let (id, channel) = openChannel else {
            throw BelayError(.notOpen, generation: generation)
        }
        guard sends.haveRoom(for: message.byteCount) else {
            throw BelayError(.congested, generation: id)
        }
        let number = sends.nextNumber()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (caller: PendingSends.Caller) in
                guard !Task.isCancelled else {
                    caller.resume(returning: .failure(BelayError(.cancelled, generation: id)))
                    return
                }
                sends.begin(number, byteCount: message.byteCount, caller)
                channel.send(message, number: number)
            }
        } onCancel: {
            domain.submit { [weak self] in
                self?.assumeIsolated {
                    $0.sends.release(number, with: BelayError(.cancelled, generation: id))
                }
            }
        }
        try result.get()
    }
}

/// Sends of one generation whose bytes have not left yet: their callers, and how much they hold.
struct PendingSends {
    /// A caller of `send`; typed, where a throwing continuation is not.
    typealias Caller = CheckedContinuation<Result<Void, BelayError>, Never>

    private struct Pending {
        let byteCount: Int
        /// `nil` once it was cancelled. The bytes wait all the same.
        var caller: Caller?
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

    /// A number greater than all before it.
    mutating func nextNumber() -> UInt64 {
        newest += 1
        return newest
    }

    mutating func begin(_ number: UInt64, byteCount: Int, _ caller: Caller) {
        pending[number] = Pending(byteCount: byteCount, caller: caller)
        weight += Self.weight(byteCount)
    }

    /// How long a message is that waits; `nil` where it does not.
    func byteCount(of number: UInt64) -> Int? {
        pending[number]?.byteCount
    }

    /// Its bytes left. The caller may have been cancelled meanwhile.
    mutating func complete(_ number: UInt64) {
        guard let sent = pending.removeValue(forKey: number) else { return }
        weight -= Self.weight(sent.byteCount)
        sent.caller?.resume(returning: .success(()))
    }

    /// Its caller waits no more; its bytes do.
    mutating func release(_ number: UInt64, with error: BelayError) {
        pending[number]?.caller.take()?.resume(returning: .failure(error))
    }

    /// Their generation ended. Callers learn it in the order of their calls.
    mutating func failAll(with error: BelayError) {
        let failed = pending.sorted { $0.key < $1.key }
        pending = [:]
        weight = 0
        for (_, send) in failed { send.caller?.resume(returning: .failure(error)) }
    }

    /// A message counts its frame header too, or empty ones would count nothing (RFC 6455 §5.2).
    private static func weight(_ byteCount: Int) -> Int { byteCount + 14 }
}
