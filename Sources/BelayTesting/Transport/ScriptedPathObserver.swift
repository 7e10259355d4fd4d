public import BelayCore
public import BelayTransport
import Synchronization

/// A path observer that reports what the test says.
public final class ScriptedPathObserver: PathObserver {
    /// One scripted observation.
    public final class Scripted: PathObservation, Sendable {
        private let sink: PathSink
        private let domain: any SerialDomain
        private let cancelled = Mutex(false)

        init(sink: PathSink, domain: any SerialDomain) {
            self.sink = sink
            self.domain = domain
        }

        /// The generation of the hint when the observation was begun.
        public var generation: Generation { sink.generation }
        /// Whether it was cancelled. It can still report: a callback may be under way.
        public var isCancelled: Bool { cancelled.withLock { $0 } }

        /// Reports in the domain's next turn, under this observation's generation.
        public func report(_ update: PathUpdate) {
            let sink = sink
            domain.submit { sink(update) }
        }

        /// Records the call.
        public func cancel() {
            cancelled.withLock { $0 = true }
        }
    }

    /// The domain in which observations report.
    public let domain: any SerialDomain
    private let begun = Mutex<[Scripted]>([])

    /// An observer in the test's domain.
    public init(domain: any SerialDomain) {
        self.domain = domain
    }

    /// Every observation that was begun, oldest first.
    public var observations: [Scripted] { begun.withLock { $0 } }

    /// Records the observation.
    public func observe(_ sink: PathSink) -> any PathObservation {
        let observation = Scripted(sink: sink, domain: domain)
        begun.withLock { $0.append(observation) }
        return observation
    }
}
