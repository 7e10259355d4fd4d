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
    /// Asks the respondent for the connection of this number, if there is one.
    var ask: ((PlainRequest, Int) -> Task<Void, Never>)?
    /// How long the content of a request to it may be.
    var bodyLimit: Int?
    private(set) var plan: FaultPlan
    private var log = EntryLog()
    private var omitted = 0
    private var connections: [EndpointConnection] = []
    private var acceptedCount = 0
    private var waiters: [Int: Waiter] = [:]
    /// The entries as values while somebody waits for one, read on as they come.
    private var shown: [EndpointEntry] = []
    private var reader = EntryLog.Reader()
    private var isCheckPlanned = false
    /// Lent to one connection at a time, so that reading sets no array aside.
    private var elements: [MessageAssembler.Element] = []

    init(loop: EventLoop, plan: FaultPlan, limits: EndpointLimits) {
        self.loop = loop
        self.plan = plan
        self.limits = limits
    }

    // MARK: Connections

    func accept(_ stream: TCPStream) {
        acceptedCount += 1
        guard connections.count < limits.connections else {
            record(.overLimit, of: acceptedCount)
            return stream.reset()
        }
        let connection = EndpointConnection(number: acceptedCount, stream: stream, core: self)
        connection.place = Int32(connections.count)
        connections.append(connection)
        connection.begin()
    }

    /// The connection has closed. The last that is recorded of it.
    func ended(_ connection: EndpointConnection, by error: SocketError? = nil) {
        guard let place = connection.place else { return }
        connection.place = nil
        // The last one takes its place: nothing is moved up.
        let last = connections.removeLast()
        if last !== connection {
            connections[Int(place)] = last
            last.place = place
        }
        if error == .reset { record(.resetReceived, of: connection.number) }
        record(.ended, of: connection.number)
        // It may have ended in the midst of a call of its own, which goes on after this.
        loop.putOff { withExtendedLifetime(connection) {} }
    }

    /// The respondent's answer; of a connection that has ended by now, it is dropped.
    func answer(_ answer: PlainAnswer, to number: Int) {
        connections.first { $0.number == number }?.answered(answer)
    }

    func setPlan(_ plan: FaultPlan) {
        self.plan = plan
        for connection in connections { connection.setPlan(plan) }
    }

    /// FIN for all. What is left of them ends by itself, and is none of the next start's.
    func endAll() {
        for connection in connections {
            connection.finish()
            connection.place = nil
            record(.ended, of: connection.number)
        }
        connections = []
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
        guard log.count < limits.recordEntries else { return omitted += 1 }
        log.append(EndpointEntry(at: loop.now, connection: connection, event))
        guard !waiters.isEmpty, !isCheckPlanned else { return }
        // Once a turn: a condition goes through all entries.
        isCheckPlanned = true
        loop.putOff { [self] in checkWaiters() }
    }

    var record: EndpointRecord {
        var entries: [EndpointEntry] = []
        entries.reserveCapacity(log.count)
        var reader = EntryLog.Reader()
        while let entry = log.next(&reader) { entries.append(entry) }
        return EndpointRecord(
            entries: entries, omitted: omitted, limit: limits.recordEntries)
    }

    func takeRecord() -> EndpointRecord {
        defer {
            log = EntryLog()
            omitted = 0
            hideEntries()
        }
        return record
    }

    var pendingWaits: Int { waiters.count }

    /// Answers `true` when the condition holds, at once if it does already.
    func wait(
        _ id: Int, until condition: @escaping @Sendable ([EndpointEntry]) -> Bool,
        _ answer: Answer<Bool>
    ) {
        readOn()
        if condition(shown) {
            answer.give(true)
            hideUnlessWaitedFor()
        } else {
            waiters[id] = Waiter(condition: condition, answer: answer)
        }
    }

    func cancelWait(_ id: Int) {
        _ = waiters.removeValue(forKey: id)?.answer.give(false)
        hideUnlessWaitedFor()
    }

    private func checkWaiters() {
        isCheckPlanned = false
        readOn()
        for (id, waiter) in waiters where waiter.condition(shown) {
            waiters[id] = nil
            waiter.answer.give(true)
        }
        hideUnlessWaitedFor()
    }

    private func readOn() {
        while let entry = log.next(&reader) { shown.append(entry) }
    }

    private func hideUnlessWaitedFor() {
        if waiters.isEmpty { hideEntries() }
    }

    private func hideEntries() {
        shown = []
        reader = EntryLog.Reader()
    }
}
