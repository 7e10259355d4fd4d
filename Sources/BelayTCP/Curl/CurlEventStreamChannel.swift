#if os(Linux)
    import BelayCore
    import BelayTransport
    import BelayWire
    import Glibc

    /// One event stream of one generation by libcurl, from its request to its end.
    ///
    /// Name, address and proxy are the `Dialer`'s; TLS, and HTTP in either version, libcurl's; what
    /// it all means is decided here and in the values that this performs for.
    final class CurlEventStreamChannel: TransportChannel {
        private enum State {
            /// The connection is awaited. `nil` only amid a call.
            case dialing(Dialer?)
            /// The response's head is awaited.
            case asking(CurlTransfer, ResponseHeadReader)
            case open(CurlTransfer, EventStreamBody)
            case ended
        }

        private let settings: DialSettings
        private let headLimits: HTTPHeadLimits
        private let loop: EventLoop
        private let sink: TransportSink<[UInt8]>
        private var chain: RedirectChain
        private var state = State.dialing(nil)
        private var reading = Reading.flowing

        init(
            _ request: EventStreamRequest, dial settings: DialSettings, headLimits: HTTPHeadLimits,
            on loop: EventLoop, sink: TransportSink<[UInt8]>
        ) {
            (self.settings, self.headLimits) = (settings, headLimits)
            (self.loop, self.sink) = (loop, sink)
            chain = RedirectChain(request)
            ask()
        }

        func setReading(_ reading: Reading) {
            self.reading = reading
            // No owner is told anything within its own call.
            if reading == .flowing { loop.putOff { [self] in reportBody() } }
        }

        func abort() {
            release()
            state = .ended
        }

        // MARK: The request

        private func ask() {
            let request: CurlRequest
            do throws(UnsendableRequest) {
                request = try CurlRequest(chain.request)
            } catch {
                let cause = CloseCause.requestInvalid(error.part)
                return loop.putOff { [self] in end(cause) }
            }
            let deadline = loop.now.moved(by: settings.timeout)
            state = .dialing(
                Dialer(
                    to: chain.request.url, settings, security: .ofCaller, headLimits: headLimits,
                    deadline: deadline, on: loop
                ) { [self] in dialed($0, for: request) })
        }

        private func dialed(_ result: Result<TCPStream, EndCause>, for request: CurlRequest) {
            switch result {
            case .failure(let end):
                self.end(end.cause, retryAfter: end.retryAfter)
            case .success(let stream):
                let transfer = CurlTransfer(
                    request, over: stream, tls: settings.tls, headLimit: headLimits.headBytes
                ) { [self] in moved() }
                guard let transfer else {
                    stream.drop()
                    return end(.connectFailed(.system(code: ENOMEM)))
                }
                state = .asking(transfer, ResponseHeadReader(limits: headLimits))
            }
        }

        // MARK: The response

        /// Something came, or the transfer ended.
        private func moved() {
            switch state {
            case .asking(let transfer, let reader): readHead(of: transfer, reader)
            case .open: reportBody()
            case .dialing, .ended: return  // It was cancelled in this very turn.
            }
        }

        private func readHead(of transfer: CurlTransfer, _ reader: ResponseHeadReader) {
            var reader = reader
            let isNewer = transfer.isHTTP2
            do throws(EndCause) {
                let bytes = transfer.takeHead()
                if let head = try reader.append(bytes) {
                    responded(head, over: isNewer ? .http2 : .http1, by: transfer)
                } else if let end = transfer.end {
                    self.end(end.causeBeforeHead)
                } else {
                    state = .asking(transfer, reader)
                }
            } catch {
                end(error.cause)
            }
        }

        private func responded(
            _ head: HTTPResponseHead, over version: EventStreamResponse.Version,
            by transfer: CurlTransfer
        ) {
            switch EventStreamResponse(head, over: version, &chain) {
            case .redirects:
                transfer.cancel()
                ask()
            case .ends(let cause, let retryAfter):
                end(cause, retryAfter: retryAfter)
            case .opens(let framing, let isCompressed):
                transfer.passOverHeads()
                state = .open(
                    transfer, EventStreamBody(framing, isCompressed: isCompressed))
                sink(.opened(subprotocol: nil))
                reportBody()
            }
        }

        // MARK: The body

        /// Reports what came, as long as the owner takes it, and the end behind it.
        private func reportBody() {
            guard reading == .flowing, case .open(let transfer, var body) = state else { return }
            if !body.hasMore { body.append(transfer.takeBody()) }
            let bytes = body.next()
            state = .open(transfer, body)
            if !bytes.isEmpty { sink(.received(bytes)) }
            // The report may have paused or ended this channel.
            guard reading == .flowing, case .open = state else { return }
            if body.hasMore || transfer.hasBody {
                // In another turn: other connections wait too.
                loop.putOff { [self] in reportBody() }
            } else if let cause = body.end ?? transfer.end.map(body.end(by:)) {
                end(cause)
            }
        }

        private func end(_ cause: CloseCause, retryAfter: Milliseconds? = nil) {
            if case .ended = state { return }
            release()
            state = .ended
            sink(.ended(cause, retryAfter: retryAfter))
        }

        private func release() {
            switch state {
            case .dialing(let dialer): dialer?.cancel()
            case .asking(let transfer, _), .open(let transfer, _): transfer.cancel()
            case .ended: break
            }
        }
    }
#endif
