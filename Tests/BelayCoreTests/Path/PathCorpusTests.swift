import BelayCore
import Testing

@Suite struct `The corpus of reports about paths` {
    // P1, P2, P3, P4, P10, P12
    @Test(arguments: try PathReplay.all())
    func `ends as it should`(_ replay: PathReplay) {
        for offset in [0, 1, 7] as [UInt64] {
            var app = ReplayedApp(offset: offset)
            for step in replay.steps { app.take(step) }
            #expect(app.faults == [], "offset \(offset)")
            expect(replay.expected, of: app)
        }
    }

    private func expect(_ expected: PathReplay.Expectation, of app: ReplayedApp) {
        let status = "\(app.connection.machine.status.name)"
        if let path = expected.path { #expect("\(app.hint.state)" == path) }
        if let banner = expected.banner { #expect("\(app.banner)" == banner) }
        if let outcome = expected.outcome { #expect("\(app.outcome)".hasPrefix(outcome)) }
        if let connection = expected.connection {
            #expect(connection.split(separator: "|").contains { $0 == status }, "\(status)")
        }
        if let attempts = expected.attempts { #expect(attempts.range.contains(app.attempts)) }
        if let pings = expected.pings { #expect(pings.range.contains(app.pings)) }
    }

    // P3, P4
    @Test(arguments: try PathReplay.all())
    func `breaks nothing with any two neighbours swapped`(_ replay: PathReplay) {
        for index in replay.steps.indices.dropLast() {
            var app = ReplayedApp()
            for step in replay.swapped(at: index).steps { app.take(step) }
            #expect(app.faults == [], "swapped at \(index)")
        }
    }

    // P4
    @Test(arguments: try PathReplay.all(), [UInt64.max - 49, 50])
    func `changes nothing where every report is of another generation`(
        _ replay: PathReplay, _ shift: UInt64
    ) {
        var app = ReplayedApp(offset: 100)
        // The app's own steps and the passing of time go on; nothing that is reported counts.
        var alone = ReplayedApp(offset: 100)
        for step in replay.steps {
            app.take(step, shift: shift)
            alone.take(
                step.src == .path || step.src == .conn ? PathReplay.Step.time(step.t) : step)
            #expect(app.hint == alone.hint)
            #expect(app.outcome == alone.outcome)
            #expect(app.connection.decisions == alone.connection.decisions)
        }
        #expect(app.faults == [])
        #expect(app.hint.state == .unknown)
    }

    // P4
    @Test(arguments: try PathReplay.all(), [UInt64.max, 1])
    func `breaks nothing where reports are of a neighbouring generation`(
        _ replay: PathReplay, _ shift: UInt64
    ) {
        // Those of some steps are then of the generation that lives, and count.
        var app = ReplayedApp(offset: 100)
        for step in replay.steps { app.take(step, shift: shift) }
        #expect(app.faults == [])
    }

    /// The rows of the collection of reports; a number that is left out was no report of its own.
    private static let rows =
        [1...10, 12...15, 17...20, 22...26, 28...33, 35...42].flatMap { Array($0) }

    @Test func `has a file for each row`() throws {
        #expect(try PathReplay.all().map(\.row) == Self.rows)
    }
}
