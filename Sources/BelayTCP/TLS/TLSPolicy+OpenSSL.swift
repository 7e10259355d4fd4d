package import BelayTransport
import COpenSSL

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

extension TLSPolicy {
    /// Reads the files as an attempt will: a wrong path shows before the first connection.
    package func check() throws(Invalid) {
        // The session is never used: no descriptor stands behind it.
        _ = try TLSSession(self, host: "localhost", over: -1)
    }

    /// Calls `body` with the form that the C target takes.
    func withSettings<Result>(host: String, _ body: (copenssl_settings) -> Result) -> Result {
        Self.withCString(authoritiesFile) { authorities in
            Self.withCString(clientCertificate?.certificateFile) { certificate in
                Self.withCString(clientCertificate?.keyFile) { key in
                    host.withCString { host in
                        body(
                            copenssl_settings(
                                host: host, authorities_file: authorities,
                                certificate_file: certificate, key_file: key,
                                minimum_minor: minimumVersion == .tls13 ? 3 : 2))
                    }
                }
            }
        }
    }

    /// What a fault of the C target means for this policy.
    func invalid(_ fault: copenssl_fault) -> Invalid {
        switch fault {
        case COPENSSL_AUTHORITIES: .authorities(file: authoritiesFile ?? "")
        case COPENSSL_CERTIFICATE: .certificate(file: clientCertificate?.certificateFile ?? "")
        case COPENSSL_KEY: .key(file: clientCertificate?.keyFile ?? "")
        case COPENSSL_UNSUPPORTED: .unsupported
        default: .exhausted
        }
    }

    private static func withCString<Result>(
        _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
    ) -> Result {
        guard let text else { return body(nil) }
        return text.withCString { body($0) }
    }
}

extension TLSPolicy.Invalid {
    /// The system's number that comes nearest.
    var code: Int32 {
        switch self {
        case .authorities, .certificate, .key: EINVAL
        case .unsupported: EPROTONOSUPPORT
        case .exhausted: ENOMEM
        }
    }
}
