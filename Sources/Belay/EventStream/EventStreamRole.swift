import BelayCore
import BelayTransport
import BelayWire

/// What waits for the handler, in stream order.
enum StreamElement: Sendable {
    /// A complete event of this generation.
    case event(ServerSentEvent, Generation)
    /// A complete block without data moved the last event ID; `nil` cleared it.
    case moved(EventID?, Generation)
    /// The server said, by this cause, that the generation's cursor is too old.
    case tooOld(CloseCause, Generation)
    /// Something besides events.
    case aside(EventStreamAside)
}

/// Whether anyone listens to what a stream tells besides its events.
enum Asides {
    case dropped, queued
}

/// How an event stream fills the driver's role: bytes become events, and requests say the cursor.
struct EventStreamRole: ConnectionRole {
    let transport: any EventStreamTransport
    let request: EventStreamRequest
    let hook: RequestHook<EventStreamRequest>?
    let limits: EventStreamLimits
    let ledger: any EventLedger
    let queue: DeliveryQueue<StreamElement>
    let snapshotHook: SnapshotHook?
    /// What the machine makes of an end.
    let policy: ReconnectPolicy
    let asides: Asides

    /// The present generation's own: what an older one left unfinished dies with it.
    private var parser: EventStreamParser
    /// Types of events that say that the cursor is too old.
    private let resyncTypes: Set<String>
    /// Kept between reads for its room.
    private var elements: [EventStreamElement] = []

    init(
        transport: any EventStreamTransport, request: EventStreamRequest,
        hook: RequestHook<EventStreamRequest>?, limits: EventStreamLimits,
        ledger: any EventLedger, queue: DeliveryQueue<StreamElement>,
        snapshotHook: SnapshotHook?, policy: ReconnectPolicy, asides: Asides
    ) {
        self.transport = transport
        self.request = request
        self.hook = hook
        self.limits = limits
        self.ledger = ledger
        self.queue = queue
        self.snapshotHook = snapshotHook
        self.policy = policy
        resyncTypes = snapshotHook?.eventTypes ?? []
        self.asides = asides
        parser = EventStreamParser(limits: limits)
    }

    var domain: any SerialDomain { transport.domain }

    /// Says the cursor as it stands now: what was *processed*, not what was read.
    mutating func open(
        _ request: EventStreamRequest, _ sink: TransportSink<[UInt8]>
    ) throws(UnsendableRequest) -> any TransportChannel {
        let cursor = ledger.cursor?.text
        parser = EventStreamParser(lastEventID: cursor ?? "", limits: limits)
        var request = request
        request.lastEventID = cursor
        request.staleCursorFields = snapshotHook?.fields ?? []
        try request.check()
        return transport.open(request, sink: sink)
    }

    func opened(_ generation: Generation, subprotocol: String?) {}

    mutating func received(_ bytes: [UInt8], of generation: Generation) -> Reception {
        var reception = Reception()
        do throws(EventStreamError) {
            try parser.append(bytes, into: &elements)
        } catch {
            // The events before the fault are complete, and go through below.
            reception.failure = .limitExceeded
        }
        for element in elements {
            guard reception.failure != .cursorTooOld else { break }
            take(element, of: generation, into: &reception)
        }
        elements.removeAll(keepingCapacity: true)
        return reception
    }

    private func take(
        _ element: EventStreamElement, of generation: Generation, into reception: inout Reception
    ) {
        switch element {
        case .event(let event) where resyncTypes.contains(event.type):
            reception.failure = .cursorTooOld
        case .event(let event):
            let parts = [event.data, event.type, event.lastEventID]
            let weight = parts.reduce(0) { $0 + $1.utf8.count }
            push(.event(event, generation), weight: weight, into: &reception)
        case .lastEventID(let id):
            push(.moved(EventID(id), generation), weight: id.utf8.count, into: &reception)
        case .reconnectionTime(let time):
            reception.reconnectionTime = Milliseconds(clamping: time)
        case .comment(let text):
            // Its bytes have broken the silence already, whoever listens.
            guard asides == .queued else { return }
            let aside = EventStreamAside.comment(text, generation)
            push(.aside(aside), weight: text.utf8.count, into: &reception)
        }
    }

    private func push(
        _ element: StreamElement, weight: Int, into reception: inout Reception
    ) {
        reception.isFull = queue.push(element, weight: weight) == .full
    }

    func byteCount(of bytes: [UInt8]) -> Int {
        bytes.count
    }

    /// Half an event, and half an id, die with their connection (E3).
    mutating func ended(_ end: CloseFacts) {
        parser.finish()
        if asides == .queued {
            queue.retractNewestEnd()
            _ = queue.push(.aside(.closed(end)), weight: 0)
        }
        // Behind what came before it, so that the cursor is replaced in its turn.
        if policy.advice(on: end.cause) == .takeSnapshot {
            _ = queue.push(.tooOld(end.cause, end.generation), weight: 0)
        }
    }

    func base(_ channel: any TransportChannel) -> any TransportChannel {
        channel
    }
}

/// An event stream's client says nothing after its request.
extension EventStreamRole {
    func nextToSend() -> (payload: [UInt8], number: UInt64)? { nil }

    func send(_ bytes: [UInt8], number: UInt64, on channel: any TransportChannel) {}

    func byteCount(ofSent number: UInt64) -> Int? { nil }

    func sent(_ number: UInt64) {}

    func ping(_ number: UInt32, on channel: any TransportChannel) {
        // Its heartbeat is off, and silence is judged.
    }

    static var hasClosingHandshake: Bool { false }

    func close(_ channel: any TransportChannel) {}

    func frames(of channel: any TransportChannel) -> CloseFrames { CloseFrames() }
}

extension DeliveryQueue<StreamElement> {
    /// Where the app lags, takes back an end that another one follows: a server that refuses for
    /// days must not fill the memory of an app whose handler waits.
    fileprivate func retractNewestEnd() {
        retractIfFull { newest, _ in
            if case .aside(.closed) = newest { 1 } else { 0 }
        }
    }
}
