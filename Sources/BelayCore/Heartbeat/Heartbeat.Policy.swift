extension Heartbeat {
    /// The numbers of a heartbeat, in milliseconds. The defaults are the article's rule.
    public struct Policy: Hashable, Sendable {
        /// What bytes of the peer mean for the next ping. They are never a pong (W18).
        public enum Inbound: Hashable, Sendable {
            /// Nothing: for servers that want a beat in each interval, whatever they send.
            case ignored
            /// The next ping comes one interval after them: a radio need not wake for a proof
            /// that traffic gives. An outstanding ping keeps its deadline.
            case postponesPing
        }

        /// From opening to the first ping, and from a pong to the next ping. At least 1.
        ///
        /// `Int64.max` never pings.
        public var interval: Milliseconds
        /// From a ping to the moment its answer is late. At least 1.
        public var timeout: Milliseconds
        /// How long a ping may wait behind a large write before it leaves, and from then on its
        /// answer behind a large frame of the peer's that is still coming; at least 1.
        ///
        /// `nil`, the default, counts `timeout` from the order on. With a number it counts from
        /// the hand-over, and again from each part of a frame, so that a slow transfer is not taken
        /// for a dead peer; a connection whose bytes do not leave at all is dead after this.
        public var queuedTimeout: Milliseconds?
        /// By how much of the interval the first ping may come earlier, 0 to 100. Default 0.
        ///
        /// A restarted server's clients connect at once; 100 spreads their first pings evenly.
        public var firstJitter: Int
        /// By how much of the interval each later ping may come earlier, 0 to 100. Default 0.
        ///
        /// Downwards only: the interval stays below the idle limits that it was chosen for.
        public var jitter: Int
        /// How many pings may go unanswered in a row, 0 or more. Default 0.
        ///
        /// Each missed one is followed by another at once; never two are outstanding.
        public var missedPongs: Int
        /// By how much a deadline may be noticed late and still count. Default never too late.
        ///
        /// Later, this program was asleep, and so was nobody's fault: one probe is sent and
        /// judged, and what was received meanwhile is read before.
        public var overdueAfter: Milliseconds
        /// For the answer to that probe. At least 1. Default 3,000.
        public var overdueTimeout: Milliseconds
        /// What bytes of the peer mean for the next ping. Default nothing.
        public var inbound: Inbound

        /// A policy. A number outside its range is a mistake of the program.
        public init(
            interval: Milliseconds,
            timeout: Milliseconds,
            queuedTimeout: Milliseconds? = nil,
            firstJitter: Int = 0,
            jitter: Int = 0,
            missedPongs: Int = 0,
            overdueAfter: Milliseconds = .max,
            overdueTimeout: Milliseconds = 3_000,
            inbound: Inbound = .ignored
        ) {
            precondition(interval > 0, "interval \(interval) ms: at least 1")
            precondition(timeout > 0, "timeout \(timeout) ms: at least 1")
            precondition((queuedTimeout ?? 1) > 0, "queuedTimeout: at least 1 ms")
            precondition(0...100 ~= firstJitter && 0...100 ~= jitter, "jitter: 0 to 100 percent")
            precondition(missedPongs >= 0, "missedPongs \(missedPongs): at least 0")
            precondition(overdueAfter >= 0, "overdueAfter \(overdueAfter) ms: at least 0")
            precondition(overdueTimeout > 0, "overdueTimeout \(overdueTimeout) ms: at least 1")
            self.interval = interval
            self.timeout = timeout
            self.queuedTimeout = queuedTimeout
            self.firstJitter = firstJitter
            self.jitter = jitter
            self.missedPongs = missedPongs
            self.overdueAfter = overdueAfter
            self.overdueTimeout = overdueTimeout
            self.inbound = inbound
        }

        /// By how much the first ping comes earlier; chance is asked only where there is a choice.
        func firstAdvance(using generator: inout some RandomNumberGenerator) -> Milliseconds {
            advance(by: firstJitter, using: &generator)
        }

        /// By how much a later ping comes earlier.
        func advance(using generator: inout some RandomNumberGenerator) -> Milliseconds {
            advance(by: jitter, using: &generator)
        }

        private func advance(
            by percent: Int, using generator: inout some RandomNumberGenerator
        ) -> Milliseconds {
            guard percent > 0, interval != .never else { return 0 }
            let most =
                interval / 100 * Milliseconds(percent)
                + interval % 100 * Milliseconds(percent) / 100
            return .random(in: 0...most, using: &generator)
        }
    }
}
