public import BelayCore
public import BelayTransport

/// The system's word on the network path: shown to users, given to connections as a hint.
///
/// It answers no question of permission. A request is made, and its outcome is another finding.
public final class NetworkPath: Sendable {
    private let driver: PathDriver

    /// A path that nobody observes yet; it is unknown.
    public init(
        observer: some PathObserver, evidence: (@Sendable (EvidenceRecord) -> Void)? = nil
    ) {
        driver = PathDriver(observer: observer, evidence: evidence)
    }

    deinit {
        driver.submit { $0.finish() }
    }

    /// Begins a new observation: the hint is unknown until it first reports.
    ///
    /// Also for a return to the foreground, where what was known is old.
    public func restart() {
        driver.submit { $0.restart() }
    }

    /// Ends the present observation: the hint is unknown again.
    public func stop() {
        driver.submit { $0.stop() }
    }

    /// The newest hint.
    public var hint: NetworkHint { driver.hints.value }

    /// The present hint and each newer one, for any number of readers, never out of order.
    ///
    /// Ends with this object.
    public var hints: LatestValues<NetworkHint> { LatestValues(source: driver.hints) }

    /// From now on `receiver` is told of each change of the state, as long as it lives.
    ///
    /// It is not kept alive, told of no change of cost, and told once however often it is named.
    public func inform(_ receiver: some PathHintReceiver) {
        driver.submit { $0.inform(receiver) }
    }
}

/// What makes use of a path hint: a connection, to come back sooner or to doubt itself.
public protocol PathHintReceiver: AnyObject, Sendable {
    /// The path changed to `state`.
    func pathChanged(_ state: PathState)
}
