import Foundation
import Testing

/// A public report of the field as what happened and what must come of it: a file in `Corpus`.
///
/// A line of JSON for each step, the first about the report, the last with what is expected.
struct PathReplay: Sendable, CustomTestStringConvertible {
    struct Step: Codable, Hashable, Sendable {
        enum Source: String, Codable, Sendable { case monitor, path, conn, user, app, clock }

        let t: Int64
        let src: Source
        /// Of the observation or the transport that says it, from 1.
        var gen: UInt64?
        /// The path's state.
        var state: String?
        var expensive: Bool?
        /// As the observation counts it; without, each report is another one.
        var change: UInt32?
        /// What the transport reports.
        var event: String?
        /// What a person or the app does.
        var `do`: String?
    }

    /// What is to be seen after the last step; what is left out may be anything.
    struct Expectation: Codable, Sendable {
        var path: String?
        var banner: String?
        var outcome: String?
        /// A status, or several with `|` between them.
        var connection: String?
        /// Numbers, or bounds as `2+` and `1-`.
        var attempts: Count?
        var pings: Count?
    }

    /// A number, or a bound.
    struct Count: Codable, Sendable {
        let range: ClosedRange<Int>

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let exact = try? container.decode(Int.self) {
                range = exact...exact
                return
            }
            let text = try container.decode(String.self)
            let bound = try #require(Int(text.dropLast()))
            range = text.hasSuffix("+") ? bound...Int.max : 0...bound
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(range.lowerBound)
        }
    }

    private struct Header: Codable {
        let row: Int
        let report: String
        let symptom: String
    }

    private struct Footer: Codable {
        let expect: Expectation
    }

    let row: Int
    let report: String
    var steps: [Step]
    let expected: Expectation

    var testDescription: String { "\(row): \(report)" }

    /// Every file of the corpus, in the order of its rows.
    static func all() throws -> [PathReplay] {
        let folder = try #require(Bundle.module.url(forResource: "Corpus", withExtension: nil))
        return try FileManager.default
            .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "replay" }
            .map { try PathReplay(String(contentsOf: $0, encoding: .utf8)) }
            .sorted { $0.row < $1.row }
    }

    private init(_ text: String) throws {
        let lines = text.split(separator: "\n").map { Data($0.utf8) }
        let decoder = JSONDecoder()
        let header = try decoder.decode(Header.self, from: try #require(lines.first))
        (row, report) = (header.row, header.report)
        expected = try decoder.decode(Footer.self, from: try #require(lines.last)).expect
        steps = try lines.dropFirst().dropLast().map { try decoder.decode(Step.self, from: $0) }
    }

    /// The same with the steps at `index` and behind it swapped; their moments stay in place.
    func swapped(at index: Int) -> PathReplay {
        var replay = self
        let (first, second) = (steps[index], steps[index + 1])
        replay.steps[index] = Step(of: second, at: first.t)
        replay.steps[index + 1] = Step(of: first, at: second.t)
        return replay
    }
}

extension PathReplay.Step {
    /// Time passes until then.
    static func time(_ t: Int64) -> Self {
        Self(t: t, src: .clock)
    }

    fileprivate init(of step: Self, at t: Int64) {
        self.init(
            t: t, src: step.src, gen: step.gen, state: step.state, expensive: step.expensive,
            change: step.change, event: step.event, do: step.do)
    }
}
