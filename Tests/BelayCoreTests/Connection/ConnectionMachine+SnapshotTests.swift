import Testing

@testable import BelayCore

private let g1 = DrivenConnection.g1
private let g2 = DrivenConnection.g2

@Suite struct `A cursor that is too old` {
    private let policy = ConnectionPolicy(
        reconnect: ReconnectPolicy(takesSnapshots: true, statuses: [410: .takeSnapshot]))

    // E2
    @Test(arguments: [.cursorTooOld, .handshakeRefused(status: 410)] as [CloseCause])
    func `waits for a snapshot, and for nothing else`(_ cause: CloseCause) {
        var connection = DrivenConnection.connecting(policy)
        connection.handle(.ended(g1, cause), at: 100)
        #expect(connection.machine.status == .awaitingSnapshot(g1))
        #expect(connection.machine.nextDeadline == nil)
        let others: [ConnectionInput] = [
            .connect, .replace, .deadlineReached(g1), .pathHint(.available), .opened(g1),
            .prepared(g1), .received(g1), .ended(g1, .reset), .snapshotEnded(.zero),
        ]
        for input in others {
            #expect(connection.handle(input, at: 1_000_000).open == nil)
            #expect(connection.machine.status == .awaitingSnapshot(g1))
        }
    }

    // E2
    @Test func `goes on after it, with what is left of the wait`() {
        var connection = DrivenConnection.connecting(policy)
        connection.handle(.ended(g1, .cursorTooOld), at: 100)
        let reaction = connection.handle(.snapshotEnded(g1), at: 400)
        #expect(reaction == ConnectionReaction(.accepted))
        #expect(connection.machine.status == .waiting(until: 1_100))
        #expect(connection.handle(.deadlineReached(g1), at: 1_100).open == g2)
    }

    @Test func `goes on at once where the snapshot took longer than the wait`() {
        var connection = DrivenConnection.connecting(policy)
        connection.handle(.ended(g1, .cursorTooOld), at: 100)
        connection.handle(.snapshotEnded(g1), at: 60_000)
        #expect(connection.machine.nextDeadline == 60_000)
    }

    @Test func `again is a failure more: snapshots are not asked for in a loop`() {
        var connection = DrivenConnection.connecting(policy)
        connection.handle(.ended(g1, .cursorTooOld), at: 0)
        connection.handle(.snapshotEnded(g1), at: 0)
        connection.handle(.deadlineReached(g1), at: 1_000)
        connection.handle(.ended(g2, .cursorTooOld), at: 1_000)
        connection.handle(.snapshotEnded(g2), at: 1_000)
        #expect(connection.machine.nextDeadline == 3_000)
    }

    @Test func `stops at the limit of attempts`() {
        var policy = policy
        policy.reconnect.attemptLimit = 1
        var connection = DrivenConnection.connecting(policy)
        connection.handle(.ended(g1, .cursorTooOld), at: 0)
        #expect(connection.machine.status == .stopped(.cursorTooOld))
    }

    @Test func `stops where nobody takes snapshots`() {
        var connection = DrivenConnection.connecting()
        connection.handle(.ended(g1, .cursorTooOld), at: 0)
        #expect(connection.machine.status == .stopped(.cursorTooOld))
    }

    // E15
    @Test func `is over when the program stops, whatever the snapshot says later`() {
        var connection = DrivenConnection.connecting(policy)
        connection.handle(.ended(g1, .cursorTooOld), at: 0)
        connection.handle(.stop, at: 10)
        let reaction = connection.handle(.snapshotEnded(g1), at: 20)
        #expect(reaction == ConnectionReaction(.alreadyEnded))
        #expect(connection.machine.status == .stopped(.closedLocally))
        #expect(connection.machine.nextDeadline == nil)
    }

    @Test func `in the background makes no attempt before the foreground`() {
        var connection = DrivenConnection.connecting(policy)
        connection.handle(.background, at: 0)
        connection.handle(.ended(g1, .cursorTooOld), at: 0)
        connection.handle(.snapshotEnded(g1), at: 10)
        #expect(connection.machine.status == .suspended)
        #expect(connection.handle(.foreground, at: 20).open == g2)
    }
}
