import Testing

@testable import BelayCore

private let g1 = DrivenConnection.g1
private let g2 = DrivenConnection.g2
private let firstPing = ConnectionPing(generation: g1, number: 1)
private let secondPing = ConnectionPing(generation: g1, number: 2)

@Suite struct `A path hint to a waiting connection` {
    // P3
    @Test func `shortens a wait to a short draw`() {
        var connection = DrivenConnection.waiting(longWait)
        #expect(connection.machine.nextDeadline == 21_000)
        #expect(
            connection.handle(.pathHint(.available), at: 3_000) == ConnectionReaction(.accepted))
        #expect(connection.machine.nextDeadline == 4_000)
        #expect(connection.machine.failures == 1)
    }

    @Test func `draws that wait, so that a fleet does not come at once`() {
        var connection = DrivenConnection.waiting(longWait)
        connection.chance = .least
        connection.handle(.pathHint(.available), at: 3_000)
        #expect(connection.machine.nextDeadline == 3_000)
    }

    @Test func `is followed after its spacing where another was followed before`() {
        var connection = DrivenConnection.waiting(longWait)
        connection.handle(.pathHint(.available), at: 3_000)
        connection.handle(.deadlineReached(g1), at: 4_000)
        connection.handle(.ended(g2, .reset), at: 4_100)
        connection.handle(.pathHint(.available), at: 4_200)
        #expect(connection.machine.nextDeadline == 9_000)
        let before = connection.decisions
        #expect(
            connection.handle(.pathHint(.available), at: 4_300) == ConnectionReaction(.duplicate))
        #expect(connection.decisions == before)
    }

    // P3, P11
    @Test(arguments: [PathState.unknown, .needsConnection, .available])
    func `never lengthens a wait by a path that may be there`(_ path: PathState) {
        var connection = DrivenConnection.waiting()
        connection.handle(.pathHint(path), at: 1_900)
        #expect(connection.machine.nextDeadline == 2_000)
        #expect(connection.handle(.deadlineReached(g1), at: 2_000).open == g2)
    }

    // P3, P11
    @Test(
        arguments: [(.least, 17_500), (.greatest, 32_500)] as [(ExtremeChance, Milliseconds)])
    func `without a path stretches a wait into the second half of the longest`(
        _ chance: ExtremeChance, _ until: Milliseconds
    ) {
        var connection = failedTwice
        #expect(connection.machine.nextDeadline == 4_500)
        connection.chance = chance
        #expect(
            connection.handle(.pathHint(.unavailable), at: 2_600) == ConnectionReaction(.accepted))
        #expect(connection.machine.nextDeadline == until)
        #expect(connection.handle(.deadlineReached(g2), at: until).open == Generation(3))
    }

    @Test func `without a path stretches the waits that follow too`() {
        var connection = DrivenConnection.waitingWithoutPath()
        #expect(connection.machine.nextDeadline == 31_000)
        connection.handle(.deadlineReached(g1), at: 31_000)
        connection.handle(.ended(g2, .connectFailed(.refused)), at: 31_100)
        #expect(connection.machine.nextDeadline == 61_100)
    }

    @Test func `without a path leaves the first wait alone, for it may be wrong`() {
        var connection = DrivenConnection.waiting()
        connection.handle(.pathHint(.unavailable), at: 1_500)
        #expect(connection.machine.nextDeadline == 2_000)
        var open = DrivenConnection.open()
        open.handle(.pathHint(.unavailable), at: 500)
        open.handle(.ended(g1, .reset), at: 1_000)
        #expect(open.machine.nextDeadline == 2_000)
    }

    @Test func `without a path keeps a later wait that a server asked for`() {
        var connection = failedTwice
        connection.handle(.connect, at: 2_600)
        let refused = CloseCause.handshakeRefused(status: 503)
        connection.handle(.ended(Generation(3), refused, retryAfter: 60_000), at: 3_000)
        #expect(connection.machine.nextDeadline == 67_000)
        connection.handle(.pathHint(.unavailable), at: 3_500)
        #expect(connection.machine.nextDeadline == 67_000)
    }

    @Test func `that flaps puts no attempt off for ever`() {
        var connection = failedTwice
        var moment: Milliseconds = 2_600
        while "\(connection.machine.status.name)" == "waiting", moment < 90_000 {
            connection.handle(.pathHint(moment % 200 == 0 ? .available : .unavailable), at: moment)
            #expect(connection.machine.nextDeadline ?? .never <= 32_500)
            moment += 100
            connection.handle(.deadlineReached(g2), at: moment)
        }
        #expect(connection.machine.status == .connecting(Generation(3)))
    }

    @Test func `comes at last where each return of the path is taken back`() {
        var connection = failedTwice
        connection.handle(.pathHint(.unavailable), at: 2_600)
        for moment in stride(from: 3_000, to: 32_000, by: 7_000) as StrideTo<Milliseconds> {
            connection.handle(.pathHint(.available), at: moment)
            connection.handle(.pathHint(.unavailable), at: moment + 1)
            #expect(connection.machine.nextDeadline == 32_500)
        }
        #expect(connection.handle(.deadlineReached(g2), at: 32_500).open == Generation(3))
    }

    // P2
    @Test(arguments: [401, 404, 503] as [UInt16])
    func `without a path stretches none once a server answered`(_ status: UInt16) {
        var connection = DrivenConnection.waitingWithoutPath(
            ConnectionPolicy(reconnect: ReconnectPolicy(statuses: [401: .retry, 404: .retry])))
        connection.handle(.connect, at: 3_000)
        connection.handle(.ended(g2, .handshakeRefused(status: status)), at: 4_000)
        #expect(connection.machine.nextDeadline == 8_000)
    }

    // P2
    @Test func `without a path stretches none once a ping was answered`() {
        var connection = DrivenConnection.open()
        _ = connection.machine.backoff.failed(using: &connection.chance)
        connection.handle(.pathHint(.unavailable), at: 500)
        connection.handle(.pong(g1, ping: 1), at: 600)
        connection.handle(.ended(g1, .reset), at: 1_000)
        #expect(connection.machine.nextDeadline == 3_000)
    }

    @Test(arguments: [10_000, 600_000, .max] as [Milliseconds])
    func `without a path stretches waits to a bound of its own, within the cap`(
        _ cap: Milliseconds
    ) {
        let backoff = BackoffPolicy(cap: cap)
        let connection = DrivenConnection.waitingWithoutPath(
            ConnectionPolicy(reconnect: ReconnectPolicy(backoff: backoff)))
        #expect(connection.machine.nextDeadline == 1_000 + min(cap, 30_000))
    }

    @Test func `that is back shortens a wait also while a snapshot is taken`() {
        var connection = DrivenConnection.open(
            ConnectionPolicy(reconnect: ReconnectPolicy(takesSnapshots: true)))
        _ = connection.machine.backoff.failed(using: &connection.chance)
        connection.handle(.pathHint(.unavailable), at: 500)
        connection.handle(.ended(g1, .cursorTooOld), at: 1_000)
        connection.handle(.pathHint(.available), at: 1_100)
        connection.handle(.snapshotEnded(g1), at: 1_200)
        #expect(connection.machine.nextDeadline == 2_100)
    }

    @Test func `that is back shortens a wait also in the background`() {
        var connection = DrivenConnection.waiting(longWait)
        connection.handle(.background, at: 1_500)
        connection.handle(.pathHint(.available), at: 2_000)
        guard case .suspended(let wait) = connection.machine.state else {
            Issue.record("not suspended")
            return
        }
        #expect(wait.until == 3_000)
    }

    // P2
    @Test func `without a path stretches none once a connection opened all the same`() {
        var connection = DrivenConnection.waitingWithoutPath()
        connection.handle(.connect, at: 3_000)
        connection.handle(.opened(g2), at: 3_100)
        connection.handle(.ended(g2, .reset), at: 4_000)
        #expect(connection.machine.nextDeadline == 8_000)
    }

    @Test func `is forgotten where the path is unknown again`() {
        var connection = DrivenConnection.waitingWithoutPath()
        connection.handle(.pathHint(.unknown), at: 3_000)
        connection.handle(.connect, at: 3_000)
        connection.handle(.ended(g2, .reset), at: 4_000)
        #expect(connection.machine.nextDeadline == 8_000)
    }

    // P3
    @Test func `without a path does not delay a person's attempt`() {
        var connection = DrivenConnection.waitingWithoutPath()
        #expect(connection.handle(.connect, at: 2_600).open == g2)
    }

    /// The second failure was at 2,500.
    private var failedTwice: DrivenConnection {
        var connection = DrivenConnection.waiting()
        connection.handle(.deadlineReached(g1), at: 2_000)
        connection.handle(.ended(g2, .reset), at: 2_500)
        return connection
    }

    private var longWait: ConnectionPolicy {
        let backoff = BackoffPolicy(base: 20_000)
        return ConnectionPolicy(reconnect: ReconnectPolicy(backoff: backoff))
    }
}

