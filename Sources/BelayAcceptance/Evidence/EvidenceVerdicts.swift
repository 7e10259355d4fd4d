public import Foundation

/// The verdicts of an evidence file: one entry for each scenario of the run.
public struct EvidenceVerdicts: Hashable, Sendable {
    /// In the order of the run.
    public let entries: [ReportEntry]

    /// What is wrong with a file, and on which line, from 1.
    public struct Invalid: Error, Hashable, Sendable {
        /// What is wrong.
        public enum Fault: Hashable, Sendable {
            /// The line is no line of evidence.
            case noEvidence
            /// The first line is no header.
            case withoutHeader
            /// A newer Belay wrote it: this schema version.
            case newer(Int)
            /// The file ends amid a line: the run was cut off, or the copy.
            case cutOff
        }

        /// The line, from 1.
        public let line: Int
        /// What is wrong.
        public let fault: Fault
    }

    /// Reads a file as `belay verify --evidence` writes it.
    public init(_ data: Data) throws(Invalid) {
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count > 1 else { throw Invalid(line: 1, fault: .withoutHeader) }
        guard lines[lines.count - 1].isEmpty else {
            throw Invalid(line: lines.count, fault: .cutOff)
        }
        var entries: [ReportEntry] = []
        for (index, text) in lines.dropLast().enumerated() {
            guard let line = try? JSONDecoder().decode(EvidenceLine.self, from: text) else {
                throw Invalid(line: index + 1, fault: index == 0 ? .withoutHeader : .noEvidence)
            }
            if index == 0 { try Self.check(line) }
            if line.kind == .verdict {
                guard let entry = ReportEntry(line) else {
                    throw Invalid(line: index + 1, fault: .noEvidence)
                }
                entries.append(entry)
            }
        }
        self.entries = entries
    }

    private static func check(_ header: EvidenceLine) throws(Invalid) {
        guard header.kind == .header, let version = header.schemaVersion else {
            throw Invalid(line: 1, fault: .withoutHeader)
        }
        guard version <= EvidenceLine.schemaVersion else {
            throw Invalid(line: 1, fault: .newer(version))
        }
    }
}

extension ReportEntry {
    /// The entry of a verdict's line; `nil` where parts of a verdict are missing.
    fileprivate init?(_ line: EvidenceLine) {
        guard let id = line.scenario, let verdict = line.verdict.flatMap(Verdict.init),
            let requirements = line.requirements, let findings = line.findings
        else { return nil }
        self.init(
            id: id, requirements: requirements, verdict: verdict,
            findings: findings.map {
                Finding(
                    $0.observable, threshold: $0.threshold, observed: $0.observed,
                    isMet: $0.isMet)
            },
            stage: line.stage.flatMap(Stage.init)?.text, reason: line.reason)
    }
}
