public import BelayCore

/// Watches the system's network path: one observation for each generation of the hint.
public protocol PathObserver: Sendable {
    /// The domain in which observations report.
    var domain: any SerialDomain { get }

    /// Begins an observation. Call in the domain; it reports in a later turn.
    func observe(_ sink: PathSink) -> any PathObservation
}

/// A running observation. A cancelled one is never started again (requirement P7).
public protocol PathObservation: AnyObject {
    /// Ends it. A report under way may still come; its generation tells it apart.
    func cancel()
}

/// Where an observation reports to. It cannot report without its generation.
public struct PathSink: Sendable {
    /// The hint's generation when the observation was begun.
    public let generation: Generation
    private let receive: @Sendable (Generation, PathUpdate) -> Void

    /// A sink for one generation. `receive` is called in the domain.
    public init(
        generation: Generation,
        receive: @escaping @Sendable (Generation, PathUpdate) -> Void
    ) {
        self.generation = generation
        self.receive = receive
    }

    /// Reports `update` as one of this generation.
    public func callAsFunction(_ update: PathUpdate) {
        receive(generation, update)
    }
}
