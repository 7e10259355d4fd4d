import BelayCore
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What an error of URLSession says, as far as causes need it. A value, so that a machine can
/// decide by it.
enum SessionFailure: Error, Hashable, Sendable {
    /// The task was cancelled, by us or with its session.
    case cancelled
    /// A message is longer than the task takes.
    case messageTooLong
    /// The host name has no address.
    case nameNotResolved
    /// Nobody listens.
    case refused
    /// There is no route, or no network.
    case unreachable
    /// The system gave up waiting.
    case timedOut
    /// The certificate, the host name or the handshake of TLS does not hold.
    case tlsFailed
    /// The socket is no longer connected: the peer ended it before.
    case notConnected
    /// RST, or what the system reports like it.
    case reset
    /// The body ended before its framing was complete.
    case truncated
    /// The answer is none that the protocol allows.
    case malformedAnswer
    /// This part of the request cannot be sent.
    case invalidRequest(RequestPart)
    /// Anything else, by its number.
    case other(code: Int32)
}

extension SessionFailure {
    /// What `error` says; the system's own error counts before URLSession's word for it.
    init(_ error: any Error) {
        let error = error as NSError
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
        self =
            underlying.flatMap { Self(posix: $0) } ?? Self(posix: error) ?? Self(url: error)
            ?? .other(code: Int32(truncatingIfNeeded: error.code))
    }

    private init?(posix error: NSError) {
        guard error.domain == NSPOSIXErrorDomain,
            let code = POSIXErrorCode(rawValue: Int32(truncatingIfNeeded: error.code))
        else { return nil }
        switch code {
        case .ECANCELED: self = .cancelled
        case .EMSGSIZE: self = .messageTooLong
        case .ECONNREFUSED: self = .refused
        case .EHOSTUNREACH, .ENETUNREACH, .ENETDOWN, .EHOSTDOWN: self = .unreachable
        case .ETIMEDOUT: self = .timedOut
        case .ENOTCONN: self = .notConnected
        case .ECONNRESET, .ECONNABORTED, .EPIPE: self = .reset
        case .EPROTO: self = .malformedAnswer
        default: return nil
        }
    }

    private init?(url error: NSError) {
        guard error.domain == NSURLErrorDomain else { return nil }
        switch error.code {
        case NSURLErrorBadURL, NSURLErrorUnsupportedURL,
            NSURLErrorAppTransportSecurityRequiresSecureConnection:
            self = .invalidRequest(.url)
        case NSURLErrorUnknown: self = .truncated  // What curl's "partial file" becomes.
        case NSURLErrorCancelled: self = .cancelled
        case NSURLErrorDataLengthExceedsMaximum: self = .messageTooLong
        case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed: self = .nameNotResolved
        case NSURLErrorCannotConnectToHost: self = .refused
        case NSURLErrorNotConnectedToInternet, NSURLErrorInternationalRoamingOff,
            NSURLErrorDataNotAllowed:
            self = .unreachable
        case NSURLErrorTimedOut: self = .timedOut
        case NSURLErrorNetworkConnectionLost: self = .reset
        case NSURLErrorBadServerResponse, NSURLErrorCannotParseResponse: self = .malformedAnswer
        case NSURLErrorClientCertificateRequired...NSURLErrorSecureConnectionFailed:
            self = .tlsFailed
        default: return nil
        }
    }

    /// The cause where the connection never opened.
    var causeBeforeOpen: CloseCause {
        switch self {
        case .nameNotResolved: .connectFailed(.nameNotResolved)
        case .refused: .connectFailed(.refused)
        case .unreachable: .connectFailed(.unreachable)
        case .timedOut: .connectFailed(.timedOut)
        case .tlsFailed: .tlsFailed
        case .reset: .reset
        case .notConnected, .truncated: .peerVanished
        case .malformedAnswer: .peerViolatedProtocol(code: Self.protocolError)
        case .messageTooLong: .limitExceeded
        case .cancelled: .connectFailed(.system(code: POSIXErrorCode.ECANCELED.rawValue))
        case .invalidRequest(let part): .requestInvalid(part)
        case .other(let code): .connectFailed(.system(code: code))
        }
    }

    /// The cause where it was open. A reason that names no one is a loss, as RST is.
    var causeAfterOpen: CloseCause {
        switch self {
        case .messageTooLong: .limitExceeded
        case .tlsFailed: .tlsFailed
        case .truncated: .truncated
        case .notConnected: .peerVanished
        case .malformedAnswer: .peerViolatedProtocol(code: Self.protocolError)
        case .cancelled, .nameNotResolved, .refused, .unreachable, .timedOut, .reset,
            .invalidRequest, .other:
            .reset
        }
    }

    /// Source: RFC 6455 §7.4.1.
    private static let protocolError: UInt16 = 1_002
}
