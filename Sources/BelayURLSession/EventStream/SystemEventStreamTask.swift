import BelayCore
import BelayTransport
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// URLSession's data task, alone in its session: a shared one lets the seventh stream to a host
/// wait in silence.
final class SystemEventStreamTask: EventStreamTask {
    private let session: URLSession
    let task: URLSessionDataTask

    /// As `MakeEventStreamTask`.
    static let make: MakeEventStreamTask = { (request, report) throws(SessionFailure) in
        try SystemEventStreamTask(request, report)
    }

    /// Source: HTML, 9.2.3.
    init(
        _ request: EventStreamRequest,
        _ report: @escaping @Sendable (EventStreamTaskEvent) -> Void
    ) throws(SessionFailure) {
        do throws(UnsendableRequest) {
            try request.check()
        } catch {
            throw .invalidRequest(error.part)
        }
        // The session would say of it that a message is too long.
        guard request.method != .get || request.body?.isEmpty ?? true else {
            throw .invalidRequest(.body)
        }
        var own = [
            ("Accept", "text/event-stream"), ("Cache-Control", "no-cache"),
            // Said in either case: by itself URLSession asks for all that it can inflate. It
            // inflates gzip also where it is told what to ask for.
            ("Accept-Encoding", request.acceptsCompression ? "gzip" : "identity"),
        ]
        if let id = request.lastEventID, !id.isEmpty { own.append(("Last-Event-ID", id)) }
        var asked = try URLRequest(
            to: request.url, fields: request.fields, own: own, without: ["Last-Event-ID"])
        asked.httpMethod = request.method.name
        asked.httpBody = request.body.map { Data($0) }
        session = URLSession(
            configuration: .belay,
            delegate: EventStreamSessionDelegate(request, report),
            delegateQueue: nil)
        task = session.dataTask(with: asked)
    }

    func resume() {
        task.resume()
    }

    /// A wish on Apple's systems. On Linux nothing: there a task that was suspended and resumed may
    /// send its request anew, and puts both responses into one body (seen with Swift 6.3.1). What
    /// waits for the owner has the channel's limit either way. It is there in the build over stubs
    /// of Apple's frameworks, for its tests: those hear what the task becomes, not what follows.
    func setReading(_ reading: Reading) {
        #if canImport(Darwin) || BELAY_APPLE_STUBS
            switch reading {
            case .flowing: task.resume()
            case .paused: task.suspend()
            }
        #endif
    }

    func invalidate() {
        session.invalidateAndCancel()
    }
}

/// Passes on what a session tells of its one data task. The session keeps it until it is
/// invalidated, so it knows nothing that could keep a connection.
private final class EventStreamSessionDelegate: NSObject, URLSessionDataDelegate {
    private let report: @Sendable (EventStreamTaskEvent) -> Void
    private let request: EventStreamRequest

    init(
        _ request: EventStreamRequest,
        _ report: @escaping @Sendable (EventStreamTaskEvent) -> Void
    ) {
        self.request = request
        self.report = report
    }

    /// The session follows no redirect: on Linux it would drop the body, and tell credentials and
    /// cursor to anybody. It completes the task instead.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse {
            report(.responded(EventStreamHead(response, to: self.request)))
        }
        completionHandler(.allow)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
    ) {
        report(.received(Array(data)))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let response = task.response as? HTTPURLResponse
        // On Linux a redirect that is not followed has told no head before; and whoever ended the
        // session earlier would meet a trap in it.
        if error == nil, let response {
            report(.responded(EventStreamHead(response, to: self.request)))
        }
        report(
            .completed(
                SessionCompletion(
                    failure: error.map { SessionFailure($0) }, status: response?.status,
                    retryAfter: response?.retryDelay)))
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        report(.completed(SessionCompletion(failure: error.map { SessionFailure($0) })))
    }
}

extension EventStreamHead {
    /// What of `response` is looked at.
    fileprivate init(_ response: HTTPURLResponse, to request: EventStreamRequest) {
        self.init(
            status: response.status,
            contentType: response.value(forHTTPHeaderField: "Content-Type"),
            contentEncoding: response.value(forHTTPHeaderField: "Content-Encoding"),
            location: response.value(forHTTPHeaderField: "Location"),
            retryAfter: response.retryDelay,
            isCursorTooOld: request.staleCursorFields.contains {
                response.value(forHTTPHeaderField: $0.name) == $0.value
            }, acceptsCompression: request.acceptsCompression)
    }
}
