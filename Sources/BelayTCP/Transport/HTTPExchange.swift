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

    private let stream: TCPStream
    private var completion: ((Result<Response, EndCause>) -> Void)?
    private var reader: ResponseHeadReader

    /// Begins. The request is a whole head. Call on the loop.
    init(
        _ request: [UInt8], over stream: TCPStream, limits: HTTPHeadLimits,
        completion: @escaping (Result<Response, EndCause>) -> Void
    ) {
        (self.stream, self.completion) = (stream, completion)
        reader = ResponseHeadReader(limits: limits)
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
        do throws(EndCause) {
            guard let (head, consumed) = try reader.append(bytes) else { return }
            let rest = Array(bytes[consumed...])
            end(.success(Response(stream: stream, head: head, rest: rest)))
        } catch {
            fail(error.cause)
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
