import BelayFaults
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A browser at our endpoint` {
    @Test func `echoes, closes, is closed and cut, and resumes its events`() async throws {
        let close = FaultRule(
            on: .only(2), at: .message(.only(1)),
            .webSocket(.closeFrame(code: 4_002, reason: "see you")))
        let ping = FaultRule(on: .only(1), at: .message(.only(1)), .webSocket(.ping))
        let endpoint = Endpoint(plan: FaultPlan(rules: [close, ping]))
        let port = try await endpoint.start()
        let lines = try await Program.chromium.run(["endpoint=\(port)"]) { browser in
            var lines: [String] = []
            for word in [
                "opened", "text", "bytes", "closed", "closed", "closed", "event", "event", "event",
                "done",
            ] {
                lines.append("\(word) \(try await browser.says(word))")
            }
            return lines
        }
        #expect(
            lines == [
                "opened permessage-deflate", "text same", "bytes same", "closed 4001 clean ",
                "closed 4002 clean see you", "closed 1006 unclean ", "event 1 queued",
                "event 2 building", "event 3 finished", "done ",
            ])
        let cursors = await endpoint.record.entries.compactMap { entry -> String?? in
            guard case .request(let request) = entry.event, request.path == "/events" else {
                return nil
            }
            return request.lastEventID
        }
        #expect(cursors == [nil, "1", "2"])
        #expect(await endpoint.record.entries.contains { $0.event == .pongReceived(1) })
        await endpoint.stop()
    }
}