@Suite struct `A path hint to an open connection` {
    // P3, P11
    @Test func `without a path asks the connection, and ends nothing`() {
        var connection = DrivenConnection.open()
        #expect(
            connection.handle(.pathHint(.unavailable), at: 1_000)
                == ConnectionReaction(.accepted, ping: firstPing))
        #expect(connection.machine.status == .open(g1))
        #expect(connection.machine.nextDeadline == 4_000)
    }

    @Test func `asks the connection when the path changed`() {
        var connection = DrivenConnection.open()
        #expect(
            connection.handle(.pathHint(.available), at: 1_000) == ConnectionReaction(.accepted))
        #expect(
            connection.handle(.pathHint(.needsConnection), at: 2_000)
                == ConnectionReaction(.accepted, ping: firstPing))
        #expect(connection.machine.nextDeadline == 5_000)
    }

    @Test func `asks the connection also when the new path looks like the old one`() {
        var connection = DrivenConnection.open()
        connection.handle(.pathHint(.available), at: 1_000)
        #expect(connection.handle(.pathHint(.available), at: 2_000).ping == firstPing)
    }

    @Test(arguments: [PathState.available, .needsConnection])
    func `asks nothing where it is the first of an observation`(_ path: PathState) {
        var connection = DrivenConnection.open()
        #expect(connection.handle(.pathHint(path), at: 1_000) == ConnectionReaction(.accepted))
        #expect(connection.machine.nextDeadline == 25_000)
    }

    @Test func `that came too soon after another is followed after the spacing`() {
        var connection = DrivenConnection.doubted()
        #expect(connection.machine.nextDeadline == 6_000)
        #expect(connection.handle(.deadlineReached(g1), at: 5_999).ping == nil)
        #expect(connection.handle(.deadlineReached(g1), at: 6_000).ping == secondPing)
        #expect(connection.machine.nextDeadline == 9_000)
    }

    @Test func `that flaps costs a ping in each spacing`() {
        var connection = DrivenConnection.open()
        var pings = 0
        for moment in stride(from: 100, through: 20_100, by: 100) as StrideThrough<Milliseconds> {
            let path: PathState = moment % 200 == 0 ? .available : .unavailable
            for input in [ConnectionInput.pathHint(path), .deadlineReached(g1)] {
                guard let ping = connection.handle(input, at: moment).ping else { continue }
                pings += 1
                connection.handle(.pong(g1, ping: ping.number), at: moment)
            }
        }
        #expect(pings == 5)  // At 100, 5,100, and so on.
    }

    @Test func `while its reading is paused is followed when it is read again`() {
        var connection = DrivenConnection.open()
        connection.handle(.readingPaused(g1), at: 500)
        #expect(connection.handle(.pathHint(.unavailable), at: 1_000).ping == nil)
        #expect(connection.machine.nextDeadline == nil)
        connection.handle(.readingResumed(g1), at: 2_000)
        #expect(connection.handle(.deadlineReached(g1), at: 2_000).ping == firstPing)
        #expect(connection.machine.nextDeadline == 5_000)
    }

    @Test func `in the background is left to the return, which asks anyway`() {
        var connection = DrivenConnection.open()
        connection.handle(.background, at: 500)
        #expect(connection.handle(.pathHint(.unavailable), at: 1_000).ping == nil)
        #expect(connection.handle(.foreground, at: 9_000).ping == firstPing)
        #expect(connection.machine.nextDeadline == 12_000)
    }

    @Test func `leaves a connection to its silence where it is not to be asked`() {
        var connection = Self.stream(ConnectionPolicy(silence: .after(45_000)))
        #expect(connection.handle(.pathHint(.unavailable), at: 1_000).ping == nil)
        #expect(connection.machine.nextDeadline == 45_000)
    }

    @Test func `wants to hear of an event stream, which cannot be asked`() {
        var stream = Self.stream(ConnectionPolicy(silenceAfterChange: 20_000))
        #expect(stream.machine.nextDeadline == nil)
        #expect(stream.handle(.pathHint(.unavailable), at: 1_000).ping == nil)
        #expect(stream.machine.nextDeadline == 21_000)
        var heard = stream
        heard.handle(.received(g1), at: 20_999)
        #expect(heard.machine.nextDeadline == nil)
        #expect(stream.handle(.deadlineReached(g1), at: 21_000).ended?.cause == .idleTimedOut)
    }

    @Test func `never gives an event stream longer than its silence may last`() {
        var stream = Self.stream(
            ConnectionPolicy(silence: .after(10_000), silenceAfterChange: 20_000))
        stream.handle(.pathHint(.unavailable), at: 1_000)
        #expect(stream.machine.nextDeadline == 10_000)
    }

    @Test func `that flaps does not put the end of a silent stream off`() {
        var stream = Self.stream(ConnectionPolicy(silenceAfterChange: 20_000))
        for moment in stride(from: 1_000, to: 21_000, by: 500) as StrideTo<Milliseconds> {
            stream.handle(
                .pathHint(moment % 1_000 == 0 ? .unavailable : .available), at: moment)
            #expect(stream.handle(.deadlineReached(g1), at: moment).ended == nil)
        }
        #expect(stream.handle(.deadlineReached(g1), at: 21_000).ended?.cause == .idleTimedOut)
    }

    private static func stream(_ policy: ConnectionPolicy) -> DrivenConnection {
        var stream = DrivenConnection(
            policy, heartbeat: Heartbeat(interval: .max, timeout: .max))
        stream.handle(.connect, at: 0)
        stream.handle(.opened(g1), at: 0)
        return stream
    }
}

