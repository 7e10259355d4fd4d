/// Why a generation ended: one cause for each, named by who acted.
///
/// The first report decides; what a transport says afterwards of the same end is recorded as
/// ignored and changes nothing (DESIGN §3, law 2).
public enum CloseCause: Hashable, Sendable {
    // The attempt never opened.

    /// No connection came about: the name, the route or the peer's port.
    case connectFailed(ConnectFailure)
    /// TLS ended before it was set up: certificate, host name or a cut inside its handshake; or
    /// later, by a record that does not hold.
    case tlsFailed
    /// A proxy refused to lead to the peer, which was never asked: the HTTP status of its answer
    /// to CONNECT, 100 to 599. Of these 401, 403 and 407 are about the proxy's own settings.
    /// Source: RFC 9110 §9.3.6.
    case proxyRefused(status: UInt16)
    /// The peer answered, and not with what opens: its HTTP status, 100 to 599.
    case handshakeRefused(status: UInt16)
    /// A 200 whose content type is no event stream. Source: HTML, 9.2.2.
    case wrongContentType
    /// A 204: the server says that the client shall not come back. Source: HTML, 9.2.2.
    case toldToStop
    /// The response, or an event in it, said that the request's `Last-Event-ID` is too old.
    case cursorTooOld
    /// The application's own hook could not complete the request; nothing was sent.
    case requestFailed
    /// A part of the application's own request can never be sent, whoever is asked; nothing was.
    ///
    /// No attempt follows: the same request would be refused for ever. Change that part.
    case requestInvalid(RequestPart)
    /// Neither opened nor refused before the policy's open timeout.
    case openTimedOut

    // The peer, or the way to it, ended what was open.

    /// A Close frame came; 1005 stands for a frame without code. Source: RFC 6455 §7.1.5.
    case peerClosed(code: UInt16)
    /// The response ended as its framing says. An event stream ends so when its server is done.
    case peerFinished
    /// FIN, and no Close frame before it. Source: RFC 6455 §7.1.5, code 1006.
    case peerVanished
    /// RST, or what the system reports like it.
    case reset
    /// The body ended before its framing was complete, or TLS without its close_notify.
    /// Sources: RFC 9112 §8, RFC 8446 §6.1.
    case truncated
    /// The peer broke the protocol; the code is what we answer. Source: RFC 6455 §7.1.7.
    case peerViolatedProtocol(code: UInt16)

    // We ended it.

    /// A ping was not answered by its deadline.
    case heartbeatTimedOut
    /// No byte came for the policy's idle timeout.
    case idleTimedOut
    /// The peer sent more than a limit of ours allows.
    case limitExceeded
    /// The app stayed too far behind an event stream, on a system that did not heed our pause.
    ///
    /// What was not kept comes again, from the cursor. See "Where URLSession deviates" in
    /// Docs/architecture.md.
    case fellBehind
    /// The program closed it.
    case closedLocally
    /// A newer generation took its place.
    case replaced
}

/// Where an attempt to connect failed.
public enum ConnectFailure: Hashable, Sendable {
    /// The host name has no address.
    case nameNotResolved
    /// The peer's system answered that nobody listens.
    case refused
    /// No route to the host or its network.
    case unreachable
    /// The system gave up waiting.
    case timedOut
    /// Anything else, by the system's own number (`errno`).
    case system(code: Int32)
}

/// A part of a request that a transport cannot send. `RequestField`, `RequestMethod` and
/// `ConnectionURL` refuse what they can when they are built; these are seen when it is asked.
public enum RequestPart: Hashable, Sendable, CaseIterable {
    /// The address: another scheme than this kind of connection has, or one that the system
    /// cannot read or does not allow, as App Transport Security does not.
    case url
    /// The content: the system sends none with `GET`.
    case body
    /// The cursor: it holds a byte that no field can carry. Source: `EventID.canBeAskedFor`.
    case lastEventID
    /// A subprotocol: no token, or offered twice. Source: RFC 6455 §4.1.
    case subprotocol
}

extension CloseCause {
    /// The cause in one word, as evidence and logs write it; numbers stand beside it.
    public var name: StaticString {
        switch self {
        case .connectFailed(.nameNotResolved): "nameNotResolved"
        case .connectFailed(.refused): "connectRefused"
        case .connectFailed(.unreachable): "unreachable"
        case .connectFailed(.timedOut): "connectTimedOut"
        case .connectFailed(.system): "connectFailed"
        case .tlsFailed: "tlsFailed"
        case .proxyRefused: "proxyRefused"
        case .handshakeRefused: "handshakeRefused"
        case .wrongContentType: "wrongContentType"
        case .toldToStop: "toldToStop"
        case .cursorTooOld: "cursorTooOld"
        case .requestFailed: "requestFailed"
        case .requestInvalid(.url): "urlInvalid"
        case .requestInvalid(.body): "bodyInvalid"
        case .requestInvalid(.lastEventID): "lastEventIDInvalid"
        case .requestInvalid(.subprotocol): "subprotocolInvalid"
        case .openTimedOut: "openTimedOut"
        case .peerClosed: "peerClosed"
        case .peerFinished: "peerFinished"
        case .peerVanished: "peerVanished"
        case .reset: "reset"
        case .truncated: "truncated"
        case .peerViolatedProtocol: "peerViolatedProtocol"
        case .heartbeatTimedOut: "heartbeatTimedOut"
        case .idleTimedOut: "idleTimedOut"
        case .fellBehind: "fellBehind"
        case .limitExceeded: "limitExceeded"
        case .closedLocally: "closedLocally"
        case .replaced: "replaced"
        }
    }

    /// The number that belongs to the cause: HTTP status, close code or the system's error.
    public var code: Int32? {
        switch self {
        case .proxyRefused(let status), .handshakeRefused(let status): Int32(status)
        case .peerClosed(let code), .peerViolatedProtocol(let code): Int32(code)
        case .connectFailed(.system(let code)): code
        case .connectFailed, .tlsFailed, .wrongContentType, .toldToStop, .cursorTooOld,
            .requestFailed, .requestInvalid, .openTimedOut, .peerFinished, .peerVanished, .reset,
            .truncated, .heartbeatTimedOut, .idleTimedOut, .limitExceeded, .fellBehind,
            .closedLocally,
            .replaced:
            nil
        }
    }
}
