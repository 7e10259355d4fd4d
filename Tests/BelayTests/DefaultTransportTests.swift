import Belay
import Testing

@Suite struct `The transports of an app that names none` {
    @Test func `refuse a policy whose file is not there`() {
        let policy = TLSPolicy(authoritiesFile: "/no/such/authorities.pem")
        let invalid = TLSPolicy.Invalid.authorities(file: "/no/such/authorities.pem")
        #expect(throws: invalid) { try DefaultTransport.webSocket(tls: policy) }
        #if os(Linux)
            #expect(throws: invalid) { try DefaultTransport.eventStream(tls: policy) }
        #endif
    }

    @Test func `say which file it is`() {
        let authorities = TLSPolicy.Invalid.authorities(file: "own.pem")
        #expect("\(authorities)" == "own.pem holds no certificate authority that can be read")
    }
}
