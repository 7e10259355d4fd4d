import BelayCore
import BelayTransport

/// One event stream of one generation over URLSession, from its request to its end.
///
/// Everything that the session calls, on whichever queue, enters by a turn of the domain's own.
actor URLSessionEventStreamChannel: TransportChannel {
    /// How much of a body may wait for an owner that paused.
    struct Marks: Hashable {
        /// From here on, in bytes, the task is asked to stop. A socket's buffer, as a measure: the
        /// owner's own queue is in front of it.
        var high = 64 << 10
        /// More, in bytes, ends the stream: where stopping is a wish only, memory has a bound. A
        /// task that does stop was seen to bring 2 MB that were on their way.
        var limit = 16 << 20
    }

    private enum State {
        case opening, open, ended
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { domain.executor }
    private let domain: any SerialDomain
    private let sink: TransportSink<[UInt8]>
    private let marks: Marks
    private let make: MakeEventStreamTask
    private var chain: RedirectChain
    private var task: (any EventStreamTask)?
    /// Which task of the chain it is: what an older one still reports is passed over.
    private var taskNumber = 0
    private var state = State.opening
    private var reading = Reading.flowing
    /// Whether the task was asked to stop.
    private var isSuspended = false
    /// Arrived and not reported: behind a pause it waits.
    private var body: [UInt8] = []
    /// What follows the body.
    private var bodyEnd: CloseCause?

    init(
        _ request: EventStreamRequest, in domain: any SerialDomain, marks: Marks = Marks(),
        make: @escaping MakeEventStreamTask, sink: TransportSink<[UInt8]>
    ) {
        (chain, self.domain, self.marks) = (RedirectChain(request), domain, marks)
        (self.make, self.sink) = (make, sink)
    }

    deinit {
        // An owner that lets go without a word: the session would keep itself alive.
        task?.invalidate()
    }

    /// Begins the attempt. Once, in the domain.
    nonisolated func begin() {
        assumeIsolated { $0.ask() }
    }

    /// Sends the chain's present request, by a task of its own.
    private func ask() {
        taskNumber += 1
        let number = taskNumber
        do throws(SessionFailure) {
            let task = try make(chain.request) { [weak self, domain] event in
                domain.submit { [weak self] in
                    self?.assumeIsolated { $0.take(event, of: number) }
                }
            }
            self.task = task
            task.resume()
        } catch {
            later { $0.completed(SessionCompletion(failure: error)) }
        }
    }

    nonisolated func setReading(_ reading: Reading) {
        assumeIsolated { $0.reading = reading }
        // No owner is told anything within its own call.
        if reading == .flowing { later { $0.reportBody() } }
    }

    nonisolated func abort() {
        assumeIsolated { channel in
            channel.state = .ended
            channel.release()
        }
    }

    private nonisolated func later(
        _ work: @escaping @Sendable (isolated URLSessionEventStreamChannel) -> Void
    ) {
        domain.submit { [weak self] in self?.assumeIsolated { work($0) } }
    }

    // MARK: What the task reports

    private func take(_ event: EventStreamTaskEvent, of number: Int) {
        guard number == taskNumber else { return }
        switch event {
        case .responded(let head): responded(head)
        case .received(let bytes): received(bytes)
        case .completed(let completion): completed(completion)
        }
    }

    private func responded(_ head: EventStreamHead) {
        guard case .opening = state else { return }
        if !head.isCursorTooOld, chain.follow(head.status, to: head.location) {
            release()
            return ask()
        }
        if let cause = head.refusal { return end(cause, retryAfter: head.retryAfter) }
        state = .open
        sink(.opened(subprotocol: nil))
    }

    private func received(_ bytes: [UInt8]) {
        guard case .open = state, bodyEnd == nil else { return }
        if body.isEmpty { body = bytes } else { body += bytes }
        reportBody()
        if body.count > marks.limit {
            bodyEnd = .fellBehind
            release()
        } else if body.count >= marks.high, !isSuspended {
            isSuspended = true
            task?.setReading(.paused)
        }
    }

    private func completed(_ completion: SessionCompletion) {
        switch state {
        case .opening:
            end(Self.causeBeforeOpen(completion), retryAfter: completion.retryAfter)
        case .open where bodyEnd == nil:
            bodyEnd = completion.failure?.causeAfterOpen ?? .peerFinished
            release()
            reportBody()
        case .open, .ended:
            return  // Late, or told again by the session.
        }
    }

    private static func causeBeforeOpen(_ completion: SessionCompletion) -> CloseCause {
        if let failure = completion.failure { return failure.causeBeforeOpen }
        // A redirect that was not followed may come without a head of its own.
        if let status = completion.status { return .handshakeRefused(status: status) }
        // No error and no response: an answer that URLSession cannot make anything of.
        return SessionFailure.malformedAnswer.causeBeforeOpen
    }

    // MARK: What the owner is told

    /// Reports what arrived, as long as the owner takes it, and the end behind it.
    private func reportBody() {
        if mayReport, !body.isEmpty {
            var bytes: [UInt8] = []
            swap(&bytes, &body)
            sink(.received(bytes))
        }
        // The report may have paused or ended this channel.
        guard mayReport else { return }
        if isSuspended {
            isSuspended = false
            task?.setReading(.flowing)
        }
        if let bodyEnd { end(bodyEnd) }
    }

    /// Whether the owner takes reports now.
    private var mayReport: Bool {
        if case .open = state { reading == .flowing } else { false }
    }

    private func end(_ cause: CloseCause, retryAfter: Milliseconds? = nil) {
        state = .ended
        release()
        sink(.ended(cause, retryAfter: retryAfter))
    }

    /// Lets the session go, once.
    private func release() {
        task?.invalidate()
        task = nil
    }
}
