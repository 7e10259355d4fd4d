import BelayFaults
import Foundation
import Testing

@Suite(.tags(.realTime), .timeLimit(.minutes(5)))
struct `The event stream of an endpoint` {
    static let all = "id: 1\ndata: queued\n\nid: 2\ndata: building\n\nid: 3\ndata: finished\n\n"

    // E7
    @Test func `has the head and the bytes of the article's fixture`() async throws {
        try await withEndpoint { _, port in
            let client = try RawClient(port)
            client.get("/events")
            let (head, body, end) = client.response()
            #expect(
                head == """
                    HTTP/1.1 200 OK\r
                    Content-Type: text/event-stream; charset=utf-8\r
                    Cache-Control: no-store\r
                    Connection: close\r
                    \r

                    """)
            #expect(body == Self.all)
            #expect(end == .fin)
        }
    }

    // E7, E8, E13
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")))
    func `gives curl what the article shows`() async throws {
        try await withEndpoint { _, port in
            let url = "http://127.0.0.1:\(port)/events"
            let cut = try curl("-Ns", url + "?cut=1")
            let resumed = try curl("-Ns", "-H", "Last-Event-ID: 1", url)
            #expect(cut == "id: 1\ndata: queued\n\n")
            #expect(resumed == "id: 2\ndata: building\n\nid: 3\ndata: finished\n\n")
        }
    }

    private func curl(_ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments = ["--max-time", "10", "--noproxy", "*"] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    struct Query: CustomTestStringConvertible {
        let target: String
        var last: String?
        let body: String
        var end = RawClient.End.fin
        var testDescription: String { "\(target) after \(last ?? "nothing")" }
    }

    // E7, E9
    @Test(arguments: [
        Query(target: "/events", last: "0", body: all),
        Query(target: "/events", last: " +1 ", body: String(all.dropFirst(20))),
        Query(target: "/events", last: "-5", body: all),
        Query(target: "/events", last: "3", body: ""),
        Query(target: "/events", last: "99999999999999999999", body: ""),
        Query(target: "/events?token=secret", body: all),
        Query(target: "/events?cut=1", body: String(all.prefix(20))),
        Query(target: "/events?cut=1", last: "2", body: "id: 3\ndata: finished\n\n"),
        Query(target: "/events?reset=1", body: String(all.prefix(20)), end: .reset),
        Query(target: "/events?reset=0", body: "", end: .reset),
        Query(target: "/events?stall=1", body: String(all.prefix(20)), end: .silence),
        Query(target: "/events?half=1", body: "id: 1\ndata: que"),
        Query(target: "/events?half=2", body: "id: 1\ndata: queued\n\nid: 2\ndata: buil"),
        Query(target: "/events?cutid=2", body: "id: 1\ndata: queued\n\nid: 2\n"),
        Query(
            target: "/events?duplicate=1&cut=1",
            body: "id: 1\ndata: queued\n\nid: 1\ndata: queued\n\n"),
        Query(target: "/events?retry=70", body: "retry: 70\n\n" + all),
        Query(target: "/events?drip=1&cut=1", body: String(all.prefix(20))),
        Query(target: "/events?count=2&size=3", body: "id: 1\ndata: abc\n\nid: 2\ndata: abc\n\n"),
        Query(target: "/events?interval=1", body: all),
    ])
    func `does what its query asks for`(_ query: Query) async throws {
        try await withEndpoint { _, port in
            let client = try RawClient(port)
            if let last = query.last {
                client.get(query.target, "Last-Event-ID: \(last)")
            } else {
                client.get(query.target)
            }
            let silence = query.end == .silence ? 200 : 10_000
            let (head, body, end) = client.response(silenceAfter: silence)
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(body == query.body)
            #expect(end == query.end)
        }
    }

    // E12
    @Test func `tells no faster than its client reads`() async throws {
        try await withEndpoint { endpoint, port in
            let client = try RawClient(port)
            let (count, size) = (20_000, 10_000)
            client.get("/events?count=\(count)&size=\(size)")
            _ = client.receiveHead()
            await endpoint.waitUntil { $0.count > 20 }
            let told = await endpoint.record.entries.count
            // What sockets hold is a few megabytes; the stream has two hundred.
            #expect(told < count / 4)
            let (bytes, end) = client.receiveAll()
            #expect(end == .fin)
            #expect(bytes.count > count * size)
        }
    }
}
