package import BelayCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Why a call on a socket failed, in the words of `CloseCause` where it has them.
package enum SocketError: Error, Hashable, Sendable {
    /// The host name has no address.
    case nameNotResolved
    /// Nobody listens there.
    case refused
    /// No route to the host or its network.
    case unreachable
    /// The deadline passed, or the system gave up.
    case timedOut
    /// RST, or writing to a peer that has gone.
    case reset
    /// Another socket listens on this address.
    case addressInUse
    /// The address is none of this machine's.
    case addressNotAvailable
    /// The port, or the address, takes rights that the process has not.
    case accessDenied
    /// The process or the system has no descriptor or memory left.
    case outOfDescriptors
    /// The stream holds more unsent bytes than `TCPStream.outputLimit`.
    case outputLimitExceeded
    /// A certificate that does not hold, a handshake that was cut, or a record that is none.
    case tlsFailed
    /// FIN, and no close_notify of TLS before it: something may be missing. RFC 8446 §6.1.
    case truncated
    /// Anything else, by the system's own number (`errno`).
    case system(code: Int32)

    /// The error with this `errno`.
    package init(_ code: Int32) {
        self =
            switch code {
            case ECONNREFUSED: .refused
            case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN: .unreachable
            case ETIMEDOUT: .timedOut
            case ECONNRESET, EPIPE, ECONNABORTED: .reset
            case EADDRINUSE: .addressInUse
            case EADDRNOTAVAIL: .addressNotAvailable
            case EACCES, EPERM: .accessDenied
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: .outOfDescriptors
            default: .system(code: code)
            }
    }

    /// What it means for an attempt to connect.
    package var connectFailure: ConnectFailure {
        switch self {
        case .nameNotResolved: .nameNotResolved
        case .refused: .refused
        case .unreachable: .unreachable
        case .timedOut: .timedOut
        case .reset: .system(code: ECONNRESET)
        case .addressInUse: .system(code: EADDRINUSE)
        case .addressNotAvailable: .system(code: EADDRNOTAVAIL)
        case .accessDenied: .system(code: EACCES)
        case .outOfDescriptors: .system(code: EMFILE)
        case .outputLimitExceeded: .system(code: ENOBUFS)
        case .tlsFailed, .truncated: .system(code: EPROTO)
        case .system(let code): .system(code: code)
        }
    }
}
