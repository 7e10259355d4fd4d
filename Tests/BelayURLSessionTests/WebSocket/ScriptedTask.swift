import BelayTransport
import Synchronization

@testable import BelayURLSession

/// A WebSocket task that does nothing by itself: the test reads what was asked and answers.
final class ScriptedTask: WebSocketTask {
    enum Order: Hashable {
        case resume
        case send(WebSocketMessage)
        case receive
        case ping
        case close(code: UInt16, reason: String)
        case invalidate
    }

    private struct State {
        var orders: [Order] = []
        var sends: [@Sendable (SessionFailure?) -> Void] = []
        var receives: [@Sendable (Result<WebSocketMessage, SessionFailure>) -> Void] = []
        var pings: [@Sendable (SessionFailure?) -> Void] = []
    }

    let request: WebSocketRequest
    let messageLimit: Int
    /// What its delegate is told.
    let report: @Sendable (WebSocketTaskEvent) -> Void
    /// Whether a ping is answered from within the call that sends it.
    private let isEager: Bool
    private let state = Mutex(State())

    init(
        _ request: WebSocketRequest, messageLimit: Int, isEager: Bool,
        _ report: @escaping @Sendable (WebSocketTaskEvent) -> Void
    ) {
        (self.request, self.messageLimit) = (request, messageLimit)
        (self.isEager, self.report) = (isEager, report)
    }

    var orders: [Order] { state.withLock { $0.orders } }

    func count(of order: Order) -> Int { orders.filter { $0 == order }.count }

    // MARK: Answers

    /// Calls the completion of the newest receive.
    func answerReceive(_ result: Result<WebSocketMessage, SessionFailure>) {
        state.withLock { $0.receives.last }?(result)
    }

    /// Calls the completion of the ping in this place.
    func answerPing(_ place: Int, _ failure: SessionFailure? = nil) {
        state.withLock { $0.pings[place] }(failure)
    }

    /// Calls the completion of the send in this place.
    func answerSend(_ place: Int, _ failure: SessionFailure? = nil) {
        state.withLock { $0.sends[place] }(failure)
    }

    // MARK: Orders

    func resume() {
        state.withLock { $0.orders.append(.resume) }
    }

    func send(
        _ message: WebSocketMessage, completion: @escaping @Sendable (SessionFailure?) -> Void
    ) {
        state.withLock { state in
            state.orders.append(.send(message))
            state.sends.append(completion)
        }
    }

    func receive(
        _ completion: @escaping @Sendable (Result<WebSocketMessage, SessionFailure>) -> Void
    ) {
        state.withLock { state in
            state.orders.append(.receive)
            state.receives.append(completion)
        }
    }

    func ping(_ completion: @escaping @Sendable (SessionFailure?) -> Void) {
        state.withLock { state in
            state.orders.append(.ping)
            state.pings.append(completion)
        }
        if isEager { completion(nil) }
    }

    func close(code: UInt16, reason: String) {
        state.withLock { $0.orders.append(.close(code: code, reason: reason)) }
    }

    func invalidate() {
        state.withLock { $0.orders.append(.invalidate) }
    }
}
