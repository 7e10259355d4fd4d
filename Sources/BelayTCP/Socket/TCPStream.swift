package import BelayCore
package import BelayTransport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// One connected socket of a loop. The loop keeps it until it has closed.
///
/// What is written in a turn leaves in one send when the turn ends. The two ways end apart: the
/// peer's end is reported and writing goes on, `shutdownWriting()` ends ours; when both have
/// ended, the stream has closed. Not `Sendable`: it is used on its loop only.
package final class TCPStream: LoopSource {
    /// Unsent bytes from which the owner should stop writing: enough to fill a fast path for a
    /// turn, and little beside what the system buffers itself.
    package static let highWater = 256 * 1024
    /// `streamDrained` follows when the unsent bytes have fallen to this.
    package static let lowWater = 64 * 1024
    /// Unsent bytes that fail the stream: its owner does not heed the high water.
    package static let outputLimit = 64 * 1024 * 1024
    /// How long `close()` waits for progress, and then for the peer's FIN, in milliseconds:
    /// long for a round trip, short for a descriptor.
    package static let closeTimeout: Milliseconds = 2_000

    private enum Incoming: UInt8 { case paused, flowing, ended }
    private enum Outgoing: UInt8 { case open, finishing, finished }
    private enum Life: UInt8 { case open, closing, closed }
    /// When the next send comes. Blocked means that the last one left a rest.
    private enum Sending: UInt8 { case resting, atEndOfTurn, blocked }

    /// The loop that it lives on.
    package let loop: EventLoop
    private let descriptor: Int32
    private var incoming = Incoming.paused
    private var outgoing = Outgoing.open
    private var life = Life.open
    private var sending = Sending.resting
    /// Kept until the stream has closed: the two let go of each other then.
    private var delegate: (any TCPStreamDelegate)?
    /// Given back when all is sent, so that an idle connection holds no buffer.
    private var output: SendBuffer?
    /// Where bytes go through TLS.
    private var session: TLSSession?
    private var closeTimer: LoopTimer?

    /// Takes over a connected socket; nothing is read before `start`.
    init(_ descriptor: Int32, on loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
        Descriptor.prepareStream(descriptor)
    }

    /// Has everything from here on go through TLS, as a client of `host`.
    ///
    /// The handshake goes by with the first bytes. Reports and calls keep their meaning: the
    /// peer's end is its close_notify, ours too, and bytes count before they are encrypted.
    package func secure(_ policy: TLSPolicy, host: String) throws(TLSPolicy.Invalid) {
        loop.preconditionOnLoop()
        precondition(session == nil && unsentCount == 0, "secured over bytes in the clear")
        guard life == .open else { return }
        session = try TLSSession(policy, host: host, over: descriptor)
    }

    /// Who begins to end a connection.
    package enum CloseOrder: Hashable, Sendable {
        /// Our FIN follows what was written.
        case first
        /// Our FIN answers the peer's: the one that ends last keeps no port in TIME-WAIT.
        case afterPeer
    }

    /// Begins to read and to report. Called again, another one takes the reports over.
    package func start(_ delegate: any TCPStreamDelegate) {
        loop.preconditionOnLoop()
        guard life == .open else { return }
        self.delegate = delegate
        if incoming == .paused { incoming = .flowing }
        updateWatch()
    }

    // MARK: Asking

    /// Written, and not yet given to the system.
    package var unsentCount: Int { output?.unsentCount ?? 0 }

    /// Whether the owner may go on writing.
    package var isWritable: Bool { unsentCount < Self.highWater }

    /// This end, or `nil` when the socket has gone.
    package var localAddress: SocketAddress? {
        life == .closed ? nil : Descriptor.address(of: descriptor, getsockname)
    }

    /// The other end, or `nil` when the socket has gone.
    package var peerAddress: SocketAddress? {
        life == .closed ? nil : Descriptor.address(of: descriptor, getpeername)
    }

    /// Makes the system buffer few unsent bytes (`SO_SNDBUF`, which it doubles and rounds), so
    /// that a slow peer is felt early.
    package func limitSystemBuffer(to count: Int32) {
        loop.preconditionOnLoop()
        guard life != .closed else { return }
        Descriptor.setOption(descriptor, SOL_SOCKET, SO_SNDBUF, count)
    }

    // MARK: Writing

    /// Appends to what leaves at the end of the turn.
    ///
    /// Returns how many bytes will have been given to the system when these are: the number that
    /// `stream(_:gave:)` reaches. Both count from where all was given before. Nothing happens
    /// once the stream has closed.
    @discardableResult package func write(_ bytes: [UInt8]) -> UInt64 {
        write(encodedBy: { output in
            // A long array is taken over as it is; a short one fills a buffer that is there.
            if output.isEmpty, bytes.count > EventLoop.receiveBudget {
                output = bytes
            } else {
                output += bytes
            }
        })
    }

    /// As `write(_: [UInt8])`, from memory that is valid during the call.
    @discardableResult package func write(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        write(encodedBy: { $0.append(contentsOf: bytes) })
    }

    /// As `write(_: [UInt8])`, for an encoder that appends to the stream's own buffer.
    @discardableResult package func write(encodedBy append: (inout [UInt8]) -> Void) -> UInt64 {
        loop.preconditionOnLoop()
        guard life != .closed else { return 0 }
        precondition(outgoing == .open, "written after the end")
        let output = output ?? loop.takeBuffer()
        self.output = output
        output.append(append)
        list()
        return output.end
    }

    /// Sends FIN after what was written. Reading goes on. Idempotent.
    package func shutdownWriting() {
        loop.preconditionOnLoop()
        guard life == .open, outgoing == .open else { return }
        outgoing = .finishing
        list()
    }

    // MARK: Reading

    /// Stops or resumes reading. A stream that neither reads nor has to write is not watched:
    /// its end shows when it does either again.
    package func setReading(_ reading: Reading) {
        loop.preconditionOnLoop()
        guard life == .open, incoming != .ended else { return }
        incoming = reading == .flowing ? .flowing : .paused
        updateWatch()
        receiveLaterIfPending()
    }

    // MARK: Ending

    /// Sends what was written and FIN, and closes when the peer's FIN has come, which makes the
    /// end orderly: closing over unread bytes would send RST, and the peer might lose the last
    /// words. What still arrives is dropped. `streamClosed` follows. Idempotent.
    package func close(_ order: CloseOrder = .first) {
        loop.preconditionOnLoop()
        guard life == .open else { return }
        life = .closing
        if outgoing == .open, order == .first || incoming == .ended { outgoing = .finishing }
        if incoming == .paused { incoming = .flowing }
        let timer = LoopTimer(on: loop) { [self] in fail(unsentCount > 0 ? .timedOut : nil) }
        timer.arm(at: loop.now.moved(by: Self.closeTimeout))
        closeTimer = timer
        updateWatch()
        list()
    }

    /// Closes at once with RST, drops what was not sent, and reports nothing more. Idempotent.
    package func reset() {
        loop.preconditionOnLoop()
        guard life != .closed else { return }
        Descriptor.resetOnClose(descriptor)
        release()
    }

    /// Closes at once and reports nothing more. The system sends FIN, or RST where bytes were
    /// left unread. Idempotent.
    package func drop() {
        loop.preconditionOnLoop()
        guard life != .closed else { return }
        release()
    }

    /// Gives the socket away, unwatched; the stream has closed by that and reports nothing more.
    ///
    /// `nil` where the socket has gone. For a stream in the clear with nothing left to send.
    func giveAway() -> Int32? {
        loop.preconditionOnLoop()
        precondition(session == nil && unsentCount == 0, "given away amid its own transfers")
        guard life == .open else { return nil }
        life = .closed
        delegate = nil
        output = nil
        try? loop.watch(descriptor, for: [])
        return descriptor
    }

    // MARK: The loop's side

    func ready(_ directions: Directions) {
        // Under TLS either way may have waited for either direction.
        if directions.contains(.reading) || session != nil { receive() }
        if directions.contains(.writing) || session != nil, sending == .blocked { send() }
    }

    /// The turn ends.
    func flush() {
        if sending == .atEndOfTurn { send() }
    }

    func loopStopped() {
        release()
    }

    private func receive() {
        guard life != .closed, incoming == .flowing else { return }
        loop.withScratch { scratch in
            switch session?.receive(into: scratch) ?? Descriptor.receive(descriptor, into: scratch)
            {
            case .bytes(0):
                ended()
            case .bytes(let count):
                if life == .open {  // Closing: nobody wants it any more.
                    let bytes = UnsafeRawBufferPointer(rebasing: scratch[..<count])
                    delegate?.stream(self, received: bytes)
                }
                guard session != nil else { return }
                updateWatch()
                receiveLaterIfPending()
            case .wouldBlock:
                if session != nil { updateWatch() }
            case .failed(.truncated) where life == .closing:
                ended()  // What still came would have been dropped: nothing is missing.
            case .failed(let error):
                fail(error)
            }
        }
    }

    private func ended() {
        incoming = .ended
        updateWatch()
        if life == .open { delegate?.streamEnded(self) }
        if life == .closing, outgoing == .open { outgoing = .finishing }
        list()
    }

    private func receiveLaterIfPending() {
        guard let session, session.hasPending, !session.isReceivingLater else { return }
        session.isReceivingLater = true
        loop.putOff { [self] in
            session.isReceivingLater = false
            receive()
        }
    }

    private func send() {
        guard life != .closed else { return }
        sending = .resting
        if let output, output.unsentCount > 0 {
            let outcome = output.withUnsent { rest in
                session?.send(rest) ?? Descriptor.send(descriptor, rest)
            }
            switch outcome {
            case .bytes(let count): gave(count, of: output)
            case .wouldBlock: sending = .blocked
            case .failed(let error): return failSending(error)
            }
        }
        releaseOutput()
        guard life != .closed else { return }  // The delegate reset it.
        if unsentCount > Self.outputLimit { return fail(.outputLimitExceeded) }
        if unsentCount == 0, outgoing == .finishing { finish() }
        updateWatch()
        closeIfEndedBothWays()
    }

    private func finish() {
        guard session?.finish() != .wouldBlock else {
            sending = .blocked
            return
        }
        outgoing = .finished
        Descriptor.shutdownWriting(descriptor)
    }

    private func gave(_ count: Int, of output: SendBuffer) {
        output.gave(count)
        if output.unsentCount > 0 { sending = .blocked }
        closeTimer?.arm(at: loop.now.moved(by: Self.closeTimeout))
        guard life == .open else { return }
        delegate?.stream(self, gave: output.sentCount)
        guard life == .open, output.takeDrained() else { return }
        delegate?.streamDrained(self)
    }

    /// Only here the count of what was given begins anew: what the owner wrote when it heard of
    /// the last bytes counts on from them.
    private func releaseOutput() {
        guard let output, output.unsentCount == 0 else { return }
        self.output = nil
        loop.giveBack(output)
    }

    private func list() {
        guard sending == .resting else { return }
        sending = .atEndOfTurn
        loop.flushAtEndOfTurn(self)
    }

    private func updateWatch() {
        guard life != .closed else { return }
        var directions: Directions = []
        if incoming == .flowing {
            directions.insert(.reading)
            if let session { directions.formUnion(session.receivingWaitsFor) }
        }
        if sending == .blocked { directions.formUnion(session?.sendingWaitsFor ?? .writing) }
        do {
            try loop.watch(descriptor, for: directions)
        } catch {
            // Not here: the owner is in the midst of a call of its own.
            loop.putOff { [self] in fail(error) }
        }
    }

    private func closeIfEndedBothWays() {
        guard incoming == .ended, outgoing == .finished else { return }
        fail(nil)
    }

    private func failSending(_ error: SocketError) {
        // The peer may have said why before it went: TLS's alert overtakes the socket's error.
        if session != nil, error != .tlsFailed { receive() }
        fail(error)
    }

    private func fail(_ error: SocketError?) {
        guard life != .closed else { return }
        let delegate = delegate
        release()
        delegate?.streamClosed(self, error: error)
    }

    private func release() {
        life = .closed
        delegate = nil
        closeTimer = nil
        output = nil
        session = nil
        loop.close(descriptor)
    }
}
