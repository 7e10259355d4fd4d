import Synchronization

/// How often something happened.
final class Counter: Sendable {
    private let number = Mutex(0)

    func count() { number.withLock { $0 += 1 } }

    var value: Int { number.withLock { $0 } }
}
