import Belay
import BelayFaults
import Testing

@Suite(.timeLimit(.minutes(5))) struct `An attempt, on real sockets` {
    enum Ending: CaseIterable {
        case closedAtOnce, refused, nameless, served403, droppedWhenOpen, resetWhenOpen

        func url(_ port: UInt16) -> String {
            switch self {
            case .closedAtOnce: "ws://127.0.0.1:\(port)/ws"
            case .refused: "ws://127.0.0.1:1/"
            case .nameless: "ws://no-such-host.invalid/"
            case .served403: "ws://127.0.0.1:\(port)/ws?refuse=403"
            case .droppedWhenOpen, .resetWhenOpen: "ws://127.0.0.1:\(port)/ws?drop=open"
            }
        }

        var cause: CloseCause {
            switch self {
            case .closedAtOnce: .closedLocally
            case .refused: .connectFailed(.refused)
            case .nameless: .connectFailed(.nameNotResolved)
            case .served403: .handshakeRefused(status: 403)
            case .droppedWhenOpen: .peerVanished
            case .resetWhenOpen: .reset
            }
        }
    }

    @Test(arguments: Ending.allCases)
    func `has exactly one end, whatever ends it`(_ ending: Ending) async throws {
        let plan = FaultPlan(
            rules: ending == .resetWhenOpen ? [FaultRule(on: 1, at: .opened, .tcp(.reset))] : [])
        let endpoint = Endpoint(plan: plan)
        let port = try await endpoint.start()
        var configuration = ConnectionConfiguration()
        configuration.attemptLimit = 1
        let chat = WebSocketConnection(
            url: try ConnectionURL(ending.url(port)), configuration: configuration)
        var causes: [CloseCause] = []
        // The first status after idle is an attempt that has not opened.
        let closing = Task {
            for await status in chat.statuses where status != .idle {
                if ending == .closedAtOnce { chat.close() }
                break
            }
        }
        for await event in chat.events {
            if case .closed(let end) = event { causes.append(end.cause) }
        }
        await closing.value
        await endpoint.stop()
        #expect(causes == [ending.cause])
    }
}
