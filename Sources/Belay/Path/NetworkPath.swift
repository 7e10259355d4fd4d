public import BelayCore
public import BelayTransport

/// The system's word on the network path: shown to users, given to connections as a hint.
///
/// It answers no question of permission. A request is made, and its outcome is another finding.
///
/// ```swift
/// let path = NetworkPath()
/// path.inform(chat)
/// path.restart()
/// …
/// .onChange(of: scenePhase) { _, phase in
///     if phase == .background { path.enterBackground() }
///     if phase == .active { path.enterForeground() }
/// }
/// ```
public final class NetworkPath: Sendable {
    let driver: PathDriver

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
    public func restart() {
        driver.submit { $0.restart() }
    }

    /// Ends the present observation: the hint is unknown again, until `restart`.
    public func stop() {
        driver.submit { $0.stop() }
    }

    /// The app left the foreground: tells every connection that is informed, and ends the
    /// observation until the app is back.
    ///
    /// Nobody looks at the path meanwhile, and no connection may use it. What a system reports to
    /// an app that was suspended comes late, before the app hears that it is back: it is then a
    /// report of an old observation, and changes nothing.
    public func enterBackground() {
        driver.submit { $0.enterBackground() }
    }

    /// The app is back, or the machine woke: the path is unknown until a new observation reports,
    /// and then every connection that is informed asks whether it still lives, or is opened again.
    ///
    /// Begins no observation where none was begun, or where `stop` ended it. A program that was
    /// stopped and is told nothing does the same by itself, as far as the path goes, once a timer
    /// of one of its connections finds itself late by more than a second.
    public func enterForeground() {
        driver.submit { $0.enterForeground() }
    }

    /// The newest hint.
    public var hint: NetworkHint { driver.hints.value }

    /// The present hint and each newer one, for any number of readers, never out of order.
    ///
    /// A dropped report is no news: its count comes with the next hint, and stands in `hint` at
    /// once. Ends with this object.
    public var hints: LatestValues<NetworkHint> { LatestValues(source: driver.hints) }

    /// From now on `receiver` is told of each change of the path, and when the app leaves the
    /// foreground and comes back, as long as it lives.
    ///
    /// It is not kept alive, told of no change of cost or reason, and told once however often it
    /// is named. What is known already, the background included, it is told at once.
    public func inform(_ receiver: some PathHintReceiver) {
        driver.submit { $0.inform(receiver) }
        // Its timers see what nobody tells: that this program was stopped.
        (receiver as? any OversleepWitness)?.whenOverslept { [weak driver] in
            driver?.submit { $0.overslept() }
        }
    }
}

/// What makes use of a path hint: a connection, to come back sooner or to doubt itself.
public protocol PathHintReceiver: AnyObject, Sendable {
    /// The path is another one now, though perhaps of the same state; unknown where what was said
    /// before is not true any more.
    func pathChanged(_ state: PathState)
    /// The app left the foreground.
    func enterBackground()
    /// The app is back. The hint is unknown by now, and a new observation runs.
    func enterForeground()
}

extension PathHintReceiver {
    /// Does nothing.
    public func enterBackground() {}
    /// Does nothing.
    public func enterForeground() {}
}

/// What has timers, and so can see that this program was stopped past one of their deadlines.
protocol OversleepWitness: AnyObject {
    /// From now on calls `notice`, and nothing that was given before, whenever it sees that.
    func whenOverslept(_ notice: @escaping @Sendable () -> Void)
}

extension WebSocketConnection: OversleepWitness {}
extension EventSource: OversleepWitness {}
