import BelayCore
import BelayTesting
import BelayTransport

/// The owner of one channel, in the channel's domain: it orders, and keeps what was reported.
actor ContractClient<Payload: Sendable & Equatable> {
    /// As `TransportEvent`, and comparable.
    enum Seen: Equatable, Sendable {
        case opened(subprotocol: String?)
        case received(Payload)
        case pingHandedOver(UInt32)
        case pong(UInt32)
        case unsolicitedPong
        case partlyReceived
        case sent(UInt64)
        case ended(CloseCause, retryAfter: Milliseconds? = nil)
    }

    /// The generation that every channel of the contract is created with.
    static var generation: Generation { Generation(7) }

    nonisolated let domain: any SerialDomain
    nonisolated var unownedExecutor: UnownedSerialExecutor { domain.executor }
    private var channel: (any TransportChannel)?
    private var pausesAtEachReport = false
    private var waiting: [(holds: @Sendable ([Seen]) -> Bool, answer: Answer<Bool>)] = []

    /// Everything that was reported, in order.
    private(set) var events: [Seen] = []
    /// Reports that came from within a call of ours.
    private(set) var reportsWithinCalls = 0
    /// Reports of another generation.
    private(set) var foreignReports = 0
    /// Reports that came while the channel was paused, but for those that are no payload.
    private(set) var payloadsBehindPause = 0
    private var isPaused = false
    private var isCalling = false

    init(in domain: any SerialDomain) {
        self.domain = domain
    }

    // MARK: Orders

    /// Opens a channel; a lagging owner pauses it from within each report.
    func open(
        lagging: Bool = false,
        _ open: @Sendable (TransportSink<Payload>) -> any TransportChannel
    ) {
        pausesAtEachReport = lagging
        isCalling = true
        channel = open(
            TransportSink(generation: Self.generation) { [weak self] generation, event in
                self?.assumeIsolated { $0.take(event, of: generation) }
            })
        isCalling = false
    }

    /// Orders something; whatever is reported meanwhile is counted as a fault.
    func order(_ body: @Sendable (any TransportChannel) -> Void) {
        guard let channel else { return }
        isCalling = true
        body(channel)
        isCalling = false
    }

    func setReading(_ reading: Reading) {
        isPaused = reading == .paused
        order { $0.setReading(reading) }
    }

    /// Takes all from here on.
    func flow() {
        pausesAtEachReport = false
        setReading(.flowing)
    }

    func abort() {
        order { $0.abort() }
    }

    // MARK: Reports

    private func take(_ event: TransportEvent<Payload>, of generation: Generation) {
        if isCalling { reportsWithinCalls += 1 }
        if generation != Self.generation { foreignReports += 1 }
        let seen = Seen(event)
        // Whether parts are seen is no part of the contract.
        if seen == .partlyReceived { return }
        if isPaused, case .received = seen { payloadsBehindPause += 1 }
        events.append(seen)
        if pausesAtEachReport {
            isPaused = true
            channel?.setReading(.paused)
        }
        let held = waiting
        waiting = []
        for wait in held {
            if wait.holds(events) { wait.answer.give(true) } else { waiting.append(wait) }
        }
    }

    /// Waits until the condition holds, or throws `WaitedInVain`.
    nonisolated func wait(
        file: String = #fileID, line: Int = #line,
        until holds: @escaping @Sendable ([Seen]) -> Bool
    ) async throws {
        let answer = Answer<Bool>()
        await register(holds, answer)
        try await answer.wait(file: file, line: line)
    }

    private func register(
        _ holds: @escaping @Sendable ([Seen]) -> Bool, _ answer: Answer<Bool>
    ) {
        if holds(events) { answer.give(true) } else { waiting.append((holds, answer)) }
    }

    /// The payloads, in order.
    var payloads: [Payload] {
        events.compactMap { if case .received(let payload) = $0 { payload } else { nil } }
    }

    /// How the generation ended, each time it was said.
    var causes: [CloseCause] { events.compactMap(\.cause) }
}

extension ContractClient.Seen {
    fileprivate init(_ event: TransportEvent<Payload>) {
        self =
            switch event {
            case .opened(let subprotocol): .opened(subprotocol: subprotocol)
            case .received(let payload): .received(payload)
            case .pingHandedOver(let number): .pingHandedOver(number)
            case .pong(let number): .pong(number)
            case .unsolicitedPong: .unsolicitedPong
            case .partlyReceived: .partlyReceived
            case .sent(let number): .sent(number)
            case .ended(let cause, let retryAfter): .ended(cause, retryAfter: retryAfter)
            }
    }

    var cause: CloseCause? {
        if case .ended(let cause, _) = self { cause } else { nil }
    }

    var isOpening: Bool {
        if case .opened = self { true } else { false }
    }
}

extension ContractClient<[UInt8]>.Seen {
    /// How long a payload is; 0 for anything else.
    var byteCount: Int {
        if case .received(let bytes) = self { bytes.count } else { 0 }
    }
}

extension ContractClient<WebSocketMessage> {
    /// The same for what only a WebSocket has.
    func orderWebSocket(_ body: @Sendable (any WebSocketChannel) -> Void) {
        order { channel in
            if let channel = channel as? any WebSocketChannel { body(channel) }
        }
    }

    /// The Close frames that travelled.
    func closeFrames() -> CloseFrames? {
        (channel as? any WebSocketChannel)?.closeFrames
    }
}
