import BelayCore
import BelayFaults

// Events and the cursor.
extension ScenarioExpectation {
    func resumeFinding(_ evidence: Evidence) -> Finding {
        switch self {
        case .handled(let ids):
            .list("ids handled", ids, Self.handled(evidence), \.self)
        case .applied(let ids):
            .list("effects", ids, Self.applied(evidence), \.self)
        case .appliedBytes(let counts):
            .list("bytes of each effect", counts, Self.appliedBytes(evidence), \.description)
        case .appliedAll(let last):
            Self.appliedAll(last, evidence)
        case .skipped(let count):
            .count("events skipped", count, evidence.events.count { $0.result == .skipped })
        case .failures(let count):
            .count("handler's failures", count, Self.failures(evidence))
        case .cursors(let cursors):
            .list(
                "cursor after each event", cursors, evidence.events.map { $0.cursor?.text },
                { $0 ?? "-" })
        case .lastEventIDs(let ids):
            .list(
                "Last-Event-ID as the endpoint saw it", ids,
                evidence.requests.map(\.summary.lastEventID), { $0 ?? "-" })
        case .requestsSayTheCursor:
            .never(
                "requests beside the cursor", threshold: "none", Self.besideTheCursor(evidence))
        case .cursorMovesByCommit:
            .never("cursor moved without commit", threshold: "never", Self.jumps(evidence))
        case .readingEnds(let end):
            Self.readingEnd(end, evidence)
        case .sentAhead(let limit):
            Self.sentAhead(limit, evidence)
        default:
            preconditionFailure("\(self) is judged elsewhere")
        }
    }

    static func handled(_ evidence: Evidence) -> [String] {
        evidence.app.compactMap { record in
            if case .handling(let id) = record.event { id?.text ?? "-" } else { nil }
        }
    }

    static func applied(_ evidence: Evidence) -> [String] {
        evidence.app.compactMap { record in
            if case .applied(let id, _) = record.event { id?.text ?? "-" } else { nil }
        }
    }

    private static func appliedBytes(_ evidence: Evidence) -> [Int] {
        evidence.app.compactMap { record in
            if case .applied(_, let count) = record.event { count } else { nil }
        }
    }

    private static func appliedAll(_ last: Int, _ evidence: Evidence) -> Finding {
        let applied = applied(evidence)
        let isWhole = applied == (1...last).map(String.init)
        return Finding(
            "effects", threshold: "1 to \(last), each once",
            observed: isWhole ? "1 to \(last), each once" : Finding.text(applied), isMet: isWhole)
    }

    private static func failures(_ evidence: Evidence) -> Int {
        evidence.events.count { record in
            switch record.result {
            case .failed, .gaveUp: true
            case .committed, .moved, .passedOver, .skipped, .restarted, .snapshotFailed: false
            }
        }
    }

    /// Requests whose `Last-Event-ID` is no place at which the cursor stood since the attempt.
    ///
    /// A handler may commit between the attempt and the moment the endpoint reads it.
    static func besideTheCursor(_ evidence: Evidence) -> [String] {
        let client = evidence.client
        let attempts = client.indices.filter { client[$0].isAttempt }
        return evidence.requests.enumerated().compactMap { place, request in
            // By the order of entries: attempts and commits may have one millisecond.
            let attempt =
                attempts.count == evidence.requests.count
                ? attempts[place] : attempts.last { client[$0].at <= request.at }
            let began = attempt ?? client.firstIndex { $0.at >= request.at } ?? client.endIndex
            // What an earlier run stored is no record of this one.
            guard let before = Evidence(client: Array(client[..<began])).events.last else {
                return nil
            }
            let since = Evidence(client: Array(client[began...])).events
                .filter { $0.at <= request.at }
            let said = request.summary.lastEventID
            let places = ([before] + since).map { $0.cursor?.text }
            guard !places.contains(said) else { return nil }
            return "connection \(request.connection) said \(said ?? "-"), "
                + "cursor \(before.cursor?.text ?? "-")"
        }
    }

    private static func jumps(_ evidence: Evidence) -> [String] {
        var cursor: EventID?
        var isFirst = true
        return evidence.events.compactMap { record in
            defer { (cursor, isFirst) = (record.cursor, false) }
            guard !isFirst, !record.result.movesTheCursor, record.cursor != cursor else {
                return nil
            }
            return "\(cursor?.text ?? "-") to \(record.cursor?.text ?? "-")"
        }
    }

    private static func readingEnd(_ end: AppRecord.ReadingEnd, _ evidence: Evidence) -> Finding {
        let ends = evidence.app.compactMap { record in
            if case .readingEnded(let end) = record.event { end } else { nil }
        }
        let last = ends.last
        return Finding(
            "end of reading", threshold: end.text, observed: last?.text ?? "none",
            isMet: last == end)
    }

    private static func sentAhead(_ limit: Int, _ evidence: Evidence) -> Finding {
        let taken = evidence.app.compactMap { record in
            if case .handling = record.event { record.at } else { nil }
        }
        var handled = 0
        var most = 0
        for (count, sent) in evidence.sentEvents.enumerated() {
            while handled < taken.count, taken[handled] <= sent.at { handled += 1 }
            most = max(most, count + 1 - handled)
        }
        return Finding(
            "events sent ahead of the handler", threshold: "<= \(limit)", observed: "\(most)",
            isMet: most <= limit)
    }
}

extension AppRecord.ReadingEnd {
    /// The end as a report writes it.
    var text: String {
        switch self {
        case .returned: "returned"
        case .closed(let cause): "closed: \(cause.text)"
        case .handlerGaveUp: "handlerGaveUp"
        case .cancelled: "cancelled"
        case .alreadyReading: "alreadyReading"
        }
    }
}
