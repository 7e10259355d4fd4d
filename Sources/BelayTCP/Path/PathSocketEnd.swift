#if os(Linux)
    /// A socket of an observation as the loop knows it.
    final class PathSocketEnd: LoopSource {
        private let isReady: () -> Void
        private let stop: () -> Void

        init(_ isReady: @escaping () -> Void, stop: @escaping () -> Void) {
            (self.isReady, self.stop) = (isReady, stop)
        }

        func ready(_ directions: Directions) { isReady() }
        func loopStopped() { stop() }
    }
#endif
