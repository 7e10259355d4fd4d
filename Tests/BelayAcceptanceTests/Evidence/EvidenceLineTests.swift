import BelayCore
import BelayFaults
import Foundation
import Testing

@testable import BelayAcceptance

@Suite struct `An evidence line` {
    @Test func `counts from the run's start, and stands in the order of time`() {
        let evidence = Evidence(
            client: [.connects(105), .opens(120), .app(120, .opened(g(1)))],
            endpoint: [EndpointEntry(at: 110, connection: 1, .accepted)])
        let lines = EvidenceLine.lines(
            of: ScenarioResult(.judging(.opened(.exactly(1))), evidence, .finished), evidence,
            origin: 100)
        #expect(lines.compactMap(\.atMilliseconds) == [5, 10, 20, 20])
        #expect(lines.map(\.kind) == [.connection, .endpoint, .connection, .app, .verdict])
    }

    // W24
    @Test func `names the cause with its number`() {
        let line = EvidenceLine(
            .ends(10, 1, .peerClosed(code: 1011)), of: "one-cause", origin: 0)
        #expect(line.cause == "peerClosed")
        #expect(line.causeCode == 1011)
    }

    // E17
    @Test func `holds an event's id, its result and the cursor together`() {
        let line = EvidenceLine(
            .event(3, "2", .failed(attempt: 4), cursor: "1"), of: "handler-fails", origin: 0)
        #expect(line.eventID == "2")
        #expect(line.what == "failed")
        #expect(line.attempt == 4)
        #expect(line.cursor == "1")
    }

    @Test func `says where the cursor stays because no request can say an id`() throws {
        func line(_ cannotBeAskedFor: Bool) throws -> String {
            let record = EventRecord(
                at: 3, generation: g(1), id: EventID("2"), result: .committed,
                cursor: EventID("1"), cannotBeAskedFor: cannotBeAskedFor)
            let line = EvidenceLine(.record(.event(record)), of: "cursor", origin: 0)
            return String(decoding: try line.encoded(), as: UTF8.self)
        }
        let (unsayable, usual) = (try line(true), try line(false))
        #expect(unsayable.contains("\"cannotBeAskedFor\":true"))
        #expect(!usual.contains("cannotBeAskedFor"))
    }

    // P4, P13
    @Test func `says of a path its change, its reason, and how much old ones said`() throws {
        let record = PathRecord(
            at: 7, generation: g(2),
            update: PathUpdate(.unavailable, change: 3, reason: .noCarrier), verdict: .accepted,
            after: .unavailable, dropped: 4)
        let text = String(
            decoding: try EvidenceLine(.path(record), of: "path", origin: 5).encoded(),
            as: UTF8.self)
        #expect(text.contains("\"pathChange\":3,\"pathReason\":\"noCarrier\""))
        #expect(text.contains("\"droppedReports\":4"))
        let silent = PathRecord(
            at: 7, generation: g(2), update: PathUpdate(.unavailable), verdict: .accepted,
            after: .unavailable)
        #expect(EvidenceLine(.path(silent), of: "path", origin: 5).pathReason == nil)
    }

    @Test func `reads back as what was written`() throws {
        let line = EvidenceLine(.pongs(7, 2, .late), of: "pong-late", origin: 5)
        let bytes = try line.encoded()
        #expect(bytes.last == UInt8(ascii: "\n"))
        #expect(try JSONDecoder().decode(EvidenceLine.self, from: bytes) == line)
    }
}
