import BelayCore

/// How long an open connection may be silent before it is given up and opened anew.
///
/// For event streams, whose client cannot ping: only the server's bytes tell that it is there.
public enum IdleTimeout: Hashable, Sendable {
    /// For ever, as far as we count.
    ///
    /// Where the peer itself vanished without a word, TCP notices: two minutes later over our own
    /// sockets, when the system likes over URLSession. A server that hangs, or one behind a proxy
    /// that does not, is never noticed: take `learned` there.
    case none
    /// For this long: above the interval at which the server comments, as its operator states it.
    case after(Duration)
    /// For some times the longest pause between the server's bytes, once it was seen to beat.
    ///
    /// Nothing is given up before. A server that turns out to pause longer costs a few
    /// reconnections, each from the cursor, and ever fewer; see `LearnedSilence`.
    case learned(Learned = Learned())

    /// The numbers by which a limit is learnt.
    ///
    /// Lengths are counted in whole milliseconds, rounded up; what is below its range is raised.
    public struct Learned: Hashable, Sendable {
        /// The limit is so many times the longest pause that was heard. Default 3, at least 2.
        public var multiple = 3
        /// How many pauses alike, in a row, show that a server beats. Default 4, at least 2.
        public var samples = 4
        /// The least limit. Default 20 s, above the 15 s that most servers beat at.
        public var floor: Duration = .seconds(20)
        /// The greatest limit, at least `floor`. Default 300 s. Longer pauses are not judged.
        public var ceiling: Duration = .seconds(300)

        /// The defaults; change what you must.
        public init() {}

        var policy: LearnedSilence.Policy {
            let multiple = Milliseconds(max(2, multiple))
            let floor = max(8, multiple, Milliseconds(clamping: floor))
            return LearnedSilence.Policy(
                multiple: multiple, samples: max(2, samples), floor: floor,
                ceiling: max(floor, Milliseconds(clamping: ceiling)))
        }
    }

    /// The same as the machine counts it.
    var policy: SilencePolicy {
        switch self {
        case .none: .unlimited
        case .after(let length): .after(max(1, Milliseconds(clamping: length)))
        case .learned(let numbers): .learned(numbers.policy)
        }
    }
}
