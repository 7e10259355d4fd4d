import Testing

@testable import BelayCore

/// What an application holds: a hint, an outcome, a connection. Nothing here joins the first two.
private struct App {
    var hint = NetworkHint()
    var outcome = RequestOutcome.none
    var connection = DrivenConnection.open()

    var banner: Banner { Banner(path: hint.state, outcome: outcome) }
}

@Suite struct `The matrix of path and outcome` {
    struct Row: CustomTestStringConvertible {
        let path: PathState
        let outcome: RequestOutcome
        let banner: Banner
        var testDescription: String { "\(path), \(outcome)" }
    }

    // P1, P2, P10, P12
    @Test(arguments: [
        Row(path: .unknown, outcome: .none, banner: .pathUnknown),
        Row(path: .unknown, outcome: .succeeded, banner: .pathUnknown),
        Row(path: .unknown, outcome: .failed(.timedOut), banner: .requestFailed),
        Row(path: .available, outcome: .none, banner: .none),
        Row(path: .available, outcome: .succeeded, banner: .none),
        Row(path: .available, outcome: .failed(.notAuthorized), banner: .requestFailed),
        Row(path: .needsConnection, outcome: .none, banner: .pathOnDemand),
        Row(path: .needsConnection, outcome: .succeeded, banner: .pathOnDemand),
        Row(path: .needsConnection, outcome: .failed(.notConnected), banner: .requestFailed),
        Row(path: .unavailable, outcome: .none, banner: .pathUnavailable),
        Row(path: .unavailable, outcome: .succeeded, banner: .pathUnavailable),
        Row(path: .unavailable, outcome: .failed(.notConnected), banner: .pathUnavailable),
    ])
    func `gives the banner`(_ row: Row) {
        #expect(Banner(path: row.path, outcome: row.outcome) == row.banner)
    }

    // P1, P2
    @Test(arguments: PathState.allCases, [RequestOutcome.none, .succeeded, .failed(.timedOut)])
    func `changes by a contradiction only where a success meets a missing path`(
        _ path: PathState, _ outcome: RequestOutcome
    ) {
        let isMet = path == .unavailable && outcome == .succeeded
        #expect(
            Banner(path: path, outcome: outcome, isContradicted: true)
                == (isMet ? .pathContradicted : Banner(path: path, outcome: outcome)))
    }

    @Test func `has a text of its own for each banner`() {
        let keys = Banner.allCases.map(\.textKey)
        #expect(Set(keys).count == keys.count)
        #expect(keys.allSatisfy { $0.hasPrefix("belay.banner.") })
    }

    // P1, P3, P10
    @Test func `without a callback shows unknown and allows a request`() {
        var app = App()
        _ = app.hint.restart()
        #expect(app.banner == .pathUnknown)
        app.connection = DrivenConnection()
        #expect(app.connection.handle(.connect, at: 0).open == DrivenConnection.g1)
    }

    // P2, P10, P12
    @Test(arguments: RequestFailure.allCases)
    func `changes only the outcome when a request fails on a path`(_ failure: RequestFailure) {
        var app = App()
        app.hint.accept(generation: app.hint.restart(), state: .available)
        let hint = app.hint
        app.outcome = .failed(failure)
        #expect(app.hint == hint)
        #expect(app.banner == .requestFailed)
    }

    // P2, P12
    @Test(arguments: PathState.allCases)
    func `keeps the outcome whatever the path says`(_ path: PathState) {
        var app = App()
        app.outcome = .failed(.serverFailed)
        app.hint.accept(generation: app.hint.restart(), state: path)
        #expect(app.outcome == .failed(.serverFailed))
    }

    // P10, P11
    @Test func `takes the banner away when the path is back, and repeats no operation`() {
        var app = App()
        let id = app.hint.restart()
        app.hint.accept(generation: id, state: .unavailable)
        app.connection.handle(.pathHint(.unavailable), at: 1_000)
        #expect(app.banner == .pathUnavailable)
        app.hint.accept(generation: id, state: .available)
        let reaction = app.connection.handle(.pathHint(.available), at: 9_000)
        #expect(app.banner == .none)
        // At most it is asked whether it lives.
        #expect(reaction.open == nil && reaction.close == nil && reaction.ended == nil)
    }

    // P10
    @Test func `does not collect retries when the same event comes twice`() {
        var waiting = DrivenConnection.waiting()
        waiting.handle(.pathHint(.available), at: 1_100)
        let once = waiting.decisions
        waiting.handle(.pathHint(.available), at: 1_200)
        #expect(waiting.decisions == once)
        #expect(waiting.handle(.deadlineReached(DrivenConnection.g1), at: 2_100).open != nil)
        #expect(waiting.handle(.deadlineReached(DrivenConnection.g1), at: 2_100).open == nil)
    }
}
