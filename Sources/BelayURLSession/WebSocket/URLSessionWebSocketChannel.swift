import BelayCore
import BelayTransport

/// One WebSocket connection of one generation over URLSession: carries out what the machine says.
///
/// Everything that the session calls, on whichever queue, enters by a turn of the domain's own. So
/// a completion that is called from within one of our calls cannot interrupt what we are at.
actor URLSessionWebSocketChannel: WebSocketChannel {
    nonisolated var unownedExecutor: UnownedSerialExecutor { domain.executor }
    private let domain: any SerialDomain
    private let sink: TransportSink<WebSocketMessage>
    private var machine: WebSocketTaskMachine
    private var task: (any WebSocketTask)?
    private var timer: (any DeadlineTimer)?
    private var armed: Milliseconds?

    init(
        _ request: WebSocketRequest, messageLimit: Int, in domain: any SerialDomain,
        sink: TransportSink<WebSocketMessage>
    ) {
        (self.domain, self.sink) = (domain, sink)
        machine = WebSocketTaskMachine(
            subprotocols: request.subprotocols, messageLimit: messageLimit)
    }

    deinit {
        // An owner that lets go without a word: the session would keep itself alive.
        if !machine.isOver { task?.invalidate() }
    }

    /// Begins the attempt. Once, in the domain.
    nonisolated func begin(
        _ make: (
            @escaping @Sendable (WebSocketTaskEvent) -> Void
        ) throws(SessionFailure) -> any WebSocketTask
    ) {
        let enter = entry()
        do throws(SessionFailure) {
            let task = try make { event in
                switch event {
                case .opened(let subprotocol): enter(.opened(subprotocol: subprotocol))
                case .peerClosed(let code, let length):
                    enter(.peerClosed(code: code, reasonLength: length))
                case .completed(let completion): enter(.completed(completion))
                }
            }
            assumeIsolated { $0.task = task }
            task.resume()
        } catch {
            enter(.completed(SessionCompletion(failure: error)))
        }
    }

    // MARK: Orders

    nonisolated func send(_ message: WebSocketMessage, number: UInt64) {
        assumeIsolated { $0.handle(.sendOrdered(message, number: number)) }
    }

    nonisolated func ping(_ number: UInt32) {
        assumeIsolated { $0.handle(.pingOrdered(number)) }
    }

    nonisolated func close(code: UInt16, reason: String) {
        assumeIsolated { $0.handle(.closeOrdered(code: code, reason: reason)) }
        entry()(.readOn)
    }

    nonisolated func setReading(_ reading: Reading) {
        assumeIsolated { $0.handle(.readingSet(reading)) }
        if reading == .flowing { entry()(.readOn) }
    }

    nonisolated func abort() {
        assumeIsolated { $0.handle(.abortOrdered) }
    }

    nonisolated var closeFrames: CloseFrames {
        assumeIsolated { $0.machine.frames }
    }

    // MARK: Inputs

    /// Where inputs enter in a turn of their own. Any queue may call it.
    private nonisolated func entry() -> @Sendable (WebSocketTaskMachine.Input) -> Void {
        { [weak self, domain] input in
            domain.submit { [weak self] in
                self?.assumeIsolated { $0.handle(input) }
            }
        }
    }

    /// Transition, effects, timer: one stretch. A report may call back into this channel; what is
    /// left of the actions then is of the same moment and still holds.
    private func handle(_ input: WebSocketTaskMachine.Input) {
        for action in machine.handle(input, now: domain.now) { perform(action) }
        rearm()
    }

    private func perform(_ action: WebSocketTaskMachine.Action) {
        let enter = entry()
        switch action {
        case .receive:
            task?.receive { result in
                switch result {
                case .success(let message): enter(.received(message))
                case .failure(let failure): enter(.receiveFailed(failure))
                }
            }
        case .send(let message, let number):
            task?.send(message) { failure in
                enter(failure.map { .sendFailed($0) } ?? .sent(number))
            }
        case .ping(let number):
            // Before its pong, which may come at once.
            enter(.pingStarted(number))
            task?.ping { failure in
                enter(failure.map { .pingFailed($0) } ?? .pongReceived(number))
            }
        case .close(let code, let reason):
            task?.close(code: code, reason: reason)
        case .invalidate:
            task?.invalidate()
            task = nil
        case .reportOpened(let subprotocol):
            sink(.opened(subprotocol: subprotocol))
            handle(.readOn)
        case .deliver(let message):
            sink(.received(message))
            handle(.readOn)
        case .reportSent(let number): sink(.sent(number))
        case .reportPingHandedOver(let number): sink(.pingHandedOver(number))
        case .reportPong(let number): sink(.pong(number))
        case .reportEnd(let cause, let retryAfter):
            sink(.ended(cause, retryAfter: retryAfter))
        }
    }

    private func rearm() {
        guard machine.nextDeadline != armed else { return }
        armed = machine.nextDeadline
        if timer == nil {
            timer = domain.makeTimer { [weak self] in
                self?.assumeIsolated { $0.handle(.deadlineReached) }
            }
        }
        timer?.arm(at: armed)
    }
}
