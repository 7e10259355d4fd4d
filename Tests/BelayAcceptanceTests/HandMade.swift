import BelayCore
import BelayFaults

@testable import BelayAcceptance

// Evidence written by hand, in few words. Milliseconds stand first.
extension ClientEntry {
    static func input(
        _ at: Milliseconds, _ input: ConnectionInput, _ verdict: InputVerdict = .accepted,
        newest: UInt64 = 1, from before: ConnectionStatus = .open(g(1)),
        to after: ConnectionStatus? = nil, cause: CloseCause? = nil
    ) -> ClientEntry {
        .record(
            .connection(
                ConnectionRecord(
                    at: at, input: input, verdict: verdict, generation: g(newest),
                    before: before, after: after ?? before,
                    end: cause.map { CloseFacts(generation: g(newest), cause: $0) })))
    }

    static func connects(_ at: Milliseconds, _ number: UInt64 = 1) -> ClientEntry {
        .input(
            at, .connect, newest: number - 1, from: .waiting(until: at), to: .connecting(g(number)))
    }

    static func opens(_ at: Milliseconds, _ number: UInt64 = 1) -> ClientEntry {
        .input(
            at, .opened(g(number)), newest: number, from: .connecting(g(number)),
            to: .open(g(number)))
    }

    static func ends(
        _ at: Milliseconds, _ number: UInt64 = 1, _ cause: CloseCause
    ) -> ClientEntry {
        .input(
            at, .ended(g(number), cause), newest: number, from: .open(g(number)),
            to: .waiting(until: at + 20), cause: cause)
    }

    static func receives(
        _ at: Milliseconds, _ byteCount: Int, _ verdict: InputVerdict = .accepted
    ) -> ClientEntry {
        .record(
            .connection(
                ConnectionRecord(
                    at: at, input: .received(g(1)), verdict: verdict, generation: g(1),
                    before: .open(g(1)), after: .open(g(1)), byteCount: byteCount)))
    }

    static func pings(_ at: Milliseconds, _ ping: UInt32) -> ClientEntry {
        .input(at, .pingHandedOver(g(1), ping: ping))
    }

    static func pongs(
        _ at: Milliseconds, _ ping: UInt32, _ verdict: InputVerdict = .accepted
    ) -> ClientEntry {
        .input(at, .pong(g(1), ping: ping), verdict)
    }

    static func commits(_ at: Milliseconds, _ id: String, cursor: String? = nil) -> ClientEntry {
        event(at, id, .committed, cursor: cursor ?? id)
    }

    static func event(
        _ at: Milliseconds, _ id: String, _ result: EventRecord.Result, cursor: String?
    ) -> ClientEntry {
        .record(
            .event(
                EventRecord(
                    at: at, generation: g(1), id: EventID(id), result: result,
                    cursor: cursor.flatMap { EventID($0) })))
    }

    static func app(_ at: Milliseconds, _ event: AppRecord.Event) -> ClientEntry {
        .app(AppRecord(at: at, event))
    }

    static func handles(
        _ at: Milliseconds, _ id: String, byteCount: Int = 6
    ) -> [ClientEntry] {
        [
            .app(at, .handling(EventID(id))),
            .app(at, .applied(EventID(id), byteCount: byteCount)),
        ]
    }
}

extension EndpointEntry {
    static func request(
        _ at: Milliseconds, _ connection: Int, says id: String? = nil
    ) -> EndpointEntry {
        EndpointEntry(
            at: at, connection: connection,
            .request(RequestSummary(method: "GET", path: "/events", lastEventID: id)))
    }

    static func accepts(_ at: Milliseconds, _ connection: Int) -> EndpointEntry {
        EndpointEntry(at: at, connection: connection, .accepted)
    }

    static func ends(_ at: Milliseconds, _ connection: Int) -> EndpointEntry {
        EndpointEntry(at: at, connection: connection, .ended)
    }

    static func sends(_ at: Milliseconds, _ connection: Int, _ id: Int) -> EndpointEntry {
        EndpointEntry(at: at, connection: connection, .eventSent(id: id))
    }
}

/// The generation with this number.
func g(_ number: UInt64) -> Generation { Generation(number) }

extension Scenario {
    /// A scenario of which only the expectations matter.
    static func judging(
        id: String = "by-hand", proves requirements: [String] = ["W4"],
        _ expectations: ScenarioExpectation...
    ) -> Scenario {
        Scenario(
            id, "A promise", proves: requirements, client: .webSocket(), steps: [.read, .close],
            expect: expectations)
    }
}

extension ScenarioCourse {
    static let finished = ScenarioCourse(end: .finished, duration: 100)
}
