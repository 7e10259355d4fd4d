public import BelayCore

/// Work that is begun when the path's cost allows it, and after a bounded wait all the same.
///
/// It never asks whether there is a path (P11): what may begin is begun, and its request has an
/// outcome. None is dropped: each operation is begun once, or waits with a reason to show.
///
/// ```swift
/// let downloads = DeferredWorkQueue<URL>(on: path) { url in download(url) }
/// downloads.submit(preview, as: .anticipated)
/// ```
///
/// Letting it go takes back what waits; let it live as long as the app.
public final class DeferredWorkQueue<Operation: Hashable & Sendable>: Sendable {
    private let driver: DeferredWorkDriver<Operation>

    /// A queue in which nothing waits.
    ///
    /// - Parameters:
    ///   - path: Its hints say what traffic costs. It is not kept alive; without it the last word
    ///     counts on, and every wait has its end.
    ///   - policy: What may wait for what, and for how long.
    ///   - limit: How many operations wait at most; see `DeferredWork`.
    ///   - begin: Begins one operation. Called in the path's domain: it must return soon.
    public init(
        on path: NetworkPath, policy: TrafficPolicy = TrafficPolicy(), limit: Int = 1_000,
        begin: @escaping @Sendable (Operation) -> Void
    ) {
        let driver = DeferredWorkDriver(
            DeferredWork(policy: policy, limit: limit), on: path.driver.domain, begin: begin)
        self.driver = driver
        path.driver.submit { $0.follow(driver) }
    }

    /// An operation is to be done: begun at once, or when its wait is over.
    ///
    /// One that waits already, by `==`, goes on waiting once. What a person asked for never waits.
    public func submit(_ operation: Operation, as kind: WorkKind) {
        driver.submit { $0.take(operation, as: kind) }
    }

    /// It waits no more, and is not begun: a person wants it now, and the app begins it, or nobody
    /// wants it at all. Without effect on one that was begun.
    public func withdraw(_ operation: Operation) {
        driver.submit { $0.withdraw(operation) }
    }

    /// The operations that wait, each with its reason, in the order they were submitted.
    public var waiting: [DeferredWork<Operation>.Waiting] { driver.waiting.value }

    /// The present list and each newer one, for any number of readers, never out of order.
    public var waitings: LatestValues<[DeferredWork<Operation>.Waiting]> {
        LatestValues(source: driver.waiting)
    }
}
