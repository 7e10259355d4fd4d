import Belay
import BelayCore
import BelayFaults
import BelayTransport

/// One scenario under way: its client, its endpoint, its evidence.
actor ScenarioRun {
    private let scenario: Scenario
    private let transports: AcceptanceTransports
    private let seed: UInt64
    private let log = EvidenceLog()
    private let endpoint: Endpoint
    private let app: ScriptedApp
    private let pathScript: ScriptedPath
    private let path: NetworkPath

    private var port: UInt16 = 0
    private var ledger: MemoryLedger
    private var subject: Subject?
    private var reader: Task<Void, Never>?
    /// How often reading was begun: the end of each is waited for.
    private var readings = 0
    /// The step under way, from 1.
    private var place = 0

    init(_ scenario: Scenario, transports: AcceptanceTransports, seed: UInt64) {
        self.scenario = scenario
        self.transports = transports
        self.seed = scenario.seed(from: seed)
        endpoint = Endpoint(plan: scenario.plan(seed: seed))
        app = ScriptedApp(scenario.client.handler) { [log, domain = transports.domain] event in
            log.append(.app(AppRecord(at: domain.now, event)))
        }
        pathScript = ScriptedPath(domain: transports.domain)
        path = NetworkPath(observer: pathScript) { [log] in log.append(.record($0)) }
        ledger = scenario.client.ledger
    }

    /// Takes all steps, within the scenario's limit, and cleans up whatever comes of them.
    func run(_ gauge: StallGauge) async -> (Evidence, ScenarioCourse) {
        let ticket = await gauge.begin()
        let start = now
        var end = await limitedSteps()
        let duration = now - start
        if await !leave(), end == .finished { end = .notStopped }
        let evidence = await evidence()
        await endpoint.stop()
        let slowness = await gauge.end(ticket)
        return (evidence, ScenarioCourse(end: end, duration: duration, slowness: slowness))
    }

    private nonisolated var now: Milliseconds { transports.domain.now }

    private func record(_ event: AppRecord.Event) {
        log.append(.app(AppRecord(at: now, event)))
    }

    // MARK: Steps

    private func limitedSteps() async -> ScenarioCourse.End {
        do {
            port = try await endpoint.start()
            try makeSubject()
        } catch {
            return .notStarted("\(error)")
        }
        if await isDone(within: scenario.limit, { await self.takeSteps() }) { return .finished }
        return Task.isCancelled ? .interrupted : .overLimit(step: place)
    }

    /// Whether `work`, which ends early when it is cancelled, says within so many milliseconds that
    /// it is done.
    private nonisolated func isDone(
        within length: Milliseconds, _ work: @escaping @Sendable () async -> Bool
    ) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await work() }
            group.addTask {
                // Cancelled when the work was done first.
                try? await Task.sleep(for: .milliseconds(length))
                return false
            }
            let isDone = await group.next() ?? false
            group.cancelAll()
            return isDone
        }
    }

    /// Whether all steps were taken.
    private func takeSteps() async -> Bool {
        for step in scenario.steps {
            guard !Task.isCancelled else { return false }
            place += 1
            record(.step(place))
            await take(step)
        }
        guard !Task.isCancelled else { return false }
        record(.finished)
        return true
    }

    private func take(_ step: ClientStep) async {
        switch step {
        case .read: read()
        case .cancel: await cancelReading()
        case .close: await close()
        case .pretendToLeave: record(.left)
        case .send(let text): await send(text)
        case .reconnect: await wish(.reconnect)
        case .retry: await wish(.retry)
        case .background: await leaveForeground()
        case .foreground: await enterForeground()
        case .forgetCursor: await restart(with: scenario.client.ledger)
        case .restart: await restart(with: ledger)
        case .observePath: await observePath()
        case .path(let update, let observation): await report(update, from: observation)
        case .show: await show()
        case .until(let condition): await log.wait(for: condition)
        case .wait(let length):
            // Cancelled at the scenario's limit.
            try? await Task.sleep(for: .milliseconds(length))
        }
    }

    // MARK: The client

    private func makeSubject() throws {
        let subject = try Subject(
            scenario.client, port: port, transports: transports, ledger: ledger, seed: seed,
            evidence: { [log] in log.append(.record($0)) })
        subject.inform(by: path)
        self.subject = subject
    }

    private func read() {
        guard let subject else { return }
        readings += 1
        record(.reading)
        reader = Task { [app, log, domain = transports.domain] in
            let end = await subject.read(app) { event in
                log.append(.app(AppRecord(at: domain.now, event)))
            }
            log.append(.app(AppRecord(at: domain.now, .readingEnded(end))))
        }
    }

    private func cancelReading() async {
        reader?.cancel()
        await haveLeft()
    }

    private func close() async {
        subject?.perform(.close)
        await haveLeft()
    }

    /// Notes the leaving when reading ended and nothing is under way.
    private func haveLeft() async {
        if readings > 0 { await log.wait(for: Condition(.readingEnded, times: readings)) }
        await subject?.waitUntilStopped()
        record(.left)
    }

    private func send(_ text: String) async {
        let succeeded = await subject?.send(text) ?? false
        record(.sendEnded(succeeded: succeeded))
    }

    /// Asks, and returns when the connection has been asked.
    private func wish(_ wish: Subject.Wish) async {
        subject?.perform(wish)
        await domainTurn()
    }

    /// By the path, as an app does it: one call for all that must know. One turn for the path, one
    /// for the connection.
    private func leaveForeground() async {
        path.enterBackground()
        await domainTurn()
        await domainTurn()
    }

    private func enterForeground() async {
        path.enterForeground()
        await domainTurn()
        await domainTurn()
    }

    private func restart(with ledger: MemoryLedger) async {
        reader?.cancel()
        if readings > 0 { await log.wait(for: Condition(.readingEnded, times: readings)) }
        await subject?.waitUntilStopped()
        self.ledger = ledger
        record(.restarted)
        do {
            try makeSubject()
            read()
        } catch {
            preconditionFailure("the same address was good before: \(error)")
        }
    }

    // MARK: The path

    private func observePath() async {
        path.restart()
        await domainTurn()
    }

    private func report(_ update: PathUpdate, from observation: ClientStep.Observation) async {
        pathScript.report(update, from: observation)
        // One turn for the report, one for what connections make of it.
        await domainTurn()
        await domainTurn()
    }

    private func show() async {
        await domainTurn()
        let (hint, outcome) = (path.hint, subject?.outcome ?? .none)
        let banner = Banner(
            path: hint.state, outcome: outcome, isContradicted: contradicts(hint))
        record(
            .shown(banner, path: hint.state, outcome: outcome, expensive: hint.expensive))
    }

    /// Whether a connection opened since the path last said something new.
    private func contradicts(_ hint: NetworkHint) -> Bool {
        var contradiction = PathContradiction()
        var said = NetworkHint()
        for case .record(let record) in log.evidence.client {
            switch record {
            case .path(let report) where report.verdict == .accepted:
                let before = said
                while said.generation < report.generation { _ = said.restart() }
                said.accept(generation: report.generation, report.update)
                contradiction.hintChanged(from: before, to: said)
            case .connection(let record) where record.verdict == .accepted:
                if case .opened = record.input { contradiction.succeeded(under: hint) }
            case .path, .connection, .event:
                break
            }
        }
        return contradiction.stands
    }

    /// Returns when the domain did what it was asked before.
    private func domainTurn() async {
        await withCheckedContinuation { continuation in
            transports.domain.submit { continuation.resume() }
        }
    }

    // MARK: The end

    /// Leaves nothing behind, also where a step hung. `false` where the client goes on all the
    /// same: one that does not stop must not stop the judge.
    private func leave() async -> Bool {
        reader?.cancel()
        // Also a run that was cancelled waits for its client: hence a task of its own.
        let leaving = Task { [log, subject, readings] in
            await isDone(within: ScenarioCourse.stopLimit) {
                if readings > 0 { await log.wait(for: Condition(.readingEnded, times: readings)) }
                await subject?.waitUntilStopped()
                return !Task.isCancelled
            }
        }
        reader = nil
        return await leaving.value
    }

    /// Both sides, once the endpoint has seen the end of every connection that it accepted.
    private func evidence() async -> Evidence {
        let patience = Task {
            // The endpoint's side of an end comes a moment after ours; a lost one never.
            try? await Task.sleep(for: .milliseconds(200))
        }
        defer { patience.cancel() }
        await withTaskGroup { group in
            group.addTask { await patience.value }
            group.addTask { [endpoint] in
                await endpoint.waitUntil { entries in
                    entries.count { $0.event == .accepted } <= entries.count { $0.event == .ended }
                }
            }
            await group.next()
            group.cancelAll()
        }
        var evidence = log.evidence
        let record = await endpoint.record
        evidence.endpoint = record.entries
        evidence.omitted += record.omitted
        return evidence
    }
}
