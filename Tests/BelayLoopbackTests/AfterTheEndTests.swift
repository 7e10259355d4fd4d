import BelayCore
import BelayFaults
import BelayTransport
import Testing

@testable import Belay

/// After a stream was cancelled or closed its endpoint sees nothing of it: no request, no timer.
@Suite(.timeLimit(.minutes(5))) struct `A stream that was ended` {
    /// What it was doing when it was ended.
    enum Stage: CaseIterable {
        case attempting, asking, open, handling, takingASnapshot, waiting
    }

    enum Ending: CaseIterable { case cancelled, closed }

    private static var configuration: ConnectionConfiguration {
        var configuration = ConnectionConfiguration()
        configuration.shortestWait = .milliseconds(1)
        configuration.firstWait = .milliseconds(1)
        configuration.longestWait = .milliseconds(2)
        return configuration
    }

    /// The fault that keeps the first connection at the stage.
    private func rules(_ stage: Stage) -> [FaultRule] {
        let rule: FaultRule? =
            switch stage {
            case .attempting: FaultRule(on: 1, at: .request, .tcp(.stall))
            case .asking: nil
            case .open, .handling: FaultRule(on: 1, at: .afterEvent(.only(1)), .tcp(.stall))
            case .takingASnapshot: FaultRule(on: 1, at: .response, .http(.status(410)))
            case .waiting: FaultRule(on: 1, at: .response, .http(.status(503, retryAfter: 3_600)))
            }
        return rule.map { [$0] } ?? []
    }

    // E15
    @Test(arguments: Stage.allCases, Ending.allCases)
    func `is not heard of again`(_ stage: Stage, _ ending: Ending) async throws {
        let endpoint = Endpoint(plan: FaultPlan(rules: rules(stage)))
        let port = try await endpoint.start()
        let reached = Latest(false)
        let forEver = Answer<Void>()
        let requestHook = RequestHook<EventStreamRequest> { request, _ in
            guard stage == .asking else { return request }
            reached.publish(true)
            await forEver.value(ifCancelled: ())
            return request
        }
        let snapshotHook = SnapshotHook(on: .status(410)) { _ in
            reached.publish(true)
            await forEver.value(ifCancelled: ())
            return .from(nil)
        }
        let feed = EventSource(
            url: try ConnectionURL("http://127.0.0.1:\(port)/events"),
            ledger: MemoryLedger(lastEventID: "0"), configuration: Self.configuration,
            requestHook: requestHook, snapshotHook: snapshotHook)
        let processing = Task {
            try? await feed.process { _ in
                guard stage == .handling else { return }
                reached.publish(true)
                await withTaskCancellationHandler {
                    if ending == .cancelled { await forEver.value(ifCancelled: ()) }
                } onCancel: {
                }
            }
        }
        switch stage {
        case .attempting, .open:
            await endpoint.waitUntil { entries in
                entries.contains { if case .faultStruck = $0.event { true } else { false } }
            }
        case .asking, .handling, .takingASnapshot:
            for await isReached in LatestValues(source: reached) where isReached { break }
        case .waiting:
            for await status in feed.statuses { if case .waiting = status { break } }
        }
        switch ending {
        case .cancelled: processing.cancel()
        case .closed: feed.close()
        }
        await processing.value
        try await proveSilence(of: endpoint, port, connections: stage == .asking ? 0 : 1)
        await endpoint.stop()
    }

    /// Whichever comes first on two threads: the begin, or the close.
    // E15
    @Test func `does not open where it was closed before its task ran`() async throws {
        let endpoint = Endpoint()
        let port = try await endpoint.start()
        let url = try ConnectionURL("http://127.0.0.1:\(port)/events")
        for _ in 0..<50 {
            let feed = EventSource(url: url, configuration: Self.configuration)
            let processing = Task { try await feed.process { _ in } }
            feed.close()
            try await processing.value
            for await status in feed.statuses where status == .stopped(.closedLocally) { break }
        }
        await endpoint.stop()
    }

    /// Its connection is gone, and while another stream comes back twenty times, with the same
    /// waits, nothing more of it is seen.
    private func proveSilence(
        of endpoint: Endpoint, _ port: UInt16, connections: Int
    ) async throws {
        if connections > 0 {
            await endpoint.waitUntil { entries in
                entries.contains { $0.connection == 1 && $0.event == .ended }
            }
        }
        let before = await endpoint.takeRecord().entries
        #expect(before.count { $0.event == .accepted } == connections)
        var ends = 0
        let other = EventSource(
            url: try ConnectionURL("http://127.0.0.1:\(port)/events?count=40&cut=1"),
            ledger: MemoryLedger(lastEventID: "1"), configuration: Self.configuration)
        try await other.process { _ in
            ends += 1
            if ends == 20 { other.close() }
        }
        let after = await endpoint.record.entries
        let cursors = after.compactMap { entry -> String? in
            if case .request(let request) = entry.event { request.lastEventID } else { nil }
        }
        #expect(cursors.count >= 20)
        #expect(!cursors.contains("0"))
        #expect(after.allSatisfy { $0.connection > connections })
    }
}
