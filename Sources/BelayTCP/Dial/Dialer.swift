import BelayCore
import BelayTransport
import BelayWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// One way to a peer: name, address, proxy, TLS. What comes out carries the first request.
///
/// It reports once, in a later turn, unless it was cancelled before.
///
/// ```
///  name ──▶ NameResolver ──▶ TCPConnector ──▶ HTTPExchange ──▶ TLSSession ──▶ TCPStream
///           a thread's        addresses race    CONNECT,         inside the     whoever asked
///           answer            each other        with a proxy     stream         writes its request
///  each:    forgotten         closed            dropped          dropped        by `cancel()`
/// ```
///
/// TLS shakes hands with the first bytes that are written: a refusal ends the stream.
final class Dialer {
    /// Who sees to TLS, where the address asks for it.
    enum Security {
        /// The stream.
        case ofStream
        /// Whoever takes the connection over.
        case ofCaller
    }

    private enum State {
        case connecting(TCPConnector)
        case tunnelling(HTTPExchange)
        /// Not begun, or ended.
        case idle
    }

    private let url: ConnectionURL
    private let settings: DialSettings
    private let security: Security
    private let headLimits: HTTPHeadLimits
    private let loop: EventLoop
    private var completion: ((Result<TCPStream, EndCause>) -> Void)?
    private var timer: LoopTimer?
    private var state = State.idle

    /// Begins. The deadline is for addresses and proxy together; the proxy's answer is bounded
    /// like any head. Call on the loop.
    init(
        to url: ConnectionURL, _ settings: DialSettings, security: Security = .ofStream,
        headLimits: HTTPHeadLimits, deadline: Milliseconds, on loop: EventLoop,
        completion: @escaping (Result<TCPStream, EndCause>) -> Void
    ) {
        (self.url, self.settings, self.headLimits) = (url, settings, headLimits)
        self.security = security
        (self.loop, self.completion) = (loop, completion)
        let (host, port) = settings.proxy.map { ($0.host, $0.port) } ?? (url.host, url.port)
        state = .connecting(
            TCPConnector(to: host, port: port, deadline: deadline, on: loop) { [self] in
                connected($0, deadline: deadline)
            })
    }

    /// Ends the attempt at once; nothing is reported. Idempotent.
    func cancel() {
        completion = nil
        timer = nil
        switch state {
        case .connecting(let connector): connector.cancel()
        case .tunnelling(let exchange): exchange.cancel()
        case .idle: break
        }
        state = .idle
    }

    private func connected(_ result: Result<TCPStream, SocketError>, deadline: Milliseconds) {
        state = .idle
        switch result {
        case .success(let stream):
            guard let proxy = settings.proxy else { return secure(stream) }
            askForTunnel(stream, proxy, deadline: deadline)
        case .failure(let error):
            end(.failure(EndCause(.connectFailed(error.connectFailure))))
        }
    }

    private func askForTunnel(_ stream: TCPStream, _ proxy: HTTPProxy, deadline: Milliseconds) {
        let target = url.hostAndPort
        var fields = HTTPFields()
        fields.append("Host", target)
        fields.append(contentsOf: HTTPFields(proxy.fields, without: ["Host"]))
        let head = HTTPRequestHead(method: "CONNECT", target: target, fields: fields)
        var bytes: [UInt8] = []
        do {
            try head.encode(into: &bytes)
        } catch {
            // All else in it is checked when it is built.
            stream.drop()
            return end(.failure(EndCause(.requestInvalid(.url))))
        }
        let timer = LoopTimer(on: loop) { [unowned self] in timedOut() }
        timer.arm(at: deadline)
        self.timer = timer
        state = .tunnelling(
            HTTPExchange(bytes, over: stream, limits: headLimits) { [self] in answered($0) })
    }

    private func timedOut() {
        guard case .tunnelling(let exchange) = state else { return }
        exchange.cancel()
        end(.failure(EndCause(.connectFailed(.timedOut))))
    }

    private func answered(_ result: Result<HTTPExchange.Response, EndCause>) {
        switch result {
        case .failure(let cause):
            end(.failure(cause))
        case .success(let response) where !(200..<300).contains(response.head.status):
            response.stream.drop()
            let status = UInt16(clamping: response.head.status)
            let cause = CloseCause.proxyRefused(status: status)
            end(.failure(EndCause(cause, retryAfter: response.head.retryDelay)))
        case .success(let response) where !response.rest.isEmpty:
            // The peer waits for our first word: whoever speaks before is not the peer.
            response.stream.drop()
            let code = CloseCode.protocolError.rawValue
            end(.failure(EndCause(.peerViolatedProtocol(code: code))))
        case .success(let response):
            secure(response.stream)
        }
    }

    private func secure(_ stream: TCPStream) {
        guard url.scheme.isSecure, security == .ofStream else { return end(.success(stream)) }
        do {
            try stream.secure(settings.tls, host: url.host)
        } catch {
            stream.drop()
            // Not `tlsFailed`, which blames a peer that was never asked.
            return end(.failure(EndCause(.connectFailed(.system(code: error.code)))))
        }
        end(.success(stream))
    }

    private func end(_ result: Result<TCPStream, EndCause>) {
        state = .idle
        timer = nil
        let completion = completion
        self.completion = nil
        completion?(result)
    }
}

extension ConnectionURL {
    /// As CONNECT names a peer: the port always stands. Source: RFC 9110 §7.1.
    fileprivate var hostAndPort: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
