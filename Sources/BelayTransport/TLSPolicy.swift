/// Whom to trust, and who we are, where bytes go through TLS.
///
/// The peer's certificate is verified, for the host that was asked for, by the authorities that
/// the system trusts. This cannot be switched off: a test trusts its own authority instead.
/// The files are read anew at each attempt, so a certificate that was renewed is used by the next.
public struct TLSPolicy: Hashable, Sendable {
    /// A version of the protocol.
    public enum Version: Hashable, Sendable, CaseIterable {
        /// Source: RFC 5246.
        case tls12
        /// Source: RFC 8446.
        case tls13
    }

    /// What a client shows to a server that asks for it: two PEM files.
    public struct ClientCertificate: Hashable, Sendable {
        /// The certificate, and behind it those of its issuers.
        public var certificateFile: String
        /// The private key, without a passphrase: nobody is there to type it.
        public var keyFile: String

        /// A certificate and its key, by their paths.
        public init(certificateFile: String, keyFile: String) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
    }

    /// Why a policy cannot be used here.
    public enum Invalid: Error, Hashable, Sendable {
        /// The file of further authorities holds none, or cannot be read.
        case authorities(file: String)
        /// The client's certificate cannot be read.
        case certificate(file: String)
        /// The key cannot be read without a passphrase, or is another certificate's.
        case key(file: String)
        /// Belay's own sockets speak no TLS on this system: use its session.
        case unsupported
        /// No memory was left.
        case exhausted
    }

    /// A PEM file of authorities that are trusted besides the system's; `nil` for none.
    public var authoritiesFile: String?
    /// What to show to a server that asks; `nil` for nothing.
    public var clientCertificate: ClientCertificate?
    /// The least version that is spoken. 1.2 by default: older ones are broken (RFC 8996).
    public var minimumVersion: Version

    /// The system's authorities, no client certificate, TLS 1.2 or later.
    public static let standard = TLSPolicy()

    /// A policy; what is left out is as in `standard`.
    public init(
        authoritiesFile: String? = nil, clientCertificate: ClientCertificate? = nil,
        minimumVersion: Version = .tls12
    ) {
        self.authoritiesFile = authoritiesFile
        self.clientCertificate = clientCertificate
        self.minimumVersion = minimumVersion
    }
}

extension TLSPolicy.Invalid: CustomStringConvertible {
    /// One line without a full stop.
    public var description: String {
        switch self {
        case .authorities(let file): "\(file) holds no certificate authority that can be read"
        case .certificate(let file): "\(file) holds no certificate that can be read"
        case .key(let file):
            "\(file) holds no key of this certificate that can be read without a passphrase"
        case .unsupported: "Belay's own sockets speak no TLS on this system"
        case .exhausted: "no memory is left for TLS"
        }
    }
}
