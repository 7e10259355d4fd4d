import BelayTransport
import Testing

@testable import BelayURLSession

/// URLSession's adapter over a task that follows a plan, on a queue of its own.
final class SessionStage: WebSocketStage {
    let domain: any SerialDomain
    private let transport: URLSessionWebSocketTransport
    private let ended: Answer<Bool>

    init(_ plan: PeerPlan) {
        let domain = DispatchDomain(label: "session")
        let ended = Answer<Bool>()
        (self.domain, self.ended) = (domain, ended)
        let limit = URLSessionWebSocketTransport.defaultMessageLimit
        transport = URLSessionWebSocketTransport(in: domain, messageLimit: limit) {
            (_, _, report) throws(SessionFailure) in
            PlannedTask(PlannedPeer(plan), ended, report)
        }
    }

    func open(_ sink: TransportSink<WebSocketMessage>) -> any WebSocketChannel {
        do {
            let url = try ConnectionURL("ws://127.0.0.1/")
            return transport.open(WebSocketRequest(url: url), sink: sink)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// What it says waits in the task, as in the session's own.
    func peerSaidAll() async {}

    func peerSawEnd() async {
        _ = await ended.value()
    }

    func tearDown() async {}
}

/// A task that behaves as URLSession's does, as far as is known of it: one death is told by the
/// delegate's close, the pending receive, its completion and its session, and a pong may be told
/// twice.
private actor PlannedTask: WebSocketTask {
    private let queue = DispatchDomain(label: "task")
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.executor }
    private var peer: PlannedPeer
    private let ended: Answer<Bool>
    private let report: @Sendable (WebSocketTaskEvent) -> Void
    private var unsaid: [PlannedPeer.Utterance] = []
    private var receive: (@Sendable (Result<WebSocketMessage, SessionFailure>) -> Void)?
    private var isOver = false

    init(
        _ peer: PlannedPeer, _ ended: Answer<Bool>,
        _ report: @escaping @Sendable (WebSocketTaskEvent) -> Void
    ) {
        (self.peer, self.ended, self.report) = (peer, ended, report)
    }

    nonisolated func resume() {
        later { $0.begin() }
    }

    nonisolated func send(
        _ message: WebSocketMessage, completion: @escaping @Sendable (SessionFailure?) -> Void
    ) {
        later { task in
            guard !task.isOver else { return completion(.cancelled) }
            completion(nil)
            task.unsaid.append(task.peer.hear(message))
            task.say()
        }
    }

    nonisolated func receive(
        _ completion: @escaping @Sendable (Result<WebSocketMessage, SessionFailure>) -> Void
    ) {
        later { task in
            guard !task.isOver else { return completion(.failure(.notConnected)) }
            task.receive = completion
            task.say()
        }
    }

    nonisolated func ping(_ completion: @escaping @Sendable (SessionFailure?) -> Void) {
        later { task in
            guard !task.isOver else { return completion(.cancelled) }
            for _ in 0..<task.peer.plan.pongs { completion(nil) }
        }
    }

    nonisolated func close(code: UInt16, reason: String) {
        later { task in
            task.unsaid.append(.close(code: code))
            task.say()
        }
    }

    nonisolated func invalidate() {
        #expect(ended.give(true), "invalidated twice")
        later { task in
            task.end(.cancelled)
            task.report(.completed(SessionCompletion()))
        }
    }

    private nonisolated func later(_ work: @escaping @Sendable (isolated PlannedTask) -> Void) {
        queue.submit { self.assumeIsolated { work($0) } }
    }

    private func begin() {
        switch peer.plan.opening {
        case .accepts:
            report(.opened(subprotocol: nil))
            unsaid += peer.greetings
            say()
        case .refuses(let status):
            isOver = true
            report(
                .completed(
                    SessionCompletion(
                        failure: .malformedAnswer, status: UInt16(clamping: status),
                        retryAfter: 2_000)))
        case .staysSilent: break
        }
    }

    private func say() {
        while !isOver, let next = unsaid.first {
            switch next {
            case .message(let message):
                guard let receive else { return }
                self.receive = nil
                unsaid.removeFirst()
                receive(.success(message))
            case .close(let code):
                unsaid.removeFirst()
                report(.peerClosed(code: code, reasonLength: 0))
                end(.notConnected, closeCode: code)
            case .vanish: end(.notConnected)
            case .reset: end(.reset)
            }
        }
    }

    private func end(_ failure: SessionFailure, closeCode: UInt16? = nil) {
        guard !isOver else { return }
        isOver = true
        let receive = receive
        self.receive = nil
        receive?(.failure(failure))
        report(
            .completed(
                SessionCompletion(
                    failure: closeCode == nil ? failure : nil, closeCode: closeCode)))
    }
}
