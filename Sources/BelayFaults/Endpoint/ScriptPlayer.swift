import BelayCore
import BelayTCP

/// Takes the steps of verdicts on one connection, in order. It knows no fault by name.
///
/// A connection has one from the first verdict on; until then its bytes go straight to the stream.
final class ScriptPlayer {
    private enum State { case playing, stalled, resetting, ended }

    private struct Entry {
        var step: Step
        /// When it may be taken at the earliest.
        var due: Milliseconds
        /// What of its bytes has left.
        var sentCount = 0
    }
    private struct Aside {
        let due: Milliseconds
        let bytes: [UInt8]
        let note: EndpointEntry.Event?
    }

    /// What a thing to say costs beside its bytes, so that millions of small ones have a limit too.
    private static let entryBytes = 64

    private unowned let connection: EndpointConnection
    private let stream: TCPStream
    private var state = State.playing
    private var queue: [Entry] = []
    private var aside: [Aside] = []
    private var pace: Pace?
    /// Nothing of the queue is taken before.
    private var resumeAt: Milliseconds = 0
    /// Of the queue and aside, with `entryBytes` for each.
    private var queuedBytes = 0
    private var wasFull = false
    /// What a step causes may add steps: they wait for their turn.
    private var isRunning = false
    /// When the stream gave so many bytes, all before the RST has left.
    private var resetTarget: UInt64 = 0
    private var timer: LoopTimer?

    init(_ connection: EndpointConnection, _ stream: TCPStream) {
        self.connection = connection
        self.stream = stream
        timer = LoopTimer(on: stream.loop) { [unowned self] in run() }
    }

    /// Whether nothing that is added now will be said.
    var isSilent: Bool { state != .playing }

    /// Whether bytes wait for their moment.
    var isFull: Bool { queuedBytes >= TCPStream.highWater }

    /// Takes a step behind those that wait.
    func add(_ step: Step) {
        switch (state, step) {
        case (.playing, _): break
        // What is stalled can still be ended.
        case (.stalled, .finish), (.stalled, .reset), (.stalled, .halfClose): state = .playing
        default: return
        }
        switch step {
        case .send(let bytes, _), .sendLater(_, let bytes, _):
            queuedBytes += bytes.count + Self.entryBytes
        default: break
        }
        queue.append(Entry(step: step, due: dueNow()))
        run()
        if isFull { wasFull = true }
    }

    /// The connection is over: nothing is taken any more.
    func end() {
        state = .ended
        clear()
    }

    /// The stream gave so many bytes to the system.
    func gave(_ count: UInt64) {
        if state == .resetting, count >= resetTarget { connection.resetNow() }
    }

    private var now: Milliseconds { stream.loop.now }

    private func dueNow() -> Milliseconds {
        guard pace != nil else { return now }
        let jitter = pace?.jitter ?? 0
        var delay = pace?.latency ?? 0
        if jitter > 0, var generator = pace?.generator {
            delay += Int64.random(in: 0...jitter, using: &generator)
            pace?.generator = generator
        }
        return now.moved(by: delay)
    }

    private func run() {
        if state == .resetting { return connection.resetNow() }
        guard !isRunning else { return }
        isRunning = true
        playAside()
        playQueue()
        isRunning = false
        arm()
        if wasFull, queuedBytes <= TCPStream.lowWater {
            wasFull = false
            connection.drained()
        }
    }

    private func playQueue() {
        var taken = 0
        while state == .playing, taken < queue.count {
            var entry = queue[taken]
            resumeAt = max(resumeAt, entry.due)
            guard resumeAt.isReached(at: now) else { break }
            let isDone = play(&entry)
            guard state == .playing else { return }  // The queue was cleared.
            queue[taken].sentCount = entry.sentCount
            if isDone { taken += 1 }
        }
        if taken > 0 { queue.removeFirst(taken) }
    }

    /// Takes the step, or a part of it; whether it is done with.
    private func play(_ entry: inout Entry) -> Bool {
        switch entry.step {
        case .send(let bytes, let note):
            return send(bytes, note, &entry.sentCount)
        case .sendLater(let wait, let bytes, let note):
            let later = Aside(due: now.moved(by: wait), bytes: bytes, note: note)
            let before = aside.lastIndex { $0.due <= later.due } ?? -1
            aside.insert(later, at: before + 1)
        case .wait(let wait): resumeAt = now.moved(by: wait)
        case .pace(let new): pace = new
        case .repeated(let interval, let bytes):
            // It has no end: a client that does not read gets less.
            if stream.isWritable { stream.write(bytes) }
            resumeAt = now.moved(by: max(1, interval))
            return false
        case .halfClose: connection.halfClose()
        case .finish: connection.finish()
        case .reset: reset()
        case .stall: state = .stalled
        case .proceed, .proceedLater, .startAfter:
            preconditionFailure("\(entry.step) is resolved before it is played")
        }
        if state != .playing { clear() }
        return true
    }

    private func send(
        _ bytes: [UInt8], _ note: EndpointEntry.Event?, _ sentCount: inout Int
    ) -> Bool {
        var count = bytes.count - sentCount
        if let range = pace?.pieceBytes, var generator = pace?.generator {
            count = min(count, Int.random(in: range, using: &generator))
            pace?.generator = generator
            // A piece of its own has a turn of its own: the loop sends once a turn.
            resumeAt = now.moved(by: max(1, pace?.interval ?? 1))
        }
        bytes.withUnsafeBytes {
            _ = stream.write(UnsafeRawBufferPointer(rebasing: $0[sentCount..<(sentCount + count)]))
        }
        sentCount += count
        queuedBytes -= count
        guard sentCount == bytes.count else { return false }
        queuedBytes -= Self.entryBytes
        if let note { connection.record(note) }
        return true
    }

    private func reset() {
        state = .resetting
        resetTarget = stream.write([])
        guard stream.unsentCount > 0 else { return connection.resetNow() }
        // A client that does not read would keep the RST for ever.
        timer?.arm(at: now.moved(by: TCPStream.closeTimeout))
    }

    private func playAside() {
        while let first = aside.first, first.due.isReached(at: now), state == .playing {
            aside.removeFirst()
            queue.append(Entry(step: .send(first.bytes, note: first.note), due: dueNow()))
        }
    }

    private func arm() {
        guard state == .playing else { return }
        let next = queue.isEmpty ? nil : resumeAt
        timer?.arm(at: [next, aside.first?.due].compactMap { $0 }.min())
    }

    private func clear() {
        queue = []
        aside = []
        queuedBytes = 0
        if state != .resetting { timer?.arm(at: nil) }
    }
}
