import BelayCore
import BelayTransport
import Synchronization

/// A path that reports what a scenario says, from the present observation or the one before.
final class ScriptedPath: PathObserver, Sendable {
    let domain: any SerialDomain
    private let sinks = Mutex<[PathSink]>([])

    init(domain: any SerialDomain) {
        self.domain = domain
    }

    func observe(_ sink: PathSink) -> any PathObservation {
        sinks.withLock { $0.append(sink) }
        return Observation()
    }

    /// Reports in the domain. A cancelled observation still may: that is what its number is for.
    func report(_ update: PathUpdate, from observation: ClientStep.Observation) {
        let sink = sinks.withLock { sinks in
            switch observation {
            case .present: sinks.last
            case .cancelled: sinks.dropLast().last
            }
        }
        guard let sink else { return }
        domain.submit { sink(update) }
    }

    private final class Observation: PathObservation {
        func cancel() {}
    }
}
