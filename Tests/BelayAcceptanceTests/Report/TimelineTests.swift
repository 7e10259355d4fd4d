import BelayAcceptance
import BelayCore
import Testing

@Suite struct `A timeline` {
    private static func connection(
        _ input: ConnectionInput, _ before: ConnectionStatus, _ after: ConnectionStatus,
        verdict: InputVerdict = .accepted, end: CloseFacts? = nil,
        roundTrip: Milliseconds? = nil, byteCount: Int? = nil
    ) -> EvidenceRecord {
        .connection(
            ConnectionRecord(
                at: 13_045, input: input, verdict: verdict, generation: Generation(1),
                before: before, after: after, end: end, roundTrip: roundTrip,
                byteCount: byteCount))
    }

    private static func path(
        _ update: PathUpdate, _ verdict: InputVerdict = .accepted, dropped: UInt64 = 0
    ) -> EvidenceRecord {
        .path(
            PathRecord(
                at: 10_001, generation: g1, update: update, verdict: verdict, after: update.state,
                dropped: dropped))
    }

    private static let g1 = Generation(1)

    @Test(arguments: [
        (connection(.connect, .idle, .connecting(g1)), "    3.045  g1  connect  idle → connecting"),
        (
            connection(.pong(g1, ping: 7), .open(g1), .open(g1), roundTrip: 12),
            "    3.045  g1  pong 7  12 ms"
        ),
        (
            connection(.received(g1), .open(g1), .open(g1), byteCount: 5),
            "    3.045  g1  received  5 bytes"
        ),
        (
            connection(
                .ended(g1, .peerClosed(code: 1_012)), .open(g1), .waiting(until: 9),
                end: CloseFacts(generation: g1, cause: .peerClosed(code: 1_012), age: 3)),
            "    3.045  g1  ended  open → waiting  peerClosed 1012"
        ),
        (
            connection(.opened(Generation(0)), .open(g1), .open(g1), verdict: .stale),
            "    3.045  g1  opened  ignored: stale"
        ),
        (
            .event(
                EventRecord(
                    at: 10_000, generation: g1, id: EventID("a"), result: .committed,
                    cursor: EventID("a"))), "    0.000  g1  event a committed"
        ),
        (
            .event(
                EventRecord(
                    at: 10_000, generation: g1, id: EventID("b"), result: .committed,
                    cursor: EventID("a"), cannotBeAskedFor: true)),
            "    0.000  g1  event b committed  cursor stays: no request can say this id"
        ),
        (
            path(PathUpdate(.available, expensive: true, change: 1), .duplicate),
            "    0.001  g1  path available, change 1, expensive: yes, constrained: unknown"
                + "  ignored: duplicate"
        ),
        (
            path(PathUpdate(.unavailable, expensive: false, constrained: true, change: 2)),
            "    0.001  g1  path unavailable, change 2, expensive: no, constrained: yes"
        ),
        (path(PathUpdate(.unknown)), "    0.001  g1  path unknown"),
        (
            path(PathUpdate(.needsConnection, change: 3, reason: .noAddress)),
            "    0.001  g1  path needsConnection, change 3, expensive: unknown, "
                + "constrained: unknown, because: noAddress"
        ),
        (
            path(PathUpdate(.unknown), .stale, dropped: 2),
            "    0.001  g1  path unknown  ignored: stale  dropped so far: 2"
        ),
    ])
    func `has a line for each record, and a moment for each line`(
        _ record: EvidenceRecord, _ line: String
    ) {
        #expect(Timeline(origin: 10_000).line(of: record) == line)
    }
}
