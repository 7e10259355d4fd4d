import BelayCore
import BelayFaults

/// Names the stage of a failure, where the evidence shows it.
struct StageRule: Sendable {
    let stage: Stage
    /// Whether the evidence shows this stage's mark. `failed` are the expectations not met.
    let isShown: @Sendable (_ evidence: Evidence, _ failed: [ScenarioExpectation]) -> Bool

    /// The stage of a failure: the first rule that finds its mark, or the first failed
    /// expectation's own stage.
    static func stage(of failed: [ScenarioExpectation], in evidence: Evidence) -> Stage? {
        guard let first = failed.first else { return nil }
        return all.first { $0.isShown(evidence, failed) }?.stage ?? first.stage
    }

    /// In order: what is the cause of others stands before them. A request without its cursor
    /// makes the server replay; a replay that is applied twice is the client's own fault.
    static let all: [StageRule] = [
        StageRule(stage: .identity) { evidence, _ in
            ScenarioExpectation.standingIdentity.contains { !$0.finding(in: evidence).isMet }
        },
        StageRule(stage: .scheduling) { evidence, _ in
            // Whatever else went wrong: nobody may ask after leaving.
            !ScenarioExpectation.afterLeaving(evidence).isEmpty
        },
        StageRule(stage: .requestHeader) { evidence, _ in
            !ScenarioExpectation.besideTheCursor(evidence).isEmpty
        },
        StageRule(stage: .deduplication) { evidence, _ in
            let applied = ScenarioExpectation.applied(evidence)
            return Set(applied).count < applied.count || isHandledAgain(evidence)
        },
        StageRule(stage: .serverFilter) { evidence, failed in
            failed.contains(where: \.isAboutEvents) && !wronglySent(evidence).isEmpty
        },
        StageRule(stage: .parserBoundary) { evidence, failed in
            failed.contains(where: \.isAboutEvents)
                && (!handledUnsent(evidence).isEmpty || !sentUnhandled(evidence).isEmpty)
        },
        StageRule(stage: .scheduling) { evidence, failed in
            // Every request said where the cursor stood: it was made at another time than it had
            // to be, and nothing is wrong with its header.
            guard case .lastEventIDs? = failed.first else { return false }
            return !evidence.events.isEmpty
        },
        StageRule(stage: .transport) { evidence, failed in
            // Where nothing ever opened, the end is only what followed from it.
            failed.contains { $0.stage == .close } && evidence.accepted("opened").isEmpty
                && evidence.endpoint.contains { $0.event == .accepted }
                && !evidence.endpoint.contains { $0.event.isRequest }
        },
    ]

    /// Whether an event was given to the handler after it had been committed.
    static func isHandledAgain(_ evidence: Evidence) -> Bool {
        var committed: Set<EventID> = []
        return evidence.client.contains { entry in
            switch entry {
            case .record(.event(let record)):
                if record.result == .committed, let id = record.id { committed.insert(id) }
                return false
            case .app(let record):
                guard case .handling(let id?) = record.event else { return false }
                return committed.contains(id)
            case .record:
                return false
            }
        }
    }

    /// Ids that did not follow what the request said, or the id before them.
    static func wronglySent(_ evidence: Evidence) -> [Int] {
        evidence.requests.flatMap { request in
            let ids = evidence.sentEvents.filter { $0.connection == request.connection }.map(\.id)
            let cursor = request.summary.lastEventID.flatMap { Int($0) } ?? 0
            return zip(ids, [cursor] + ids).compactMap { $0 == $1 + 1 ? nil : $0 }
        }
    }

    /// Ids that were handled although none had been sent whole by then.
    static func handledUnsent(_ evidence: Evidence) -> [String] {
        evidence.app.compactMap { record in
            guard case .handling(let id?) = record.event else { return nil }
            let isSent = evidence.sentEvents.contains {
                String($0.id) == id.text && $0.at <= record.at
            }
            return isSent ? nil : id.text
        }
    }

    /// Ids that were sent whole on a connection that nothing reset, and never came to the app.
    static func sentUnhandled(_ evidence: Evidence) -> [Int] {
        guard evidence.leftAt == nil else { return [] }
        let known = Set(ScenarioExpectation.handled(evidence))
            .union(evidence.events.compactMap { $0.id?.text })
        let reset = evidence.endpoint.compactMap { entry in
            entry.event == .resetSent || entry.event == .resetReceived ? entry.connection : nil
        }
        return evidence.sentEvents.compactMap { sent in
            known.contains(String(sent.id)) || reset.contains(sent.connection) ? nil : sent.id
        }
    }
}

extension ScenarioExpectation {
    /// What shows that something of an old generation was believed.
    static let standingIdentity: [ScenarioExpectation] = [
        .generationsRise, .ignoredChangesNothing, .nothingAfterItsEnd, .readsOnlyAccepted,
    ]

    /// Whether it is about which events were handled, and when the cursor moved.
    var isAboutEvents: Bool {
        switch self {
        case .handled, .applied, .appliedBytes, .appliedAll, .skipped, .failures, .cursors,
            .lastEventIDs,
            .requestsSayTheCursor, .cursorMovesByCommit:
            true
        default: false
        }
    }

    /// Where to look first when it is not met and no rule says more.
    var stage: Stage {
        switch self {
        case .generationsRise, .ignored, .ignoredChangesNothing, .nothingAfterItsEnd,
            .readsOnlyAccepted:
            .identity
        case .pings, .pongs, .firstPing, .pingAfterPong, .oneOutstandingPing, .deathAfterPing,
            .pingAfterForeground, .calmInBackground:
            .heartbeat
        case .causes, .firstCauses, .oneCauseEach: .close
        case .opened, .messages, .sends, .endpoint, .sentAhead: .transport
        case .waitBetweenAttempts, .endpointConnections, .silenceAfterLeaving, .nothingLeftOpen,
            .readingEnds:
            .scheduling
        case .handled, .applied, .appliedBytes, .appliedAll: .parserBoundary
        case .skipped, .failures, .cursors, .cursorMovesByCommit: .deduplication
        case .lastEventIDs, .requestsSayTheCursor: .requestHeader
        case .banners, .paths, .outcomes, .expensive, .pathVerdicts: .pathHint
        }
    }
}
