import BelayCore
import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Readiness by Dispatch sources, for systems without epoll.
///
/// Sources report on a queue of Dispatch; an inbox takes the reports to the thread that waits.
/// A source that reported is suspended until the next wait, so that it reports once a turn.
final class DispatchPoller: Poller {
    private let queue = DispatchQueue(label: "belay.poller")
    private let inbox: PollInbox
    private var watches: [Int32: DispatchWatch] = [:]
    /// Those that reported in the turn that ends with the next wait.
    private var reported: [DispatchWatch] = []

    init() throws(SocketError) {
        inbox = try PollInbox()
    }

    func watch(
        _ descriptor: Int32, token: UInt64, from old: Directions, to new: Directions
    ) throws(SocketError) {
        let watch =
            watches[descriptor]
            ?? DispatchWatch(descriptor: descriptor, token: token, queue: queue, inbox: inbox)
        watches[descriptor] = watch
        watch.await(new)
    }

    func close(_ descriptor: Int32) {
        if let watch = watches.removeValue(forKey: descriptor) {
            watch.cancel()
        } else {
            Descriptor.close(descriptor)
        }
    }

    func wait(for timeout: Milliseconds?, into events: inout [PollEvent]) {
        for watch in reported { watch.rearm() }
        reported.removeAll(keepingCapacity: true)
        inbox.wait(for: timeout)
        events.removeAll(keepingCapacity: true)
        for (watch, direction) in inbox.take() {
            reported.append(watch)
            // A source that fired before it was told that nobody asks any more.
            guard watch.isAwaited(direction) else { continue }
            events.append(PollEvent(token: watch.token, directions: direction))
        }
    }

    func ring() {
        inbox.ring()
    }
}

/// The Dispatch sources of one descriptor.
private final class DispatchWatch: Sendable {
    private enum SourceState {
        case absent
        case armed(any DispatchSourceProtocol)
        /// It reported, or nobody asks: suspended once, and to be resumed once.
        case suspended(any DispatchSourceProtocol)
        case cancelled
    }
    private struct State {
        var awaited: Directions = []
        var reading = SourceState.absent
        var writing = SourceState.absent
        /// Sources whose cancellation is not complete; the last one closes the descriptor.
        var living = 0
    }

    let token: UInt64
    private let descriptor: Int32
    private let queue: DispatchQueue
    private let inbox: PollInbox
    private let state = Mutex(State())

    init(descriptor: Int32, token: UInt64, queue: DispatchQueue, inbox: PollInbox) {
        (self.descriptor, self.token, self.queue, self.inbox) = (descriptor, token, queue, inbox)
    }

    func await(_ directions: Directions) {
        state.withLock { $0.awaited = directions }
        rearm()
    }

    func isAwaited(_ direction: Directions) -> Bool {
        state.withLock { $0.awaited.contains(direction) }
    }

    /// Resumes, or makes, the sources that are asked for.
    func rearm() {
        state.withLock { state in
            if state.awaited.contains(.reading) {
                arm(&state.reading, &state.living, .reading) {
                    DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
                }
            }
            if state.awaited.contains(.writing) {
                arm(&state.writing, &state.living, .writing) {
                    DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
                }
            }
        }
    }

    /// Ends both sources. The descriptor is closed when Dispatch has let go of it, as Dispatch
    /// demands; by then its number cannot belong to another socket.
    func cancel() {
        let isFree = state.withLock { state in
            state.awaited = []
            Self.cancel(&state.reading)
            Self.cancel(&state.writing)
            return state.living == 0
        }
        if isFree { Descriptor.close(descriptor) }
    }

    private func arm(
        _ source: inout SourceState, _ living: inout Int, _ direction: Directions,
        make: () -> any DispatchSourceProtocol
    ) {
        switch source {
        case .armed, .cancelled:
            return
        case .suspended(let existing):
            source = .armed(existing)
            existing.resume()
        case .absent:
            let made = make()
            made.setEventHandler { [self] in fired(direction) }
            made.setCancelHandler { [self] in ended() }
            living += 1
            source = .armed(made)
            made.activate()
        }
    }

    private func fired(_ direction: Directions) {
        let isReported = state.withLock { state in
            direction == .reading ? Self.suspend(&state.reading) : Self.suspend(&state.writing)
        }
        if isReported { inbox.put(self, direction) }
    }

    private func ended() {
        let isLast = state.withLock { state in
            state.living -= 1
            return state.living == 0
        }
        if isLast { Descriptor.close(descriptor) }
    }

    private static func suspend(_ source: inout SourceState) -> Bool {
        guard case .armed(let existing) = source else { return false }
        existing.suspend()
        source = .suspended(existing)
        return true
    }

    private static func cancel(_ source: inout SourceState) {
        switch source {
        case .absent, .cancelled:
            return
        case .armed(let existing):
            existing.cancel()
        case .suspended(let existing):
            existing.cancel()
            // A suspended source would never come to its cancel handler.
            existing.resume()
        }
        source = .cancelled
    }
}

/// Takes reports from Dispatch's queue to the thread that waits in `poll`.
private final class PollInbox: Sendable {
    private struct State {
        var reports: [(DispatchWatch, Directions)] = []
        var isRinging = false
    }

    private let readEnd: Int32
    private let writeEnd: Int32
    private let state = Mutex(State())

    init() throws(SocketError) {
        (readEnd, writeEnd) = try Descriptor.makePipe()
    }

    deinit {
        Descriptor.close(readEnd)
        Descriptor.close(writeEnd)
    }

    func put(_ watch: DispatchWatch, _ direction: Directions) {
        state.withLock { $0.reports.append((watch, direction)) }
        ring()
    }

    func ring() {
        let isFirst = state.withLock { state in
            defer { state.isRinging = true }
            return !state.isRinging
        }
        guard isFirst else { return }
        var byte: UInt8 = 0
        _ = write(writeEnd, &byte, 1)
    }

    func wait(for timeout: Milliseconds?) {
        var entry = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, timeout.map { Int32(clamping: $0) } ?? -1) > 0 else { return }
        var byte: UInt8 = 0
        _ = read(readEnd, &byte, 1)
        state.withLock { $0.isRinging = false }
    }

    func take() -> [(DispatchWatch, Directions)] {
        state.withLock { state in
            defer { state.reports = [] }
            return state.reports
        }
    }
}
