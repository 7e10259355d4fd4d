#if canImport(Darwin) || BELAY_APPLE_STUBS
    package import BelayTransport

    /// Watches the path by Apple's Network framework.
    package final class SystemPathObserver: PathObserver {
        private let queue: DispatchDomain

        /// An observer whose monitors report on `domain`.
        package init(on domain: DispatchDomain = .shared) {
            queue = domain
        }

        package var domain: any SerialDomain { queue }

        /// Begins an observation by a monitor of its own: a cancelled monitor never starts again.
        package func observe(_ sink: PathSink) -> any PathObservation {
            SystemPathObservation(on: queue, sink: sink)
        }
    }
#endif
