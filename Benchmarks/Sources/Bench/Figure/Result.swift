import Foundation

/// The figures of one comparison, as they are printed and written to `results.json`.
struct ComparisonResult: Codable {
    let title: String
    let better: Comparison.Better
    let subjects: [String]
    let rows: [Row]
    let remarks: [String]

    /// One case in one unit.
    struct Row: Codable {
        let name: String
        let unit: String
        /// For each subject, one sample a round; empty where it could not be measured.
        let samples: [[Double]]
        /// For each subject, the median of its samples.
        let medians: [Double?]
        /// For each peer, the median over the rounds of Belay's sample by the peer's.
        let ratios: [Double?]

        init(name: String, unit: String, samples: [[Double]]) {
            self.name = name
            self.unit = unit
            self.samples = samples
            medians = samples.map(median)
            ratios = samples.dropFirst().map { peer in
                median(zip(samples[0], peer).map { $0 / $1 })
            }
        }

        /// The geometric mean of the ratios of `rows`, which has no figures of its own.
        init(geometricMeanOf rows: [Row]) {
            name = "geometric mean"
            unit = ""
            samples = []
            let columns = rows.first?.ratios.indices ?? 0..<0
            medians = (0...columns.count).map { _ in nil }
            ratios = columns.map { column in
                let ratios = rows.compactMap { $0.ratios[column] }
                guard !ratios.isEmpty else { return nil }
                return exp(ratios.map(log).reduce(0, +) / Double(ratios.count))
            }
        }
    }
}

extension Comparison {
    /// Measures all subjects of all cases, round by round, so that a disturbance of the machine
    /// meets all of them alike.
    func run(rounds: Int) async throws -> ComparisonResult {
        var samples = cases.map { $0.subjects.map { _ in [Double]() } }
        for _ in 0..<min(rounds, mostRounds) {
            for (place, work) in cases.enumerated() {
                for (subject, measure) in work.subjects.enumerated() {
                    guard let measure else { continue }
                    samples[place][subject].append(try await measure())
                }
            }
        }
        var rows = zip(cases, samples).flatMap { work, samples in
            work.gauges.map { gauge in
                ComparisonResult.Row(
                    name: work.name, unit: gauge.unit,
                    samples: samples.map { $0.map(gauge.value) })
            }
        }
        if summary == .geometricMean { rows.append(.init(geometricMeanOf: rows)) }
        return ComparisonResult(
            title: title, better: better, subjects: subjects, rows: rows, remarks: remarks)
    }
}

/// The middle sample; the lower of two. `nil` for none.
private func median(_ samples: [Double]) -> Double? {
    samples.isEmpty ? nil : samples.sorted()[(samples.count - 1) / 2]
}
