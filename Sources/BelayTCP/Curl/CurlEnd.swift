#if os(Linux)
    import BelayCore
    import BelayTransport
    import BelayWire
    import COpenSSL
    import Glibc

    /// How a transfer ended, and which cause that is. Pure.
    ///
    /// libcurl's number says where it stopped, not who did it: a FIN without close_notify is a
    /// success to 7.88, and one number stands for an RST, a cut record and a chunk that is none.
    /// So what the socket and TLS themselves saw counts beside it.
    struct CurlEnd: Hashable {
        /// What libcurl says of it.
        struct Report: Hashable {
            /// A `CURLcode`.
            let code: Int32
            /// `errno`, where the socket failed; 0 elsewhere.
            let systemError: Int32
        }

        /// What a connection that closes in order makes of a body.
        enum Close: Hashable {
            /// Its framing promised more.
            case cuts
            /// Nothing else ends it.
            case ends
            /// It is not what ends it: libcurl saw the end itself.
            case isTold
        }

        /// The last alert of TLS that came.
        enum Alert: Hashable {
            case none, closeNotify, fatal
        }

        /// The codes that an event stream can end with. libcurl never gives a number a new meaning.
        private enum Code: Int32 {
            case ok = 0
            case unsupportedProtocol = 1
            case urlMalformat = 3
            case couldntConnect = 7
            case weirdServerReply = 8
            case http2 = 16
            case partialFile = 18
            case writeError = 23
            case outOfMemory = 27
            case sslConnectError = 35
            case gotNothing = 52
            case sendError = 55
            case recvError = 56
            case sslCertProblem = 58
            case sslCipher = 59
            case peerFailedVerification = 60
            case http2Stream = 92
            case tooLarge = 100
        }

        private let report: Report
        private let isSecure: Bool
        private let fault: TLSPolicy.Invalid?
        private let alert: Alert
        private let hasPeerEnded: Bool

        /// - Parameters:
        ///   - isSecure: Whether the bytes went through TLS.
        ///   - fault: What of our own TLS policy cannot be used.
        ///   - alert: What the peer said by TLS's last alert.
        ///   - hasPeerEnded: Whether the socket had met FIN or RST.
        init(
            _ report: Report, isSecure: Bool = false, fault: TLSPolicy.Invalid? = nil,
            alert: Alert = .none, hasPeerEnded: Bool = false
        ) {
            (self.report, self.isSecure, self.fault) = (report, isSecure, fault)
            (self.alert, self.hasPeerEnded) = (alert, hasPeerEnded)
        }

        /// The cause where the head of the response was not complete.
        var causeBeforeHead: CloseCause {
            // Not `tlsFailed`, which blames a peer that was never asked.
            if let fault { return .connectFailed(.system(code: fault.code)) }
            switch Code(rawValue: report.code) {
            case .ok, .gotNothing, .partialFile: return isCutTLS ? .truncated : .peerVanished
            default: return failure
            }
        }

        /// The cause where the body had begun, and its own bytes did not end it.
        func causeInBody(where close: Close) -> CloseCause {
            switch Code(rawValue: report.code) {
            case .ok where close == .isTold: .peerFinished
            case .ok: close == .cuts || isCutTLS ? .truncated : .peerFinished
            case .partialFile, .gotNothing: .truncated
            default: failure
            }
        }

        private var failure: CloseCause {
            // It may overtake the socket's own word: the peer said why it goes.
            if alert == .fatal { return .tlsFailed }
            return switch Code(rawValue: report.code) {
            case .recvError: receivingFailed
            // RST_STREAM, or GOAWAY for a stream that was not begun; and where libcurl would try
            // again by itself, for want of a second socket.
            case .http2, .http2Stream, .sendError, .couldntConnect: .reset
            case .sslConnectError, .sslCertProblem, .sslCipher, .peerFailedVerification: .tlsFailed
            case .unsupportedProtocol, .weirdServerReply: Self.violation
            case .writeError, .outOfMemory, .tooLarge: .limitExceeded
            case .urlMalformat: .requestInvalid(.url)
            case .ok, .partialFile, .gotNothing: .peerVanished
            case nil: .connectFailed(.system(code: EPROTO))
            }
        }

        private var receivingFailed: CloseCause {
            if report.systemError != 0 { return .reset }
            guard isSecure else { return Self.violation }
            // A record that does not hold, but for one that was cut.
            return hasPeerEnded ? .truncated : .tlsFailed
        }

        /// FIN, and no close_notify before it. Source: RFC 8446 §6.1.
        private var isCutTLS: Bool { isSecure && hasPeerEnded && alert == .none }

        private static let violation = CloseCause.peerViolatedProtocol(
            code: CloseCode.protocolError.rawValue)
    }

    extension CurlEnd.Alert {
        init(_ alert: copenssl_alert) {
            switch alert {
            case COPENSSL_CLOSE_NOTIFY: self = .closeNotify
            case COPENSSL_FATAL: self = .fatal
            default: self = .none
            }
        }
    }
#endif
