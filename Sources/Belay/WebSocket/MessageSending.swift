import BelayCore
import BelayTransport

/// A WebSocket's driver as its senders see it, whatever its transport.
protocol MessageSending: AnyObject, Sendable {
    func send(_ message: WebSocketMessage) async throws(BelayError)
}

extension ConnectionDriver: MessageSending where Role.Port: WebSocketTransport {
    /// Hands `message` to the open generation; returns when its bytes have left for the system.
    func send(_ message: WebSocketMessage) async throws(BelayError) {
        guard let (id, channel) = openChannel else {
            throw BelayError(.notOpen, generation: generation)
        }
        let number = sends.nextNumber()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: PendingSends.Waiting) in
                guard !Task.isCancelled else {
                    continuation.resume(
                        returning: .failure(BelayError(.cancelled, generation: id)))
                    return
                }
                sends.begin(number, continuation)
                channel.send(message, number: number)
            }
        } onCancel: {
            domain.submit { [weak self] in
                self?.assumeIsolated {
                    $0.sends.fail(number, with: BelayError(.cancelled, generation: id))
                }
            }
        }
        try result.get()
    }
}

/// Sends of one generation whose bytes have not left yet.
struct PendingSends {
    /// A caller of `send`; typed, where a throwing continuation is not.
    typealias Waiting = CheckedContinuation<Result<Void, BelayError>, Never>

    private var waiting: [UInt64: Waiting] = [:]
    private var newest: UInt64 = 0

    /// A number greater than all before it.
    mutating func nextNumber() -> UInt64 {
        newest += 1
        return newest
    }

    mutating func begin(_ number: UInt64, _ continuation: Waiting) {
        waiting[number] = continuation
    }

    /// Its bytes left. One that was cancelled meanwhile is not waited for any more.
    mutating func complete(_ number: UInt64) {
        waiting.removeValue(forKey: number)?.resume(returning: .success(()))
    }

    mutating func fail(_ number: UInt64, with error: BelayError) {
        waiting.removeValue(forKey: number)?.resume(returning: .failure(error))
    }

    /// Their generation ended.
    mutating func failAll(with error: BelayError) {
        let failed = waiting.values
        waiting = [:]
        for continuation in failed { continuation.resume(returning: .failure(error)) }
    }
}
