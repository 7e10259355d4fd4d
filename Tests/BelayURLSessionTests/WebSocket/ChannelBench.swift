import BelayCore
import BelayTesting
import BelayTransport
import Synchronization
import Testing

@testable import BelayURLSession

/// Channels over scripted tasks in virtual time, and everything that they reported.
final class ChannelBench: Sendable {
    /// As `TransportEvent`, and comparable.
    enum Seen: Equatable, Sendable {
        case opened, unsolicitedPong, partlyReceived
        case received(WebSocketMessage)
        case pingHandedOver(UInt32)
        case pong(UInt32)
        case sent(UInt64)
        case ended(CloseCause, retryAfter: Milliseconds? = nil)
    }

    let loop = ManualLoop()
    private let isEager: Bool
    private let made = Mutex<[ScriptedTask]>([])
    private let reported = Mutex<[(generation: UInt64, event: Seen)]>([])
    /// As a driver does: until the test lets one go.
    private let held = Mutex<[Held]>([])
    private let reaction = Mutex<(@Sendable (Seen) -> Void)?>(nil)

    /// A bench; an eager task answers each ping from within the call.
    init(isEager: Bool = false) {
        self.isEager = isEager
    }

    var tasks: [ScriptedTask] { made.withLock { $0 } }
    var events: [Seen] { reported.withLock { $0.map(\.event) } }
    var generations: [UInt64] { reported.withLock { $0.map(\.generation) } }

    /// Runs `body` from within each report.
    func react(_ body: @escaping @Sendable (Seen) -> Void) {
        reaction.withLock { $0 = body }
    }

    var transport: URLSessionWebSocketTransport {
        URLSessionWebSocketTransport(in: loop, messageLimit: 1_000) {
            [self] (request, limit, report) throws(SessionFailure) in
            guard request.subprotocols != ["invalid"] else { throw .invalidRequest(.subprotocol) }
            let task = ScriptedTask(request, messageLimit: limit, isEager: isEager, report)
            made.withLock { $0.append(task) }
            return task
        }
    }

    /// Begins an attempt in the domain. The channel is driven by `drive`.
    func open(generation: UInt64 = 1, subprotocols: [String] = []) throws -> Held {
        let request = WebSocketRequest(
            url: try ConnectionURL("ws://127.0.0.1/"), subprotocols: subprotocols)
        let channel = Held()
        held.withLock { $0.append(channel) }
        let sink = TransportSink<WebSocketMessage>(generation: Generation(generation)) {
            [self] generation, event in
            let seen = Seen(event)
            reported.withLock { $0.append((generation.number, seen)) }
            reaction.withLock { $0 }?(seen)
        }
        drive { [self] in channel.put(transport.open(request, sink: sink)) }
        return channel
    }

    /// An attempt that opened, with its task.
    func opened() throws -> (Held, ScriptedTask) {
        let channel = try open()
        let task = try #require(tasks.last)
        task.report(.opened(subprotocol: nil))
        loop.run()
        return (channel, task)
    }

    /// Runs `work` in the domain, and all that follows from it.
    func drive(_ work: @escaping @Sendable () -> Void) {
        loop.submit(work)
        loop.run()
    }

    /// Holds a channel for the test; call it in the domain.
    final class Held: Sendable {
        private let channel = Mutex<URLSessionWebSocketChannel?>(nil)

        func put(_ channel: any WebSocketChannel) {
            let channel = channel as? URLSessionWebSocketChannel
            self.channel.withLock { $0 = channel }
        }

        func letGo() {
            channel.withLock { $0 = nil }
        }

        func callAsFunction(_ work: (URLSessionWebSocketChannel) -> Void) {
            guard let channel = channel.withLock({ $0 }) else { return }
            work(channel)
        }
    }
}

extension ChannelBench.Seen {
    init(_ event: TransportEvent<WebSocketMessage>) {
        self =
            switch event {
            case .opened: .opened
            case .received(let message): .received(message)
            case .pingHandedOver(let number): .pingHandedOver(number)
            case .pong(let number): .pong(number)
            case .unsolicitedPong: .unsolicitedPong
            case .partlyReceived: .partlyReceived
            case .sent(let number): .sent(number)
            case .ended(let cause, let retryAfter): .ended(cause, retryAfter: retryAfter)
            }
    }
}