@Suite struct `A path that may have changed` {
    @Test func `is asked about by the first word behind an unknown one`() {
        var connection = DrivenConnection.open()
        connection.handle(.pathHint(.available), at: 1_000)
        #expect(connection.handle(.pathHint(.unknown), at: 2_000).ping == nil)
        #expect(connection.handle(.pathHint(.available), at: 2_100).ping == firstPing)
    }

    @Test func `is not asked about twice where a return to the foreground asked`() {
        var connection = DrivenConnection.open()
        connection.handle(.pathHint(.available), at: 1_000)
        connection.handle(.pathHint(.unknown), at: 2_000)
        connection.handle(.background, at: 2_000)
        #expect(connection.handle(.foreground, at: 9_000).ping == firstPing)
        connection.handle(.pong(g1, ping: 1), at: 9_100)
        #expect(connection.handle(.pathHint(.available), at: 9_200).ping == nil)
        #expect(connection.machine.nextDeadline == 34_100)
    }

    @Test func `amid a handshake is asked about once it opened`() {
        var connection = DrivenConnection.connecting()
        connection.handle(.pathHint(.available), at: 100)
        connection.handle(.pathHint(.needsConnection), at: 200)
        connection.handle(.opened(g1), at: 300)
        #expect(connection.handle(.deadlineReached(g1), at: 300).ping == firstPing)
        #expect(connection.machine.nextDeadline == 3_300)
    }

