import BelayCore
import BelayTCP
import BelayTransport
import BelayWire

/// What an endpoint owns on its loop: the plan, the connections and the record.
final class EndpointCore {
    private struct Waiter {
        let condition: @Sendable ([EndpointEntry]) -> Bool
        let answer: Answer<Bool>
    }

    let loop: EventLoop
    let limits: EndpointLimits
    private(set) var plan: FaultPlan
    private(set) var entries: EndpointRecord
    private var connections: [Int: EndpointConnection] = [:]
    private var acceptedCount = 0
    private var waiters: [Int: Waiter] = [:]
    private var isCheckPlanned = false
    /// Lent to one connection at a time, so that reading sets no array aside.
    private var elements: [MessageAssembler.Element] = []

    init(loop: EventLoop, plan: FaultPlan, limits: EndpointLimits) {
        self.loop = loop
        self.plan = plan
        self.limits = limits
        entries = EndpointRecord(limit: limits.recordEntries)
    }

    // MARK: Connections

    func accept(_ stream: TCPStream) {
        acceptedCount += 1
        guard connections.count < limits.connections else {
            record(.overLimit, of: acceptedCount)
            return stream.reset()
        }
        let connection = EndpointConnection(number: acceptedCount, stream: stream, core: self)
        connections[acceptedCount] = connection
        connection.begin()
    }

    /// The connection has closed. The last that is recorded of it.
    func ended(_ connection: EndpointConnection, by error: SocketError? = nil) {
        guard connections[connection.number] === connection else { return }
        connections[connection.number] = nil
        if error == .reset { record(.resetReceived, of: connection.number) }
        record(.ended, of: connection.number)
        // It may have ended in the midst of a call of its own, which goes on after this.
        loop.putOff { withExtendedLifetime(connection) {} }
    }

    func setPlan(_ plan: FaultPlan) {
        self.plan = plan
        for connection in connections.values { connection.setPlan(plan) }
    }

    /// FIN for all. What is left of them ends by itself, and is none of the next start's.
    func endAll() {
        for connection in connections.values {
            connection.finish()
            record(.ended, of: connection.number)
        }
        connections = [:]
        acceptedCount = 0
        for id in waiters.keys { cancelWait(id) }
    }

    /// An empty array with room.
    func takeElements() -> [MessageAssembler.Element] {
        var taken: [MessageAssembler.Element] = []
        swap(&taken, &elements)
        return taken
    }

    func giveBack(_ used: inout [MessageAssembler.Element]) {
        used.removeAll(keepingCapacity: used.count < 4_096)
        swap(&used, &elements)
    }

    // MARK: Record

    func record(_ event: EndpointEntry.Event, of connection: Int) {
        // No condition can change with an entry that is not kept.
        guard !entries.isFull else { return entries.omit() }
        entries.append(EndpointEntry(at: loop.now, connection: connection, event))
        guard !waiters.isEmpty, !isCheckPlanned else { return }
        // Once a turn: a condition goes through all entries.
        isCheckPlanned = true
        loop.putOff { [self] in checkWaiters() }
    }

    func takeRecord() -> EndpointRecord {
        let taken = entries
        entries = EndpointRecord(limit: limits.recordEntries)
        return taken
    }

    var pendingWaits: Int { waiters.count }

    /// Answers `true` when the condition holds, at once if it does already.
    func wait(
        _ id: Int, until condition: @escaping @Sendable ([EndpointEntry]) -> Bool,
        _ answer: Answer<Bool>
    ) {
        if condition(entries.entries) {
            answer.give(true)
        } else {
            waiters[id] = Waiter(condition: condition, answer: answer)
        }
    }

    func cancelWait(_ id: Int) {
        _ = waiters.removeValue(forKey: id)?.answer.give(false)
    }

    private func checkWaiters() {
        isCheckPlanned = false
        for (id, waiter) in waiters where waiter.condition(entries.entries) {
            waiters[id] = nil
            waiter.answer.give(true)
        }
    }
}
