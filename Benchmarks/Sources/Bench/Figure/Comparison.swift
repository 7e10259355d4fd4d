/// Cases of one kind, shown as one table: Belay first, and what it is compared with.
struct Comparison {
    /// What is measured, as a heading.
    let title: String
    /// Which way is better, for the reader.
    let better: Better
    /// Whose figures stand in the columns. The first is Belay.
    let subjects: [String]
    let cases: [Case]
    /// Where a figure hardly varies and takes long, fewer rounds do.
    var mostRounds = Int.max
    /// What is said of all cases together.
    var summary = Summary.none
    /// What a reader must know beside the table.
    var remarks: [String] = []

    enum Better: String, Codable {
        case lower
        case higher
    }

    enum Summary {
        case none
        /// Of the ratios to each peer.
        case geometricMean
    }
}

/// One piece of work that every subject does.
struct Case {
    let name: String
    /// What is read off one sample; each becomes a row.
    let gauges: [Gauge]
    /// How each subject is measured, in the order of the columns; `nil` where it cannot be.
    let subjects: [Measure?]

    /// Does the work once and answers a sample: CPU seconds, or bytes.
    typealias Measure = () async throws -> Double
}

/// A unit, and how a sample is told in it.
struct Gauge {
    let unit: String
    let value: (Double) -> Double

    /// How long one of `count` took, in `unit`, of which a second has `perSecond`.
    static func cost(_ unit: String, perSecond: Double, of count: Int) -> Gauge {
        Gauge(unit: unit) { $0 * perSecond / Double(count) }
    }

    /// How many units were done in a second.
    static func rate(_ unit: String, of amount: Double) -> Gauge {
        Gauge(unit: unit) { amount / $0 }
    }
}

/// What was measured is not what was meant: a peer is broken, or two subjects disagree.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
