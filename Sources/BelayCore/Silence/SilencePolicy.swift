/// How long an open connection may be silent, in milliseconds.
public enum SilencePolicy: Hashable, Sendable {
    /// For ever.
    case unlimited
    /// For this long, at least 1: what the server's operator states, and some more.
    case after(Milliseconds)
    /// For as long as its server's own pauses say; see `LearnedSilence`.
    case learned(LearnedSilence.Policy)
}

extension LearnedSilence {
    /// The numbers of a `LearnedSilence`, in milliseconds.
    public struct Policy: Hashable, Sendable {
        /// The limit is so many times the longest pause that was heard. Default 3, at least 2.
        ///
        /// One beat may be late and one lost before a connection is doubted.
        public var multiple: Milliseconds
        /// How many pauses alike, in a row, show that a server beats. Default 4, at least 2.
        public var samples: Int
        /// The least limit. Default 20,000, at least 8 and at least `multiple`.
        ///
        /// Above the 15 s that most servers beat at, so that a slow network is no dead one.
        public var floor: Milliseconds
        /// The greatest limit, at least `floor`. Default 300,000.
        ///
        /// A server that pauses longer than this is never judged.
        public var ceiling: Milliseconds

        /// A policy.
        public init(
            multiple: Milliseconds = 3, samples: Int = 4, floor: Milliseconds = 20_000,
            ceiling: Milliseconds = 300_000
        ) {
            precondition(multiple >= 2, "multiple \(multiple): at least 2")
            precondition(samples >= 2, "samples \(samples): at least 2")
            precondition(
                floor >= max(8, multiple) && ceiling >= floor,
                "silence \(floor), \(ceiling) ms: wants 8 <= floor <= ceiling")
            (self.multiple, self.samples) = (multiple, samples)
            (self.floor, self.ceiling) = (floor, ceiling)
        }

        /// The pause below which every limit would be the floor's.
        var usual: Milliseconds { floor / multiple }
        /// What is shorter is no pause, but part of one burst: it tells nothing of a beat.
        var shortest: Milliseconds { max(1, usual / 4) }
    }
}
