import BelayCore
import BelayWire

/// Sends one request over a connection and reads the head of its response.
///
/// It reports once, in a later turn, unless it was cancelled before.
final class HTTPExchange: TCPStreamDelegate {
    /// A connection whose response head was read.
    struct Response {
        let stream: TCPStream
        let head: HTTPResponseHead
        /// What came in the same segment, behind the head.
        let rest: [UInt8]
    }

    /// Heads with status 1xx that may come before the response. One or two are in use.
    private static let interimLimit = 8

    private let stream: TCPStream
    private var completion: ((Result<Response, EndCause>) -> Void)?
    private var parser: HTTPHeadParser<HTTPResponseHead>
    private var interimCount = 0

    /// Begins. The request is a whole head. Call on the loop.
    init(
        _ request: [UInt8], over stream: TCPStream, limits: HTTPHeadLimits,
        completion: @escaping (Result<Response, EndCause>) -> Void
    ) {
        (self.stream, self.completion) = (stream, completion)
        parser = HTTPHeadParser(limits: limits)
        stream.start(self)
        stream.write(request)
    }

    /// Ends the exchange and its connection at once; nothing is reported. Idempotent.
    func cancel() {
        guard completion != nil else { return }
        completion = nil
        stream.drop()
    }

    func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer) {
        var bytes = bytes
        do {
            while let (head, consumed) = try parser.append(bytes) {
                bytes = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
                if head.status == 101 || head.status >= 200 {
                    return end(
                        .success(Response(stream: stream, head: head, rest: Array(bytes))))
                }
                interimCount += 1
                guard interimCount <= Self.interimLimit else { return fail(.limitExceeded) }
            }
        } catch {
            switch error.fault {
            case .headTooLong, .lineTooLong, .tooManyFields:
                fail(.limitExceeded)
            case .bareCarriageReturn, .nul, .malformedStartLine, .unsupportedVersion,
                .foldedField, .malformedFieldName, .spaceBeforeColon:
                fail(.peerViolatedProtocol(code: CloseCode.protocolError.rawValue))
            }
        }
    }

    func streamEnded(_ stream: TCPStream) {
        fail(.peerVanished)
    }

    func streamClosed(_ stream: TCPStream, error: SocketError?) {
        end(.failure(EndCause(error)))
    }

    private func fail(_ cause: CloseCause) {
        stream.drop()
        end(.failure(EndCause(cause)))
    }

    private func end(_ result: Result<Response, EndCause>) {
        let completion = completion
        self.completion = nil
        completion?(result)
    }
}
