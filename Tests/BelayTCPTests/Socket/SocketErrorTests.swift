import BelayCore
import BelayTCP
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

@Suite struct `A socket error` {
    struct Case: CustomTestStringConvertible {
        let code: Int32
        let error: SocketError
        let failure: ConnectFailure
        var testDescription: String { "errno \(code)" }

        init(_ code: Int32, _ error: SocketError, _ failure: ConnectFailure) {
            (self.code, self.error, self.failure) = (code, error, failure)
        }
    }

    @Test(arguments: [
        Case(ECONNREFUSED, .refused, .refused),
        Case(ENETUNREACH, .unreachable, .unreachable),
        Case(EHOSTUNREACH, .unreachable, .unreachable),
        Case(ETIMEDOUT, .timedOut, .timedOut),
        Case(ECONNRESET, .reset, .system(code: ECONNRESET)),
        Case(EPIPE, .reset, .system(code: ECONNRESET)),
        Case(EADDRINUSE, .addressInUse, .system(code: EADDRINUSE)),
        Case(EADDRNOTAVAIL, .addressNotAvailable, .system(code: EADDRNOTAVAIL)),
        Case(EACCES, .accessDenied, .system(code: EACCES)),
        Case(EMFILE, .outOfDescriptors, .system(code: EMFILE)),
        Case(EINVAL, .system(code: EINVAL), .system(code: EINVAL)),
    ])
    func `has a name, and a meaning for an attempt to connect`(_ expected: Case) {
        let error = SocketError(expected.code)
        #expect(error == expected.error)
        #expect(error.connectFailure == expected.failure)
    }
}
