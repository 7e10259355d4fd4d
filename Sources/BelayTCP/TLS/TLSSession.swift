import BelayTransport
import COpenSSL

/// What stands between a stream and its socket where bytes go through TLS.
///
/// Its transfers have the form of `Descriptor`'s. The handshake goes by with the first of them:
/// the certificate is verified before the first byte of the application leaves. Whatever ends it
/// before, the system included, is `tlsFailed`; a FIN without close_notify behind it is
/// `truncated`. Source: RFC 8446 §6.1.
final class TLSSession {
    private let session: OpaquePointer
    /// What the socket must be ready for before reading can go on.
    private(set) var receivingWaitsFor = Directions.reading
    /// What the socket must be ready for before writing can go on.
    private(set) var sendingWaitsFor = Directions.writing
    /// The end that was met behind bytes: the next `receive` tells it.
    private var owedEnd: Descriptor.Transfer?
    /// A `receive` that no readiness asks for was put off by the stream.
    var isReceivingLater = false

    /// A session as a client of `host`, over a connected socket that stays its owner's.
    init(
        _ policy: TLSPolicy, host: String, over descriptor: Int32
    ) throws(TLSPolicy.Invalid) {
        var fault = COPENSSL_NO_FAULT
        let created = policy.withSettings(host: host) {
            withUnsafePointer(to: $0) { copenssl_create($0, descriptor, &fault) }
        }
        guard let created else { throw policy.invalid(fault) }
        session = created
    }

    deinit {
        copenssl_destroy(session)
    }

    /// Whether something waits that no readiness will report: it left the socket already.
    var hasPending: Bool { owedEnd != nil || copenssl_has_pending(session) != 0 }

    /// Fills `buffer` as far as there is something; 0 bytes are the peer's close_notify.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Descriptor.Transfer {
        if let owedEnd { return owedEnd }
        var done = 0
        while done < buffer.count {
            var moved = 0
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let outcome = copenssl_read(session, rest.baseAddress, rest.count, &moved)
            done += moved
            guard outcome != COPENSSL_MOVED else { continue }
            receivingWaitsFor = outcome == COPENSSL_WANTS_WRITING ? .writing : .reading
            let transfer = self.transfer(of: outcome)
            if done == 0 { return transfer }
            if transfer != .wouldBlock { owedEnd = transfer }
            break
        }
        return .bytes(done)
    }

    /// Sends as much as the system takes. What is left must be offered again.
    func send(_ bytes: UnsafeRawBufferPointer) -> Descriptor.Transfer {
        var done = 0
        while done < bytes.count {
            var moved = 0
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let outcome = copenssl_write(session, rest.baseAddress, rest.count, &moved)
            done += moved
            guard outcome != COPENSSL_MOVED else { continue }
            sendingWaitsFor = outcome == COPENSSL_WANTS_READING ? .reading : .writing
            // A failure is told again when the rest is offered.
            return done > 0 ? .bytes(done) : transfer(of: outcome)
        }
        return .bytes(done)
    }

    /// Sends close_notify; `wouldBlock` where it has to be called again. Reading goes on.
    func finish() -> Descriptor.Transfer {
        let outcome = copenssl_finish(session)
        guard outcome != COPENSSL_MOVED else { return .bytes(0) }
        sendingWaitsFor = outcome == COPENSSL_WANTS_READING ? .reading : .writing
        return transfer(of: outcome)
    }

    /// What it means that nothing was moved.
    private func transfer(of outcome: copenssl_outcome) -> Descriptor.Transfer {
        switch outcome {
        case COPENSSL_WANTS_READING, COPENSSL_WANTS_WRITING: .wouldBlock
        case COPENSSL_ENDED: .bytes(0)
        case _ where copenssl_is_established(session) == 0: .failed(.tlsFailed)
        case COPENSSL_CUT: .failed(.truncated)
        case COPENSSL_SYSTEM: .failed(SocketError(copenssl_errno(session)))
        default: .failed(.tlsFailed)
        }
    }
}
