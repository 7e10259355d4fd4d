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
    }
}

extension Comparison {
    /// Measures all subjects of all cases, round by round, so that a disturbance of the machine
    /// meets all of them alike.
    func run(rounds: Int) async throws -> ComparisonResult {
        var samples = cases.map { $0.subjects.map { _ in [Double]() } }
        for _ in 0..<rounds {
            for (place, work) in cases.enumerated() {
                for (subject, measure) in work.subjects.enumerated() {
                    guard let measure else { continue }
                    samples[place][subject].append(try await measure())
                }
            }
        }
        let rows = zip(cases, samples).flatMap { work, samples in
            work.gauges.map { gauge in
                ComparisonResult.Row(
                    name: work.name, unit: gauge.unit,
                    samples: samples.map { $0.map(gauge.value) })
            }
        }
        return ComparisonResult(
            title: title, better: better, subjects: subjects, rows: rows, remarks: remarks)
    }
}

/// The middle sample; the lower of two. `nil` for none.
private func median(_ samples: [Double]) -> Double? {
    samples.isEmpty ? nil : samples.sorted()[(samples.count - 1) / 2]
}
