import BelayTransport
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// URLSession's own WebSocket task, alone in its session.
///
/// A session of its own for each connection: one that is invalidated takes its delegate and its
/// task with it, so nothing of an old connection can be left behind in a shared one.
final class SystemWebSocketTask: WebSocketTask {
    private let session: URLSession
    let task: URLSessionWebSocketTask

    /// As `MakeWebSocketTask`.
    static let make: MakeWebSocketTask = { (request, limit, report) throws(SessionFailure) in
        try SystemWebSocketTask(request, messageLimit: limit, report)
    }

    init(
        _ request: WebSocketRequest, messageLimit: Int,
        _ report: @escaping @Sendable (WebSocketTaskEvent) -> Void
    ) throws(SessionFailure) {
        do throws(UnsendableRequest) {
            try request.check()
        } catch {
            throw .invalidRequest(error.part)
        }
        let offer = request.subprotocols.joined(separator: ", ")
        let request = try URLRequest(
            to: request.url, fields: request.fields,
            own: offer.isEmpty ? [] : [("Sec-WebSocket-Protocol", offer)],
            without: [
                "Upgrade", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Protocol",
                "Sec-WebSocket-Extensions",
            ])
        // No queue of ours: the delegate only hands over, and the domain puts in order.
        session = URLSession(
            configuration: .belay, delegate: WebSocketSessionDelegate(report), delegateQueue: nil)
        task = session.webSocketTask(with: request)
        task.maximumMessageSize = messageLimit
    }

    func resume() {
        task.resume()
    }

    func send(
        _ message: WebSocketMessage, completion: @escaping @Sendable (SessionFailure?) -> Void
    ) {
        let message: URLSessionWebSocketTask.Message =
            switch message {
            case .text(let text): .string(text)
            case .binary(let bytes): .data(Data(bytes))
            }
        task.send(message) { completion($0.map { SessionFailure($0) }) }
    }

    func receive(
        _ completion: @escaping @Sendable (Result<WebSocketMessage, SessionFailure>) -> Void
    ) {
        task.receive { result in
            completion(
                result.mapError { SessionFailure($0) }.flatMap { message in
                    switch message {
                    case .string(let text): .success(.text(text))
                    case .data(let data): .success(.binary(Array(data)))
                    // A kind of message that a later system has and RFC 6455 has not.
                    @unknown default: .failure(.malformedAnswer)
                    }
                })
        }
    }

    func ping(_ completion: @escaping @Sendable (SessionFailure?) -> Void) {
        task.sendPing { completion($0.map { SessionFailure($0) }) }
    }

    func close(code: UInt16, reason: String) {
        // Apple's class takes every code; Linux' has no name for those from 3000 on.
        let code = URLSessionWebSocketTask.CloseCode(rawValue: Int(code)) ?? .normalClosure
        task.cancel(with: code, reason: reason.isEmpty ? nil : Data(reason.utf8))
    }

    func invalidate() {
        session.invalidateAndCancel()
    }
}

/// Passes on what a session tells of its one WebSocket task. The session keeps it until it is
/// invalidated, so it knows nothing that could keep a connection.
private final class WebSocketSessionDelegate: NSObject, URLSessionWebSocketDelegate {
    private let report: @Sendable (WebSocketTaskEvent) -> Void

    init(_ report: @escaping @Sendable (WebSocketTaskEvent) -> Void) {
        self.report = report
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol subprotocol: String?
    ) {
        report(.opened(subprotocol: subprotocol.flatMap { $0.isEmpty ? nil : $0 }))
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
        report(
            .peerClosed(
                code: UInt16(clamping: closeCode.rawValue), reasonLength: reason?.count ?? 0))
    }

    /// A handshake is answered where it was asked (RFC 6455 §4.1 leaves redirects to the client).
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let response = task.response as? HTTPURLResponse
        let code = (task as? URLSessionWebSocketTask)?.closeCode.rawValue ?? 0
        report(
            .completed(
                SessionCompletion(
                    failure: error.map { SessionFailure($0) }, status: response?.status,
                    retryAfter: response?.retryDelay,
                    closeCode: code == 0 ? nil : UInt16(clamping: code))))
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        report(.completed(SessionCompletion(failure: error.map { SessionFailure($0) })))
    }
}
