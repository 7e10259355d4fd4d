import Testing

@testable import BelayCore

@Suite struct `The transitions of a connection` {
    @Test func `are the reviewed ones`() throws {
        var table = TransitionTable(
            "ConnectionMachine: each state with each input; g1 is the present generation.",
            "Pings each 25000 ms, answer within 10000, longest silence 60000; the other",
            "numbers are the defaults, and each wait is the longest that may be drawn.",
            "Read: input and its time, verdict and orders, state after; = is unchanged.",
            "Written by Scripts/record; reviewed like code.")
        for (name, connection) in states {
            let before = describe(connection)
            table.state(name, is: before)
            let due = connection.machine.nextDeadline ?? 90_000
            let atTheDeadline: [ConnectionInput] = [
                .deadlineReached(g1), .prepared(g1), .opened(g1), .pong(g1, ping: 1),
            ]
            for (input, now) in inputs(of: connection).map({ ($0, due - 1) })
                + atTheDeadline.map({ ($0, due) }) + reports(of: .zero).map({ ($0, due) })
            {
                var after = connection
                let reaction = after.handle(input, at: now)
                table.row(
                    "\(input.line) at \(now)", reaction.line, before: before,
                    after: describe(after))
            }
        }
        try table.expectReviewed("connection")
    }

    private let g1 = DrivenConnection.g1

    private var states: [(String, DrivenConnection)] {
        let policy = ConnectionPolicy(
            silence: .after(60_000), reconnect: ReconnectPolicy(takesSnapshots: true))
        var waitingLong = DrivenConnection.open(policy)
        for _ in 1...3 { _ = waitingLong.machine.backoff.failed(using: &waitingLong.chance) }
        waitingLong.handle(.ended(g1, .reset), at: 1_000)
        var connectingBehind = DrivenConnection.connecting(policy)
        connectingBehind.handle(.background, at: 10)
        var openBehind = DrivenConnection.open(policy)
        openBehind.handle(.background, at: 10)
        var pingingBehind = DrivenConnection.pinging(policy)
        pingingBehind.handle(.background, at: 26_000)
        var paused = DrivenConnection.pinging(policy)
        paused.handle(.readingPaused(g1), at: 26_000)
        var pausedBehind = paused
        pausedBehind.handle(.background, at: 27_000)
        var suspendedByWish = DrivenConnection.connecting(policy)
        suspendedByWish.handle(.background, at: 10)
        suspendedByWish.handle(
            .ended(g1, .handshakeRefused(status: 503), retryAfter: 120_000), at: 1_000)
        return [
            ("idle", DrivenConnection(policy)),
            ("connecting", .connecting(policy)),
            ("connecting in the background", connectingBehind),
            ("open", .open(policy)),
            ("open, ping outstanding", .pinging(policy)),
            ("open in the background", openBehind),
            ("open in the background, ping outstanding", pingingBehind),
            ("open, reading paused, ping outstanding", paused),
            ("open in the background, reading paused", pausedBehind),
            ("open, to be asked because of the path", .doubted(policy)),
            ("closing", .closing()),
            ("waiting", .waiting(policy)),
            ("waiting after four failures", waitingLong),
            ("waiting without a path", .waitingWithoutPath(policy)),
            ("awaiting a snapshot", .awaitingSnapshot()),
            ("suspended", .suspended()),
            ("suspended by a server's wish", suspendedByWish),
            ("stopped", .stopped()),
        ]
    }

    private func inputs(of connection: DrivenConnection) -> [ConnectionInput] {
        let application: [ConnectionInput] = [.connect, .replace, .stop, .background, .foreground]
        let end: [ConnectionInput] = [
            .ended(g1, .peerClosed(code: 1_008)), .ended(g1, .peerClosed(code: 1_012)),
            .ended(g1, .peerClosed(code: 1_013)), .ended(g1, .handshakeRefused(status: 401)),
            .ended(g1, .handshakeRefused(status: 503), retryAfter: 120_000),
            .ended(g1, .cursorTooOld),
        ]
        return application + reports(of: g1) + end + PathState.allCases.map { .pathHint($0) }
    }

    private func reports(of id: Generation) -> [ConnectionInput] {
        [
            .prepared(id), .progressed(id), .snapshotEnded(id), .opened(id), .received(id),
            .partlyReceived(id), .sent(id),
            .pingHandedOver(id, ping: 1), .pong(id, ping: 1), .unsolicitedPong(id),
            .reconnectionTime(id, 9_000),
            .readingPaused(id), .readingResumed(id), .ended(id, .reset), .deadlineReached(id),
        ]
    }

    private func describe(_ connection: DrivenConnection) -> String {
        let machine = connection.machine
        let heartbeat =
            Mirror(reflecting: machine.heartbeat).children
            .first { $0.label == "state" }.map { plain($0.value) } ?? "?"
        var words = ["\(machine.generation) \(plain(machine.state))"]
        if case .open = machine.state { words.append("heartbeat \(heartbeat)") }
        words.append("failures \(machine.failures), next \(plain(machine.nextDeadline as Any))")
        if machine.isInBackground { words.append("background") }
        if let moment = machine.lastHintedAttempt { words.append("hinted \(moment)") }
        if let moment = machine.lastDoubt { words.append("doubted \(moment)") }
        if machine.path != .unknown { words.append("path \(machine.path)") }
        if machine.isPathContradicted { words.append("contradicted") }
        if machine.owesDoubt { words.append("owes a doubt") }
        if machine.backoff.ceiling != 1_000 { words.append("ceiling \(machine.backoff.ceiling)") }
        return words.joined(separator: "; ")
    }
}
