import BelayCore
import BelayTesting
import BelayTransport
import BelayURLSession

/// The test kit's scripted transport, and a script that says what a peer with a plan would.
final class ScriptedStage: WebSocketStage {
    let domain: any SerialDomain
    private let transport: ScriptedWebSocketTransport
    private let plan: PeerPlan
    private let ended = Answer<Bool>()

    init(_ plan: PeerPlan) {
        let domain = DispatchDomain(label: "scripted")
        (self.domain, self.plan) = (domain, plan)
        transport = ScriptedWebSocketTransport(domain: domain)
    }

    func open(_ sink: TransportSink<WebSocketMessage>) -> any WebSocketChannel {
        let request: WebSocketRequest
        do {
            request = WebSocketRequest(url: try ConnectionURL("ws://127.0.0.1/"))
        } catch {
            preconditionFailure("\(error)")
        }
        _ = transport.open(request, sink: sink)
        let channel = AnsweringChannel(
            transport.channels[transport.channels.count - 1], PlannedPeer(plan), ended,
            in: domain)
        channel.begin()
        return channel
    }

    /// It says everything at once.
    func peerSaidAll() async {}

    func peerSawEnd() async {
        _ = await ended.value()
    }

    func tearDown() async {}
}

/// A scripted channel whose script follows the orders as they come.
private actor AnsweringChannel: WebSocketChannel {
    private let domain: any SerialDomain
    nonisolated var unownedExecutor: UnownedSerialExecutor { domain.executor }
    private let scripted: ScriptedWebSocketTransport.Scripted
    private var peer: PlannedPeer
    private let ended: Answer<Bool>
    private var unsaid: [PlannedPeer.Utterance] = []
    private var reading = Reading.flowing
    private var isClosing = false
    private var isOver = false

    init(
        _ scripted: ScriptedWebSocketTransport.Scripted, _ peer: PlannedPeer,
        _ ended: Answer<Bool>, in domain: any SerialDomain
    ) {
        (self.scripted, self.peer, self.ended) = (scripted, peer, ended)
        self.domain = domain
    }

    nonisolated func begin() {
        assumeIsolated { $0.answerOpening() }
        // Behind the report, which may pause.
        domain.submit { self.assumeIsolated { $0.say() } }
    }

    nonisolated func send(_ message: WebSocketMessage, number: UInt64) {
        assumeIsolated { channel in
            guard !channel.isOver, !channel.isClosing else { return }
            channel.scripted.send(message, number: number)
            channel.scripted.report(.sent(number))
            channel.unsaid.append(channel.peer.hear(message))
            channel.say()
        }
    }

    nonisolated func ping(_ number: UInt32) {
        assumeIsolated { channel in
            guard !channel.isOver else { return }
            channel.scripted.ping(number)
            channel.scripted.report(.pingHandedOver(number))
            // A second pong answers nothing more.
            for place in 0..<channel.peer.plan.pongs {
                channel.scripted.report(place == 0 ? .pong(number) : .unsolicitedPong)
            }
        }
    }

    nonisolated func close(code: UInt16, reason: String) {
        assumeIsolated { channel in
            guard !channel.isOver, !channel.isClosing else { return }
            channel.scripted.close(code: code, reason: reason)
            channel.isClosing = true
            channel.unsaid.append(.close(code: code))
            channel.say()
        }
    }

    nonisolated func setReading(_ reading: Reading) {
        assumeIsolated { channel in
            channel.scripted.setReading(reading)
            channel.reading = reading
            channel.say()
        }
    }

    nonisolated func abort() {
        assumeIsolated { channel in
            channel.scripted.abort()
            channel.isOver = true
            channel.ended.give(true)
        }
    }

    nonisolated var closeFrames: CloseFrames { scripted.closeFrames }

    private func answerOpening() {
        switch peer.plan.opening {
        case .accepts:
            scripted.report(.opened(subprotocol: nil))
            unsaid = peer.greetings
        case .refuses(let status):
            isOver = true
            scripted.report(
                .ended(.handshakeRefused(status: UInt16(clamping: status)), retryAfter: 2_000))
        case .staysSilent: break
        }
    }

    private func say() {
        while !isOver, reading == .flowing || isClosing, !unsaid.isEmpty {
            switch unsaid.removeFirst() {
            case .message(let message): scripted.report(.received(message))
            case .close(let code):
                scripted.receiveClose(code: code)
                end(isClosing ? .closedLocally : .peerClosed(code: code))
            case .vanish: end(.peerVanished)
            case .reset: end(.reset)
            }
        }
    }

    private func end(_ cause: CloseCause) {
        isOver = true
        scripted.report(.ended(cause))
    }
}
