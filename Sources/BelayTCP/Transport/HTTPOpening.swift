import BelayCore
import BelayTransport
import BelayWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Connects, sends one request and reads the head of its response.
///
/// It reports once, in a later turn, unless it was cancelled before.
final class HTTPOpening: TCPStreamDelegate {
    /// A connection whose response head was read.
    struct Response {
        let stream: TCPStream
        let head: HTTPResponseHead
        /// What came in the same segment, behind the head.
        let rest: [UInt8]
    }

    /// How long the system may take to connect, in milliseconds, over all addresses of a name.
    /// It bounds a dead address, so that the next has its turn; the driver bounds the whole.
    static let connectTimeout: Milliseconds = 10_000
    /// Heads with status 1xx that may come before the response. One or two are in use.
    private static let interimLimit = 8

    private enum State {
        case connecting(TCPConnector)
        case reading(TCPStream)
        case ended
    }

    private let loop: EventLoop
    private let request: [UInt8]
    private var completion: ((Result<Response, EndCause>) -> Void)?
    private var parser: HTTPHeadParser<HTTPResponseHead>
    private var interimCount = 0
    private var state = State.ended

    /// Begins. Call on the loop.
    init(
        _ request: HTTPRequestHead, to url: ConnectionURL, limits: HTTPHeadLimits,
        on loop: EventLoop, completion: @escaping (Result<Response, EndCause>) -> Void
    ) {
        var bytes: [UInt8] = []
        var fault: CloseCause?
        do {
            try request.encode(into: &bytes)
        } catch {
            // What would end its line was in a subprotocol or an event's id: nothing is sent.
            fault = .connectFailed(.system(code: EINVAL))
        }
        if url.scheme.isSecure {
            // Not `tlsFailed`, which blames a peer that was never asked.
            fault = .connectFailed(.system(code: EPROTONOSUPPORT))
        }
        (self.loop, self.request, self.completion) = (loop, bytes, completion)
        parser = HTTPHeadParser(limits: limits)
        if let fault {
            loop.putOff { [self] in end(.failure(EndCause(fault))) }
            return
        }
        state = .connecting(
            TCPConnector(
                to: url.host, port: url.port, deadline: loop.now.moved(by: Self.connectTimeout),
                on: loop
            ) { [self] in connected($0) })
    }

    /// Ends the attempt at once; nothing is reported. Idempotent.
    func cancel() {
        completion = nil
        switch state {
        case .connecting(let connector): connector.cancel()
        case .reading(let stream): stream.drop()
        case .ended: break
        }
        state = .ended
    }

    func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
        var bytes = bytes
        do {
            while let (head, consumed) = try parser.append(bytes) {
                bytes = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
                if head.status == 101 || head.status >= 200 {
                    let response = Response(stream: stream, head: head, rest: Array(bytes))
                    state = .ended
                    return end(.success(response))
                }
                interimCount += 1
                guard interimCount <= Self.interimLimit else { return fail(.limitExceeded) }
            }
        } catch {
            switch error.fault {
            case .headTooLong, .lineTooLong, .tooManyFields:
                fail(.limitExceeded)
            case .bareCarriageReturn, .nul, .malformedStartLine, .unsupportedVersion,
                .foldedField, .malformedFieldName, .spaceBeforeColon:
                fail(.peerViolatedProtocol(code: CloseCode.protocolError.rawValue))
            }
        }
    }

    func streamEnded(_ stream: TCPStream) {
        fail(.peerVanished)
    }

    func streamClosed(_ stream: TCPStream, error: SocketError?) {
        state = .ended
        end(.failure(EndCause(error)))
    }

    private func connected(_ result: Result<TCPStream, SocketError>) {
        switch result {
        case .success(let stream):
            state = .reading(stream)
            stream.start(self)
            stream.write(request)
        case .failure(let error):
            state = .ended
            end(.failure(EndCause(.connectFailed(error.connectFailure))))
        }
    }

    private func fail(_ cause: CloseCause) {
        if case .reading(let stream) = state { stream.drop() }
        state = .ended
        end(.failure(EndCause(cause)))
    }

    private func end(_ result: Result<Response, EndCause>) {
        let completion = completion
        self.completion = nil
        completion?(result)
    }
}

/// A cause that can stand as an error.
struct EndCause: Error {
    let cause: CloseCause

    init(_ cause: CloseCause) {
        self.cause = cause
    }

    /// What a stream's end means where no orderly end was seen before it.
    init(_ error: SocketError?) {
        switch error {
        case nil: cause = .peerVanished
        case .outputLimitExceeded: cause = .limitExceeded
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
