import BelayCore
import BelayFaults

extension ScenarioExpectation {
    /// Puts the expectation beside what the evidence shows.
    public func finding(in evidence: Evidence) -> Finding {
        switch self {
        case .opened, .causes, .firstCauses, .oneCauseEach, .generationsRise, .ignored,
            .ignoredChangesNothing, .nothingAfterItsEnd, .readsOnlyAccepted,
            .waitBetweenAttempts:
            lifeFinding(evidence)
        case .pings, .pongs, .firstPing, .pingAfterPong, .oneOutstandingPing, .deathAfterPing,
            .pingAfterForeground, .calmInBackground:
            heartbeatFinding(evidence)
        case .messages, .sends, .endpointConnections, .endpoint, .silenceAfterLeaving,
            .nothingLeftOpen:
            trafficFinding(evidence)
        case .handled, .applied, .appliedBytes, .appliedAll, .skipped, .failures, .cursors,
            .lastEventIDs,
            .requestsSayTheCursor, .cursorMovesByCommit, .readingEnds, .sentAhead:
            resumeFinding(evidence)
        case .banners, .paths, .outcomes, .expensive, .pathVerdicts:
            pathFinding(evidence)
        }
    }
}

// The forms that findings share.
extension Finding {
    static func count(_ observable: String, _ threshold: Count, _ observed: Int) -> Finding {
        Finding(
            observable, threshold: threshold.text, observed: "\(observed)",
            isMet: threshold.contains(observed))
    }

    /// A list that must be the same, element by element.
    static func list<Element: Equatable>(
        _ observable: String, _ threshold: [Element], _ observed: [Element],
        _ text: (Element) -> String
    ) -> Finding {
        Finding(
            observable, threshold: Self.text(threshold.map(text)),
            observed: Self.text(observed.map(text)), isMet: threshold == observed)
    }

    /// Something that must never happen; `violations` says where it did.
    static func never(
        _ observable: String, threshold: String, _ violations: [String]
    ) -> Finding {
        Finding(
            observable, threshold: threshold,
            observed: violations.isEmpty ? threshold : text(violations),
            isMet: violations.isEmpty, excuse: .none)
    }

    /// Lengths that must all lie in a span. Where there is none to measure, it is not met.
    static func lengths(_ observable: String, _ span: Span, _ observed: [Milliseconds]) -> Finding {
        let range = observed.min().flatMap { least in observed.max().map { (least, $0) } }
        guard let (least, most) = range else {
            return Finding(
                observable, threshold: span.text, observed: "nothing to measure", isMet: false)
        }
        return Finding(
            observable, threshold: span.text,
            observed: least == most ? "\(least) ms" : "\(least) to \(most) ms",
            isMet: least >= span.lower && most <= span.upper,
            excuse: least < span.lower ? .none : .stall)
    }

    /// A list as a report writes it; a long one is cut, and its length said.
    static func text(_ elements: [String]) -> String {
        let shown = 8
        guard !elements.isEmpty else { return "none" }
        guard elements.count > shown else { return elements.joined(separator: ", ") }
        return elements.prefix(shown - 1).joined(separator: ", ") + ", … (\(elements.count))"
    }
}

extension CloseCause {
    /// The cause with its number: `handshakeRefused 503`.
    var text: String {
        code.map { "\(name) \($0)" } ?? "\(name)"
    }
}
