import BelayCore
import BelayTransport
import BelayWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Dials, sends one request and reads the head of its response.
///
/// It reports once, in a later turn, unless it was cancelled before.
final class HTTPOpening {
    typealias Response = HTTPExchange.Response

    private enum State {
        case dialing(Dialer)
        case asking(HTTPExchange)
        case ended
    }

    private let request: [UInt8]
    private let limits: HTTPHeadLimits
    private var completion: ((Result<Response, EndCause>) -> Void)?
    private var state = State.ended

    /// Begins. Call on the loop.
    init(
        _ request: HTTPRequestHead, to url: ConnectionURL,
        dial settings: DialSettings, limits: HTTPHeadLimits, on loop: EventLoop,
        completion: @escaping (Result<Response, EndCause>) -> Void
    ) {
        var bytes: [UInt8] = []
        var fault: CloseCause?
        do {
            try request.encode(into: &bytes)
        } catch {
            // All else in it was checked: nothing is sent.
            fault = .requestInvalid(.url)
        }
        (self.request, self.limits, self.completion) = (bytes, limits, completion)
        if let fault {
            loop.putOff { [self] in end(.failure(EndCause(fault))) }
            return
        }
        state = .dialing(
            Dialer(
                to: url, settings, headLimits: limits,
                deadline: loop.now.moved(by: settings.timeout), on: loop
            ) { [self] in dialed($0) })
    }

    /// Ends the attempt at once; nothing is reported. Idempotent.
    func cancel() {
        completion = nil
        switch state {
        case .dialing(let dialer): dialer.cancel()
        case .asking(let exchange): exchange.cancel()
        case .ended: break
        }
        state = .ended
    }

    private func dialed(_ result: Result<TCPStream, EndCause>) {
        switch result {
        case .success(let stream):
            state = .asking(
                HTTPExchange(request, over: stream, limits: limits) { [self] in end($0) })
        case .failure(let cause):
            end(.failure(cause))
        }
    }

    private func end(_ result: Result<Response, EndCause>) {
        state = .ended
        let completion = completion
        self.completion = nil
        completion?(result)
    }
}

/// A cause that can stand as an error.
struct EndCause: Error {
    let cause: CloseCause
    /// For how many milliseconds whoever refused asks to stay away; `nil` where nobody asks.
    let retryAfter: Milliseconds?

    init(_ cause: CloseCause, retryAfter: Milliseconds? = nil) {
        (self.cause, self.retryAfter) = (cause, retryAfter)
    }

    /// What a stream's end means where no orderly end was seen before it.
    init(_ error: SocketError?) {
        retryAfter = nil
        switch error {
        case nil: cause = .peerVanished
        case .outputLimitExceeded: cause = .limitExceeded
        case .tlsFailed: cause = .tlsFailed
        case .truncated: cause = .truncated
        default: cause = .reset
        }
    }
}

extension HTTPResponseHead {
    /// The milliseconds for which the server asks to stay away.
    var retryDelay: Milliseconds? {
        retryAfter.map { seconds in
            let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
            return overflow ? .max : milliseconds
        }
    }
}

extension HTTPFields {
    /// The application's fields, but for those that the transport writes itself.
    init(_ fields: [RequestField], without own: [String]) {
        self.init()
        for field in fields
        where !own.contains(where: { $0.lowercased() == field.name.lowercased() }) {
            append(field.name, field.value)
        }
    }
}
