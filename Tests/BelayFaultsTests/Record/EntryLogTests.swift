import BelayCore
import Testing

@testable import BelayFaults

@Suite struct `The log of entries` {
    private static let summary = RequestSummary(method: "GET", path: "/ws", lastEventID: nil)
    private static let other = RequestSummary(method: "GET", path: "/events", lastEventID: "7")

    private static let events: [EndpointEntry.Event] =
        [
            .accepted, .overLimit, .request(summary), .request(other), .request(summary),
            .bodyReceived(byteCount: 1 << 20), .requestRefused(status: 431), .response(status: 101),
            .eventSent(id: .max),
            .pingReceived(1), .pongSent(64), .pongReceived(2), .messageReceived(byteCount: 0),
            .messageSent(byteCount: 16 << 20), .closeReceived(code: 1_000),
            .closeReceived(code: nil), .closeSent(code: 65_535), .closeSent(code: 0),
            .closeSent(code: nil), .violation(code: 1_002), .finReceived, .resetReceived,
            .finSent, .resetSent, .ended,
        ] + Moment.Kind.allCases.map { .faultStruck(Moment($0, 300)) }

    @Test(arguments: events)
    func `gives back what it was given`(event: EndpointEntry.Event) {
        let entry = EndpointEntry(at: 12, connection: 3, event)
        #expect(Self.entries(of: Self.log([entry])) == [entry])
    }

    @Test func `keeps the order of all of them`() {
        let entries = Self.events.enumerated().map { place, event in
            EndpointEntry(at: Milliseconds(place), connection: place / 3, event)
        }
        let log = Self.log(entries)
        #expect(Self.entries(of: log) == entries)
        #expect(log.count == entries.count)
    }

    @Test(arguments: [
        [(0, 1), (0, 2), (0, 1)],
        [(86_400_000_000, 1), (0, 1_000_000)],
        [(Milliseconds.max, 1), (5, .max), (6, 1)],
    ])
    func `takes moments and connections that go back`(places: [(Milliseconds, Int)]) {
        let entries = places.map { EndpointEntry(at: $0.0, connection: $0.1, .accepted) }
        #expect(Self.entries(of: Self.log(entries)) == entries)
    }

    @Test func `is read on where the reader stands`() {
        let first = EndpointEntry(at: 1, connection: 1, .accepted)
        let second = EndpointEntry(at: 900, connection: 2, .response(status: 200))
        var log = Self.log([first])
        var reader = EntryLog.Reader()
        #expect(log.next(&reader) == first)
        #expect(log.next(&reader) == nil)
        log.append(second)
        #expect(log.next(&reader) == second)
        #expect(log.next(&reader) == nil)
    }

    private static func log(_ entries: [EndpointEntry]) -> EntryLog {
        var log = EntryLog()
        for entry in entries { log.append(entry) }
        return log
    }

    private static func entries(of log: EntryLog) -> [EndpointEntry] {
        var reader = EntryLog.Reader()
        var entries: [EndpointEntry] = []
        while let entry = log.next(&reader) { entries.append(entry) }
        return entries
    }
}
