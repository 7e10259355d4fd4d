public import BelayCore

/// Evidence as lines that a person follows while they come: when, which generation, what, and
/// what it did.
public struct Timeline: Sendable {
    private let origin: Milliseconds

    /// A timeline whose moments count from `origin` on the clients' monotonic line.
    public init(origin: Milliseconds) {
        self.origin = origin
    }

    /// The line of one record, without its newline.
    public func line(of record: EvidenceRecord) -> String {
        let line = EvidenceLine(record, origin: origin)
        let words: [String?] = [
            Self.moment(line.atMilliseconds ?? 0),
            "g\(line.generation ?? 0)",
            Self.subject(of: record, line),
            Self.change(line),
            line.cannotBeAskedFor == true ? "cursor stays: no request can say this id" : nil,
            line.cause.map { cause in line.causeCode.map { "\(cause) \($0)" } ?? cause },
            line.byteCount.map { "\($0) bytes" },
            Self.roundTrip(of: record),
            Self.ignored(line),
            Self.dropped(record),
        ]
        return words.compactMap(\.self).joined(separator: "  ")
    }

    private static func subject(of record: EvidenceRecord, _ line: EvidenceLine) -> String {
        let what = line.what ?? line.kind.rawValue
        return switch record {
        case .connection: line.number.map { "\(what) \($0)" } ?? what
        case .event: "event \(line.eventID ?? "without id") \(what)"
        case .path(let record): subject(of: record.update)
        }
    }

    /// What is known is told from what nobody knows.
    private static func subject(of update: PathUpdate) -> String {
        guard update.state != .unknown else { return "path unknown" }
        return "path \(update.state), change \(update.change), expensive: \(update.expensive), "
            + "constrained: \(update.constrained)"
            + (update.reason.map { ", because: \($0)" } ?? "")
    }

    /// How often old observations have spoken up to here, said where one did.
    private static func dropped(_ record: EvidenceRecord) -> String? {
        guard case .path(let record) = record, record.verdict == .stale else { return nil }
        return "dropped so far: \(record.dropped)"
    }

    private static func change(_ line: EvidenceLine) -> String? {
        guard let before = line.before, let after = line.after, before != after else { return nil }
        return "\(before) → \(after)"
    }

    private static func roundTrip(of record: EvidenceRecord) -> String? {
        guard case .connection(let record) = record else { return nil }
        return record.roundTrip.map { "\($0) ms" }
    }

    private static func ignored(_ line: EvidenceLine) -> String? {
        guard let verdict = line.verdict, verdict != "accepted" else { return nil }
        return "ignored: \(verdict)"
    }

    /// Seconds with three places, so that lines stand beneath each other for a day.
    private static func moment(_ milliseconds: Int64) -> String {
        let (seconds, rest) = (milliseconds / 1_000, abs(milliseconds % 1_000))
        let thousandths = String(rest)
        let text =
            "\(seconds)." + String(repeating: "0", count: 3 - thousandths.count) + thousandths
        return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }
}
