import BelayCore
import Foundation
import Testing

@testable import BelayURLSession

@Suite struct `An error of URLSession` {
    struct Case: CustomTestStringConvertible, Sendable {
        let domain: String
        let code: Int
        var underlying: Int32?
        let failure: SessionFailure

        var testDescription: String { "\(domain) \(code)" }

        static func url(_ code: Int, _ failure: SessionFailure) -> Case {
            Case(domain: NSURLErrorDomain, code: code, failure: failure)
        }

        static func posix(_ code: POSIXErrorCode, _ failure: SessionFailure) -> Case {
            Case(domain: NSPOSIXErrorDomain, code: Int(code.rawValue), failure: failure)
        }
    }

    @Test(
        arguments: [
            .url(NSURLErrorCancelled, .cancelled), .url(NSURLErrorTimedOut, .timedOut),
            .url(NSURLErrorCannotFindHost, .nameNotResolved),
            .url(NSURLErrorCannotConnectToHost, .refused),
            .url(NSURLErrorNotConnectedToInternet, .unreachable),
            .url(NSURLErrorNetworkConnectionLost, .reset),
            .url(NSURLErrorServerCertificateUntrusted, .tlsFailed),
            .url(NSURLErrorBadServerResponse, .malformedAnswer),
            .url(NSURLErrorUnsupportedURL, .invalidRequest(.url)),
            .url(NSURLErrorBadURL, .invalidRequest(.url)),
            .url(
                NSURLErrorAppTransportSecurityRequiresSecureConnection, .invalidRequest(.url)),
            .url(NSURLErrorUnknown, .truncated), .url(-4_711, .other(code: -4_711)),
            .posix(.ECONNRESET, .reset), .posix(.EPIPE, .reset), .posix(.ENOTCONN, .notConnected),
            .posix(.EMSGSIZE, .messageTooLong), .posix(.ECONNREFUSED, .refused),
            .posix(.EHOSTUNREACH, .unreachable), .posix(.ENOMEM, .other(code: 12)),
            Case(domain: "Another", code: 57, failure: .other(code: 57)),
            // The system's own error says more than URLSession's word for it.
            Case(
                domain: NSURLErrorDomain, code: NSURLErrorNetworkConnectionLost,
                underlying: POSIXErrorCode.EMSGSIZE.rawValue, failure: .messageTooLong),
        ] as [Case])
    func `becomes a value that causes are made of`(test: Case) {
        var facts: [String: Any] = [:]
        if let underlying = test.underlying {
            facts[NSUnderlyingErrorKey] = NSError(
                domain: NSPOSIXErrorDomain, code: Int(underlying))
        }
        let error = NSError(domain: test.domain, code: test.code, userInfo: facts)
        #expect(SessionFailure(error) == test.failure)
    }

    @Test(
        arguments: [
            (
                SessionFailure.cancelled,
                CloseCause.connectFailed(.system(code: POSIXErrorCode.ECANCELED.rawValue)), .reset
            ),
            (.messageTooLong, .limitExceeded, .limitExceeded),
            (.nameNotResolved, .connectFailed(.nameNotResolved), .reset),
            (.refused, .connectFailed(.refused), .reset),
            (.unreachable, .connectFailed(.unreachable), .reset),
            (.timedOut, .connectFailed(.timedOut), .reset),
            (.tlsFailed, .tlsFailed, .tlsFailed),
            (.notConnected, .peerVanished, .peerVanished),
            (.reset, .reset, .reset),
            (.truncated, .peerVanished, .truncated),
            (
                .malformedAnswer, .peerViolatedProtocol(code: 1_002),
                .peerViolatedProtocol(code: 1_002)
            ),
            (.invalidRequest(.body), .requestInvalid(.body), .reset),
            (.other(code: 7), .connectFailed(.system(code: 7)), .reset),
        ] as [(SessionFailure, CloseCause, CloseCause)])
    func `has a cause before the connection opened, and one after`(
        failure: SessionFailure, before: CloseCause, after: CloseCause
    ) {
        #expect(failure.causeBeforeOpen == before)
        #expect(failure.causeAfterOpen == after)
    }
}
