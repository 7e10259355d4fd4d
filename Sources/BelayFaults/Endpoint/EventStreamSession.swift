import BelayCore
import BelayTCP

/// Tells the events of one response, in pieces where a fault wants to strike between them.
final class EventStreamSession {
    private static let kinds = Moment.Kinds([
        .beforeEvent, .afterID, .insideData, .beforeBlankLine, .afterEvent,
    ])

    private unowned let connection: EndpointConnection
    private let events: NumberedEvents
    private var nextID: Int
    /// Events told on this connection: what moments are numbered by.
    private var told = 0
    private var timer: LoopTimer?
    private var isBegun = false

    /// Events with an id greater than `last`.
    init(_ connection: EndpointConnection, _ events: NumberedEvents, after last: Int) {
        self.connection = connection
        self.events = events
        nextID = max(0, min(last, events.count)) + 1
    }

    func begin() {
        isBegun = true
        tell()
    }

    /// There is room again for events.
    func drained() {
        // With an interval the timer goes on.
        if isBegun, events.interval == 0 { tell() }
    }

    private func tell() {
        while !connection.isMuted, connection.isWritable {
            guard nextID <= events.count else {
                return connection.say([], at: Moment(.end), then: [.finish])
            }
            tellNext()
            if events.interval > 0, nextID <= events.count { return pause() }
        }
        // A client that does not read: the interval goes on, the events wait.
        if events.interval > 0, !connection.isMuted { pause() }
    }

    private func pause() {
        let timer = timer ?? LoopTimer(on: connection.core.loop) { [unowned self] in tell() }
        self.timer = timer
        timer.arm(at: connection.core.loop.now.moved(by: events.interval))
    }

    private func tellNext() {
        let id = nextID
        nextID += 1
        told += 1
        if connection.isPlain(Self.kinds) {
            connection.write { events.append(id, to: &$0) }
            connection.record(.eventSent(id: id))
        } else {
            tellInPieces(id)
        }
    }

    private func tellInPieces(_ id: Int) {
        let note = EndpointEntry.Event.eventSent(id: id)
        var event: [UInt8] = []
        let marks = events.append(id, to: &event)
        let places: [(Moment.Kind, Int)] = [
            (.beforeEvent, 0), (.afterID, marks.afterID), (.insideData, marks.insideData),
            (.beforeBlankLine, marks.blankLine),
        ]
        var said = 0
        var after: [Step] = []
        for (kind, place) in places where connection.concerns(kind) {
            let moment = Moment(kind, told)
            if said < place {
                connection.say(Array(event[said..<place]))
                said = place
            }
            guard var verdict = connection.verdict(at: moment, offer: Array(event[place...]))
            else { continue }
            event.replaceSubrange(place..., with: verdict.offer)
            guard let proceed = verdict.steps.firstIndex(of: .proceed) else {
                connection.perform(verdict.resolved(note: note))
                return connection.strike(Moment(.afterEvent, told))
            }
            let steps = verdict.steps
            verdict.steps = Array(steps[..<proceed])
            connection.perform(verdict.resolved(note: note))
            verdict.steps = Array(steps[(proceed + 1)...])
            after = verdict.resolved(note: note) + after
        }
        connection.say(Array(event[said...]), note: note)
        connection.perform(after)
        connection.strike(Moment(.afterEvent, told))
    }
}
