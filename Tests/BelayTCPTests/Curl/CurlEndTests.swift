#if os(Linux)
    import BelayCore
    import BelayTransport
    import Testing

    @testable import BelayTCP

    @Suite struct `The end of a transfer by libcurl` {
        struct Case: CustomTestStringConvertible, Sendable {
            let testDescription: String
            let code: Int32
            var errno: Int32 = 0
            var isSecure = false
            var alert = CurlEnd.Alert.none
            var hasPeerEnded = false
            let beforeHead: CloseCause
            let inBody: CloseCause

            var end: CurlEnd {
                CurlEnd(
                    CurlEnd.Report(code: code, systemError: errno), isSecure: isSecure,
                    alert: alert, hasPeerEnded: hasPeerEnded)
            }

            static let violation = CloseCause.peerViolatedProtocol(code: 1002)

            static let all: [Case] = [
                .init(
                    testDescription: "FIN", code: 0, hasPeerEnded: true,
                    beforeHead: .peerVanished, inBody: .peerFinished),
                .init(
                    testDescription: "END_STREAM", code: 0, isSecure: true,
                    beforeHead: .peerVanished, inBody: .peerFinished),
                .init(
                    testDescription: "close_notify", code: 0, isSecure: true, alert: .closeNotify,
                    hasPeerEnded: true, beforeHead: .peerVanished, inBody: .peerFinished),
                .init(
                    testDescription: "FIN without close_notify", code: 0, isSecure: true,
                    hasPeerEnded: true, beforeHead: .truncated, inBody: .truncated),
                .init(
                    testDescription: "FIN before any byte", code: 52, hasPeerEnded: true,
                    beforeHead: .peerVanished, inBody: .truncated),
                .init(
                    testDescription: "the same without close_notify", code: 52, isSecure: true,
                    hasPeerEnded: true, beforeHead: .truncated, inBody: .truncated),
                .init(
                    testDescription: "a partial body", code: 18, hasPeerEnded: true,
                    beforeHead: .peerVanished, inBody: .truncated),
                .init(
                    testDescription: "RST", code: 56, errno: 104, hasPeerEnded: true,
                    beforeHead: .reset, inBody: .reset),
                .init(
                    testDescription: "RST through TLS", code: 56, errno: 32, isSecure: true,
                    hasPeerEnded: true, beforeHead: .reset, inBody: .reset),
                .init(
                    testDescription: "RST to a request", code: 55, errno: 32,
                    beforeHead: .reset, inBody: .reset),
                .init(
                    testDescription: "a cut record", code: 56, isSecure: true, hasPeerEnded: true,
                    beforeHead: .truncated, inBody: .truncated),
                .init(
                    testDescription: "an alert behind the handshake", code: 56, isSecure: true,
                    alert: .fatal, hasPeerEnded: true, beforeHead: .tlsFailed, inBody: .tlsFailed),
                .init(
                    testDescription: "a record that does not hold", code: 56, isSecure: true,
                    beforeHead: .tlsFailed, inBody: .tlsFailed),
                .init(
                    testDescription: "a chunk that is none", code: 56,
                    beforeHead: violation, inBody: violation),
                .init(
                    testDescription: "RST_STREAM", code: 92, isSecure: true,
                    beforeHead: .reset, inBody: .reset),
                .init(
                    testDescription: "GOAWAY", code: 16, isSecure: true,
                    beforeHead: .reset, inBody: .reset),
                .init(
                    testDescription: "a retry of libcurl's own", code: 7,
                    beforeHead: .reset, inBody: .reset),
                .init(
                    testDescription: "a handshake", code: 35, isSecure: true,
                    beforeHead: .tlsFailed, inBody: .tlsFailed),
                .init(
                    testDescription: "a certificate", code: 60, isSecure: true,
                    beforeHead: .tlsFailed, inBody: .tlsFailed),
                .init(
                    testDescription: "HTTP/0.9", code: 1, beforeHead: violation, inBody: violation),
                .init(
                    testDescription: "a length that is none", code: 8, beforeHead: violation,
                    inBody: violation),
                .init(
                    testDescription: "what we refused to take", code: 23,
                    beforeHead: .limitExceeded, inBody: .limitExceeded),
                .init(
                    testDescription: "anything else", code: 78,
                    beforeHead: .connectFailed(.system(code: 71)),
                    inBody: .connectFailed(.system(code: 71))),
            ]
        }

        @Test(arguments: Case.all)
        func `has one cause`(_ test: Case) {
            #expect(test.end.causeBeforeHead == test.beforeHead)
            #expect(test.end.causeInBody(where: .ends) == test.inBody)
        }

        @Test func `is a cut where the framing promised more`() {
            let end = CurlEnd(CurlEnd.Report(code: 0, systemError: 0), hasPeerEnded: true)
            #expect(end.causeInBody(where: .cuts) == .truncated)
        }

        @Test func `is none where libcurl saw it, however TLS ended`() {
            let report = CurlEnd.Report(code: 0, systemError: 0)
            let end = CurlEnd(report, isSecure: true, hasPeerEnded: true)
            #expect(end.causeInBody(where: .isTold) == .peerFinished)
        }

        @Test func `blames no peer for a file of ours`() {
            let report = CurlEnd.Report(code: 58, systemError: 0)
            let end = CurlEnd(report, isSecure: true, fault: .key(file: "x"))
            #expect(end.causeBeforeHead == .connectFailed(.system(code: 22)))
        }
    }
#endif