    @Test func `is forgotten by a new attempt, which goes by what is there`() {
        var connection = DrivenConnection.connecting()
        connection.handle(.pathHint(.unavailable), at: 100)
        connection.handle(.replace, at: 200)
        connection.handle(.opened(g2), at: 300)
        #expect(connection.machine.nextDeadline == 25_300)
    }

    @Test func `is not settled by the answer to a ping that was under way`() {
        var connection = DrivenConnection.pinging()
        connection.handle(.pathHint(.available), at: 25_100)
        connection.handle(.pathHint(.available), at: 25_200)
        #expect(connection.machine.nextDeadline == 28_200)
        connection.handle(.pong(g1, ping: 1), at: 25_300)
        #expect(connection.machine.nextDeadline == 30_200)
        #expect(connection.handle(.deadlineReached(g1), at: 30_200).ping == secondPing)
    }
}

@Suite struct `A path hint to any other connection` {
    @Test(
        arguments: PathState.allCases,
        [
            DrivenConnection(), .connecting(), .closing(), .stopped(), .suspended(),
            .awaitingSnapshot(),
        ])
    func `is remembered, and touches nothing`(_ path: PathState, _ connection: DrivenConnection) {
        var connection = connection
        let before = connection.machine
        let verdict: InputVerdict = path == .unknown ? .duplicate : .accepted
        #expect(connection.handle(.pathHint(path), at: 5_000) == ConnectionReaction(verdict))
        #expect(connection.machine.path == path)
        #expect(connection.machine.state == before.state)
        #expect(connection.machine.heartbeat == before.heartbeat)
    }
}
