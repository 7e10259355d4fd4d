import Testing

@testable import BelayCore

private let g1 = DrivenConnection.g1
private let g2 = DrivenConnection.g2

@Suite struct `A wait that a server asks for` {
    private func ended(
        _ cause: CloseCause, retryAfter: Milliseconds? = nil, chance: ExtremeChance = .greatest,
        _ policy: ReconnectPolicy = ReconnectPolicy()
    ) -> DrivenConnection {
        var connection = DrivenConnection.connecting(ConnectionPolicy(reconnect: policy))
        connection.chance = chance
        connection.handle(.ended(g1, cause, retryAfter: retryAfter), at: 0)
        return connection
    }

    @Test(arguments: zip(ExtremeChance.allCases, [5_000, 30_000]))
    func `after a restart is spread over the policy's range`(
        _ chance: ExtremeChance, _ until: Milliseconds
    ) {
        let connection = ended(.peerClosed(code: 1_012), chance: chance)
        #expect(connection.machine.nextDeadline == until)
    }

    @Test(
        arguments: [.peerClosed(code: 1_013), .handshakeRefused(status: 429)] as [CloseCause],
        [(.least, 15_000), (.greatest, 30_000)] as [(ExtremeChance, Milliseconds)])
    func `with too much to do is half of the longest wait at least`(
        _ cause: CloseCause, _ draw: (chance: ExtremeChance, until: Milliseconds)
    ) {
        #expect(ended(cause, chance: draw.chance).machine.nextDeadline == draw.until)
    }

    @Test(arguments: zip(ExtremeChance.allCases, [120_250, 121_000]))
    func `is kept, and the usual wait comes on top`(
        _ chance: ExtremeChance, _ until: Milliseconds
    ) {
        let refused = CloseCause.handshakeRefused(status: 503)
        let connection = ended(refused, retryAfter: 120_000, chance: chance)
        #expect(connection.machine.nextDeadline == until)
    }

    @Test(
        arguments: [(-5, 1_000), (0, 1_000), (.max, 3_601_000)] as [(Milliseconds, Milliseconds)])
    func `is kept within its limits`(_ wish: Milliseconds, _ until: Milliseconds) {
        let connection = ended(.handshakeRefused(status: 503), retryAfter: wish)
        #expect(connection.machine.nextDeadline == until)
    }

    @Test func `does not make a refusal that stops come back`() {
        let connection = ended(.handshakeRefused(status: 404), retryAfter: 1_000)
        #expect(connection.machine.status == .stopped(.handshakeRefused(status: 404)))
    }

    @Test func `is not shortened below its least by a path`() {
        var connection = ended(.peerClosed(code: 1_012))
        connection.handle(.pathHint(.available), at: 100)
        #expect(connection.machine.nextDeadline == 6_000)
    }

    @Test(arguments: [[.background], []] as [[ConnectionInput]])
    func `goes on where the app comes back before its least`(_ before: [ConnectionInput]) {
        var connection = DrivenConnection.connecting()
        // The connection is lost in the background, or waits when the app goes there.
        for input in before { connection.handle(input, at: 0) }
        connection.handle(
            .ended(g1, .handshakeRefused(status: 503), retryAfter: 120_000), at: 0)
        connection.handle(.background, at: 10)
        #expect(connection.machine.status == .suspended)
        #expect(connection.machine.nextDeadline == nil)
        var late = connection
        #expect(
            connection.handle(.foreground, at: 119_999) == ConnectionReaction(.accepted))
        #expect(connection.machine.nextDeadline == 121_000)
        #expect(
            late.handle(.foreground, at: 120_000) == ConnectionReaction(.accepted, open: g2))
    }

    // P3
    @Test func `does not hold back a user's retry`() {
        var connection = ended(.handshakeRefused(status: 503), retryAfter: 120_000)
        #expect(connection.handle(.connect, at: 100) == ConnectionReaction(.accepted, open: g2))
    }

    @Test func `counts as a failure, and against the limit of attempts`() {
        let policy = ReconnectPolicy(attemptLimit: 2)
        var connection = ended(.peerClosed(code: 1_013), policy)
        #expect(connection.machine.failures == 1)
        connection.handle(.deadlineReached(g1), at: 30_000)
        connection.handle(.ended(g2, .peerClosed(code: 1_013)), at: 30_000)
        #expect(connection.machine.status == .stopped(.peerClosed(code: 1_013)))
    }
}

@Suite struct `Credentials that are refused` {
    private let refused = CloseCause.handshakeRefused(status: 401)

    @Test func `stop a connection that has no others`() {
        var connection = DrivenConnection.connecting()
        connection.handle(.ended(g1, refused), at: 0)
        #expect(connection.machine.status == .stopped(refused))
    }

    @Test func `are asked for anew as often as the policy says`() {
        var connection = asking
        connection.handle(.ended(g1, refused), at: 0)
        #expect(connection.machine.status == .waiting(until: 1_000))
        connection.handle(.deadlineReached(g1), at: 1_000)
        connection.handle(.ended(g2, refused), at: 1_100)
        #expect(connection.machine.status == .stopped(refused))
    }

    @Test func `are asked for again after a connection that opened, or a new life`() {
        var connection = asking
        connection.handle(.ended(g1, refused), at: 0)
        connection.handle(.deadlineReached(g1), at: 1_000)
        connection.handle(.opened(g2), at: 1_100)
        connection.handle(.ended(g2, .reset), at: 1_200)
        connection.handle(.connect, at: 1_300)
        connection.handle(.ended(Generation(3), refused), at: 1_400)
        #expect(connection.machine.status == .waiting(until: 5_400))
        connection.handle(.connect, at: 1_500)
        connection.handle(.ended(Generation(4), refused), at: 1_600)
        #expect(connection.machine.status == .stopped(refused))
        connection.handle(.connect, at: 1_700)
        connection.handle(.ended(Generation(5), refused), at: 1_800)
        #expect(connection.machine.status == .waiting(until: 2_800))
    }

    private var asking: DrivenConnection {
        .connecting(ConnectionPolicy(reconnect: ReconnectPolicy(credentialAttempts: 1)))
    }
}
