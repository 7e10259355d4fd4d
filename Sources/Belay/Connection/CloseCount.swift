import Synchronization

/// How often the program closed a connection, counted in the call itself, on any thread.
///
/// The stop that follows has its turn in the domain later. Between the two a reader may begin, a
/// wait may, and a reader may take what is queued: each looks here, and hears the close.
final class CloseCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func increment() {
        count.withLock { $0 += 1 }
    }
}
