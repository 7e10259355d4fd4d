import BelayCore
import BelayTCP
import BelayTesting
import BelayTransport

/// What a channel reported, in order, for a test to take one by one.
actor EventLog<Payload: Sendable & Equatable> {
    /// As `TransportEvent`, and comparable.
    enum Seen: Equatable, Sendable {
        case opened(subprotocol: String?)
        case received(Payload)
        case partlyReceived
        case pingHandedOver(UInt32)
        case pong(UInt32)
        case unsolicitedPong
        case sent(UInt64)
        case ended(CloseCause, retryAfter: Milliseconds? = nil)
    }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor }
    private var unread: [Seen] = []
    private var waiter: Answer<Bool>?
    /// Whether its last event was taken: nothing more comes.
    private var isOver = false
    /// Whether parts of frames are events: how many come is the network's chance.
    private var tellsParts = false
    /// Paused from within each of its reports.
    private var lagging: (any TransportChannel)?

    init(on loop: EventLoop) {
        self.loop = loop
    }

    nonisolated var sink: TransportSink<Payload> {
        TransportSink(generation: Generation(1)) { [self] _, event in
            assumeIsolated { $0.put(event) }
        }
    }

    /// The next event. Throws `WaitedInVain` where none comes, at once behind the last.
    func next(file: String = #fileID, line: Int = #line) async throws -> Seen {
        if unread.isEmpty {
            guard !isOver else {
                throw WaitedInVain("nothing comes behind the end", file: file, line: line)
            }
            let answer = Answer<Bool>()
            waiter = answer
            try await answer.wait(file: file, line: line)
        }
        let event = unread.removeFirst()
        if case .ended = event { isOver = true }
        return event
    }

    /// From now on a part of a frame is an event too.
    func tellParts() {
        tellsParts = true
    }

    /// How many events were not taken.
    var unreadCount: Int { unread.count }

    /// The same for a caller on the loop, who does not let a turn pass by asking.
    nonisolated var unreadCountAtOnce: Int { assumeIsolated { $0.unreadCount } }

    /// Opens a channel that is paused from within each of its reports.
    func lag(behind open: @Sendable (TransportSink<Payload>) -> any TransportChannel) {
        lagging = open(sink)
    }

    /// Lets the channel report on; how many reports came from within the call.
    func flow() -> Int {
        let before = unread.count
        lagging?.setReading(.flowing)
        return unread.count - before
    }

    /// Begins the closing handshake of the channel.
    func close() {
        (lagging as? any WebSocketChannel)?.close(code: 1000, reason: "")
    }

    /// Releases the channel.
    func abort() {
        lagging?.abort()
    }

    private func put(_ event: TransportEvent<Payload>) {
        if case .partlyReceived = event, !tellsParts { return }
        let seen: Seen =
            switch event {
            case .opened(let subprotocol): .opened(subprotocol: subprotocol)
            case .received(let payload): .received(payload)
            case .partlyReceived: .partlyReceived
            case .pingHandedOver(let number): .pingHandedOver(number)
            case .pong(let number): .pong(number)
            case .unsolicitedPong: .unsolicitedPong
            case .sent(let number): .sent(number)
            case .ended(let cause, let retryAfter): .ended(cause, retryAfter: retryAfter)
            }
        unread.append(seen)
        lagging?.setReading(.paused)
        waiter?.give(true)
        waiter = nil
    }
}
