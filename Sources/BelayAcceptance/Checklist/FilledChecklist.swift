import Foundation

/// A checklist that was filled in: the lines of evidence that stand in each check's place.
public struct FilledChecklist: Hashable, Sendable {
    /// The evidence by check; a place that was left empty has none.
    let evidence: [String: [EvidenceLine]]

    /// What is wrong with a file, and on which line, from 1.
    public struct Invalid: Error, Hashable, Sendable {
        /// What is wrong.
        public enum Fault: Hashable, Sendable {
            /// The place belongs to no check of this version.
            case unknownCheck(String)
            /// The check has two places.
            case repeatedCheck(String)
            /// The place is never closed.
            case unclosed(String)
            /// The line is no line of evidence: what JSON's reader says.
            case noEvidence(String)
            /// There is no place for evidence at all: it is no checklist.
            case withoutPlaces
        }

        /// The line, from 1.
        public let line: Int
        /// What is wrong.
        public let fault: Fault
    }

    /// Reads a file. Text outside of the places is the tester's own, and is passed over.
    public init(_ text: String) throws(Invalid) {
        var evidence: [String: [EvidenceLine]] = [:]
        var place: (id: String, line: Int)?
        for (index, line) in text.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        )
        .enumerated() {
            let number = index + 1
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if let id = place?.id {
                if trimmed == "```" {
                    place = nil
                } else if !trimmed.isEmpty {
                    evidence[id]?.append(try Self.read(trimmed, at: number))
                }
            } else if trimmed.hasPrefix(ChecklistMarkdown.fence) {
                let id = String(trimmed.dropFirst(ChecklistMarkdown.fence.count))
                guard DeviceChecklist.all.contains(where: { $0.id == id }) else {
                    throw Invalid(line: number, fault: .unknownCheck(id))
                }
                guard evidence.updateValue([], forKey: id) == nil else {
                    throw Invalid(line: number, fault: .repeatedCheck(id))
                }
                place = (id, number)
            }
        }
        if let place { throw Invalid(line: place.line, fault: .unclosed(place.id)) }
        guard !evidence.isEmpty else { throw Invalid(line: 1, fault: .withoutPlaces) }
        self.evidence = evidence
    }

    /// A log puts a time and a name before the line; what counts begins at its brace.
    private static func read(_ text: String, at line: Int) throws(Invalid) -> EvidenceLine {
        guard let brace = text.firstIndex(of: "{") else {
            throw Invalid(line: line, fault: .noEvidence("it has no {"))
        }
        do {
            return try JSONDecoder().decode(EvidenceLine.self, from: Data(text[brace...].utf8))
        } catch {
            throw Invalid(line: line, fault: .noEvidence(Self.reason(of: error)))
        }
    }

    private static func reason(of error: any Error) -> String {
        switch error as? DecodingError {
        case .keyNotFound(let key, _): "\(key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")) is of another type"
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")) is not known"
        default: "it is no JSON"
        }
    }
}
