import Testing

@testable import BelayCore

/// Requirement P10: what one thing that happens changes of all that an app has, and what not.
@Suite struct `The matrix of what happens to a path` {
    typealias Step = PathReplay.Step

    /// Of what an app has, what can be told apart from the rest.
    enum Part: CaseIterable {
        case path, outcome, banner, connection, downloads

        func isSame(_ one: ReplayedApp, _ other: ReplayedApp) -> Bool {
            switch self {
            case .path:
                (one.hint.generation, one.hint.state, one.hint.reason)
                    == (other.hint.generation, other.hint.state, other.hint.reason)
            case .outcome: one.outcome == other.outcome
            case .banner: one.banner == other.banner
            case .connection: one.connection.decisions == other.connection.decisions
            // What a path costs is theirs alone.
            case .downloads: one.downloads == other.downloads && one.begun == other.begun
            }
        }
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let before: [Step]
        let event: [Step]
        /// What the event changes; the rest stays as it was.
        let changes: Set<Part>
        let path: PathState
        let outcome: RequestOutcome
        let banner: Banner
        let status: String
        /// How often was connected, ten seconds later.
        let attempts: Int
        /// What becomes of a backup that is submitted behind the event.
        let backup: DeferredWork<String>.Answer
        /// Backups that had been submitted, and were begun by then.
        var begun: [String] = []
    }

    private static let start = Step(t: 0, src: .monitor, do: "restart")
    private static let connect = Step(t: 2, src: .user, do: "connect")
    private static let opened = Step(t: 3, src: .conn, gen: 1, event: "opened")

    private static func path(
        _ t: Int64, _ state: PathState, _ change: UInt32, expensive: Bool = false, gen: UInt64 = 1
    ) -> Step {
        Step(
            t: t, src: .path, gen: gen, state: "\(state)", expensive: expensive, change: change)
    }

    // P1, P2, P3, P4, P10, P11, P12
    @Test(arguments: [
        Row(
            testDescription: "no callback: unknown, and requests are allowed",
            before: [start], event: [connect, opened],
            changes: [.outcome, .connection], path: .unknown, outcome: .succeeded,
            banner: .pathUnknown, status: "open", attempts: 1, backup: .deferred(.notReported)),
        Row(
            testDescription: "available, but a request fails: only the outcome, and what shows it",
            before: [start, path(1, .available, 1), connect],
            event: [Step(t: 100, src: .conn, gen: 1, event: "refused")],
            changes: [.outcome, .banner, .connection], path: .available,
            outcome: .failed(.notConnected), banner: .requestFailed, status: "waiting",
            attempts: 2, backup: .begin),
        Row(
            testDescription: "unavailable, then back: the banner goes, and nothing is repeated",
            before: [
                start, path(1, .available, 1), connect, opened,
                Step(t: 10, src: .user, do: "backUp"), path(6_000, .unavailable, 2),
                Step(t: 6_010, src: .conn, gen: 1, event: "pong"),
            ],
            event: [
                path(12_000, .available, 3),
                Step(t: 12_010, src: .conn, gen: 1, event: "pong"),
            ],
            changes: [.path, .banner, .connection], path: .available, outcome: .succeeded,
            banner: .none, status: "open", attempts: 1, backup: .begin, begun: ["backUp"]),
        Row(
            testDescription: "a cancelled monitor's event: nothing",
            before: [
                start, path(1, .available, 1), connect, opened,
                Step(t: 10, src: .monitor, do: "restart"), path(20, .available, 1, gen: 2),
                Step(t: 30, src: .conn, gen: 1, event: "pong"),
            ],
            event: [path(40, .unavailable, 2, expensive: true)],
            changes: [], path: .available, outcome: .succeeded, banner: .none, status: "open",
            attempts: 1, backup: .begin),
        Row(
            testDescription: "the same event twice: no retry beside the one that waits",
            before: [
                start, path(1, .available, 1), connect,
                Step(t: 100, src: .conn, gen: 1, event: "refused"), path(150, .unavailable, 2),
                path(200, .available, 3),
            ],
            event: [path(210, .available, 3), path(220, .available, 3)],
            changes: [], path: .available, outcome: .failed(.notConnected),
            banner: .requestFailed, status: "waiting", attempts: 2, backup: .begin),
        Row(
            testDescription: "a path that costs something now: only what is downloaded",
            before: [start, path(1, .available, 1), connect, opened],
            event: [path(9_000, .available, 1, expensive: true)],
            changes: [.downloads], path: .available, outcome: .succeeded, banner: .none,
            status: "open", attempts: 1, backup: .deferred(.expensive)),
        Row(
            testDescription: "a path that costs nothing any more: only what is downloaded",
            before: [
                start, path(1, .available, 1, expensive: true), connect, opened,
                Step(t: 10, src: .user, do: "backUp"),
            ],
            event: [path(9_000, .available, 1)],
            changes: [.downloads], path: .available, outcome: .succeeded, banner: .none,
            status: "open", attempts: 1, backup: .begin, begun: ["backUp"]),
        Row(
            testDescription: "a cost of a path that is missing: nothing, contradicted or not",
            before: [start, path(1, .unavailable, 1), connect, opened],
            event: [path(9_000, .unavailable, 1, expensive: true)],
            changes: [], path: .unavailable, outcome: .succeeded, banner: .pathContradicted,
            status: "open", attempts: 1, backup: .deferred(.notReported)),
    ])
    func `changes what it should, and nothing else`(_ row: Row) {
        var app = ReplayedApp()
        for step in row.before { app.take(step) }
        let before = app
        for step in row.event { app.take(step) }
        let changed = Part.allCases.filter { !$0.isSame(before, app) }
        #expect(Set(changed) == row.changes)
        #expect(app.hint.state == row.path)
        #expect(app.outcome == row.outcome)
        #expect(app.banner == row.banner)
        #expect("\(app.connection.machine.status.name)" == row.status)
        var downloads = app.downloads
        let end = row.event.last?.t ?? 0
        #expect(downloads.submit("another", as: .maintenance, now: end) == row.backup)
        app.take(.time(end + 10_000))
        #expect(app.attempts == row.attempts)
        #expect(app.begun == row.begun)
        #expect(app.faults == [])
    }
}
