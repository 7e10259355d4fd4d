import BelayCore
import BelayFaults

// Lines made of records. Moments count from the run's start.
extension EvidenceLine {
    /// A file's first line.
    static func header(version: String, seed: UInt64, startedAt: String) -> EvidenceLine {
        var line = EvidenceLine(.header)
        line.schemaVersion = schemaVersion
        line.belayVersion = version
        line.seed = seed
        line.startedAt = startedAt
        return line
    }

    /// The lines of one scenario: both sides in the order of time, then the verdict.
    static func lines(
        of result: ScenarioResult, _ evidence: Evidence, origin: Milliseconds
    ) -> [EvidenceLine] {
        let id = result.scenario.id
        let client = evidence.client.map { EvidenceLine($0, of: id, origin: origin) }
        let endpoint = evidence.endpoint.map { EvidenceLine($0, of: id, origin: origin) }
        // A merge of two ordered rows: sorting is not stable, and within a side order is meaning.
        var lines: [EvidenceLine] = []
        var (mine, theirs) = (client[...], endpoint[...])
        while let a = mine.first, let b = theirs.first {
            let isMine = (a.atMilliseconds ?? 0) <= (b.atMilliseconds ?? 0)
            lines.append(isMine ? mine.removeFirst() : theirs.removeFirst())
        }
        return lines + mine + theirs + [EvidenceLine(result)]
    }

    init(_ entry: ClientEntry, of scenario: String, origin: Milliseconds) {
        switch entry {
        case .record(let record):
            self.init(record, of: scenario, origin: origin)
        case .app(let record):
            self.init(.app, scenario: scenario, at: record.at - origin)
            take(record.event)
        }
    }

    init(_ record: EvidenceRecord, of scenario: String? = nil, origin: Milliseconds = 0) {
        switch record {
        case .connection(let record):
            self.init(.connection, scenario: scenario, at: record.at - origin)
            take(record)
        case .event(let record):
            self.init(.event, scenario: scenario, at: record.at - origin)
            take(record)
        case .path(let record):
            self.init(.path, scenario: scenario, at: record.at - origin, what: "reported")
            take(record)
        }
    }

    init(_ entry: EndpointEntry, of scenario: String, origin: Milliseconds) {
        self.init(.endpoint, scenario: scenario, at: entry.at - origin, what: entry.event.name)
        connection = entry.connection
        number = entry.event.number.map(Int64.init)
        if case .request(let summary) = entry.event {
            method = summary.method
            requestPath = summary.path
            lastEventID = summary.lastEventID
        }
        if case .faultStruck(let moment) = entry.event { self.moment = moment.description }
    }

    init(_ result: ScenarioResult) {
        self.init(.verdict, scenario: result.scenario.id)
        verdict = result.verdict.rawValue
        requirements = result.scenario.requirements
        stage = result.stage?.rawValue
        reason = result.reason
        durationMilliseconds = result.duration
        findings = result.findings.map {
            FindingLine(
                observable: $0.observable, threshold: $0.threshold, observed: $0.observed,
                isMet: $0.isMet)
        }
    }

    private mutating func take(_ record: ConnectionRecord) {
        what = "\(record.input.name)"
        verdict = "\(record.verdict.name)"
        generation = record.generation.number
        inputGeneration = record.input.generation?.number
        before = "\(record.before.name)"
        after = "\(record.after.name)"
        byteCount = record.byteCount
        if let cause = record.cause { take(cause) }
        switch record.input {
        case .pingHandedOver(_, let ping), .pong(_, let ping): number = Int64(ping)
        case .reconnectionTime(_, let time): number = time
        case .pathHint(let state): path = "\(state)"
        default: break
        }
    }

    private mutating func take(_ record: EventRecord) {
        generation = record.generation.number
        eventID = record.id?.text
        cursor = record.cursor?.text
        if record.cannotBeAskedFor { cannotBeAskedFor = true }
        switch record.result {
        case .committed: what = "committed"
        case .passedOver: what = "passedOver"
        case .moved: what = "moved"
        case .skipped: what = "skipped"
        case .failed(let attempt): (what, self.attempt) = ("failed", attempt)
        case .gaveUp(let attempt): (what, self.attempt) = ("gaveUp", attempt)
        case .restarted: what = "restarted"
        case .snapshotFailed: what = "snapshotFailed"
        }
    }

    private mutating func take(_ record: PathRecord) {
        generation = record.generation.number
        verdict = "\(record.verdict.name)"
        path = "\(record.update.state)"
        pathChange = record.update.change
        pathReason = record.update.reason.map { "\($0)" }
        droppedReports = record.dropped
        isExpensive = record.update.expensive.known
        isConstrained = record.update.constrained.known
        after = "\(record.after)"
    }

    private mutating func take(_ event: AppRecord.Event) {
        switch event {
        case .step(let place): (what, number) = ("step", Int64(place))
        case .finished: what = "finished"
        case .restarted: what = "restarted"
        case .reading: what = "reading"
        case .opened(let id): (what, generation) = ("opened", id.number)
        case .message(let id, let count):
            (what, generation, byteCount) = ("message", id.number, count)
        case .closed(let id, let cause):
            (what, generation) = ("closed", id.number)
            take(cause)
        case .sendEnded(let succeeded): what = succeeded ? "sent" : "sendFailed"
        case .handling(let id): (what, eventID) = ("handling", id?.text)
        case .applied(let id, let count):
            (what, eventID, byteCount) = ("applied", id?.text, count)
        case .left: what = "left"
        case .readingEnded(let end):
            what = "readingEnded"
            outcome = end.name
            if case .closed(let cause) = end { take(cause) }
        case .shown(let banner, let path, let outcome, let expensive):
            what = "shown"
            self.banner = "\(banner)"
            self.path = "\(path)"
            self.outcome = outcome.text
            isExpensive = expensive
        }
    }

    private mutating func take(_ cause: CloseCause) {
        self.cause = "\(cause.name)"
        causeCode = cause.code
    }
}

extension AppRecord.ReadingEnd {
    /// The end in one word, as evidence writes it; a cause stands beside it.
    var name: String {
        switch self {
        case .returned: "returned"
        case .closed: "closed"
        case .handlerGaveUp: "handlerGaveUp"
        case .cancelled: "cancelled"
        case .alreadyReading: "alreadyReading"
        }
    }
}
