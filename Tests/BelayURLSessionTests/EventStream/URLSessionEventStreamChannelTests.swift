import BelayCore
import BelayTesting
import BelayTransport
import Synchronization
import Testing

@testable import BelayURLSession

@Suite struct `An event stream channel over a data task` {
    private static let head = EventStreamHead(status: 200, contentType: "text/event-stream")

    /// A task that does nothing by itself.
    private final class ScriptedTask: EventStreamTask {
        enum Order: Equatable { case resume, pause, flow, invalidate }

        let report: @Sendable (EventStreamTaskEvent) -> Void
        private let recorded = Mutex<[Order]>([])

        init(_ report: @escaping @Sendable (EventStreamTaskEvent) -> Void) {
            self.report = report
        }

        var orders: [Order] { recorded.withLock { $0 } }

        func resume() { recorded.withLock { $0.append(.resume) } }
        func invalidate() { recorded.withLock { $0.append(.invalidate) } }
        func setReading(_ reading: Reading) {
            recorded.withLock { $0.append(reading == .paused ? .pause : .flow) }
        }
    }

    /// One channel over such a task, and what it reported.
    private final class Bench: Sendable {
        enum Seen: Equatable {
            case opened
            case received([UInt8])
            case ended(CloseCause, retryAfter: Milliseconds? = nil)
        }

        let loop = ManualLoop()
        private let made = Mutex<[ScriptedTask]>([])
        private let asked = Mutex<[EventStreamRequest]>([])
        private let held = Mutex<URLSessionEventStreamChannel?>(nil)
        private let reported = Mutex<[Seen]>([])

        init(_ marks: URLSessionEventStreamChannel.Marks = .init()) throws {
            let request = EventStreamRequest(
                url: try ConnectionURL("http://here/"), lastEventID: "41")
            drive { [self] in
                let sink = TransportSink<[UInt8]>(generation: Generation(1)) { [self] _, event in
                    reported.withLock { events in
                        switch event {
                        case .opened: events.append(.opened)
                        case .received(let bytes): events.append(.received(bytes))
                        case .ended(let cause, let retryAfter):
                            events.append(.ended(cause, retryAfter: retryAfter))
                        default: Issue.record("\(event) of an event stream")
                        }
                    }
                }
                let make: MakeEventStreamTask = {
                    [self] (request, report) throws(SessionFailure) in
                    let task = ScriptedTask(report)
                    asked.withLock { $0.append(request) }
                    made.withLock { $0.append(task) }
                    return task
                }
                let channel = URLSessionEventStreamChannel(
                    request, in: loop, marks: marks, make: make, sink: sink)
                held.withLock { $0 = channel }
                channel.begin()
            }
        }

        var events: [Seen] { reported.withLock { $0 } }
        /// The orders to the first task.
        var orders: [ScriptedTask.Order] { orders(to: 0) }
        var requests: [EventStreamRequest] { asked.withLock { $0 } }

        func orders(to number: Int) -> [ScriptedTask.Order] {
            made.withLock { $0.indices.contains(number) ? $0[number].orders : [] }
        }

        func drive(_ work: @escaping @Sendable () -> Void) {
            loop.submit(work)
            loop.run()
        }

        func say(_ events: EventStreamTaskEvent..., of number: Int = 0) {
            let task = made.withLock { $0[number] }
            for event in events { task.report(event) }
            loop.run()
        }

        func order(_ body: @escaping @Sendable (URLSessionEventStreamChannel) -> Void) {
            drive { [self] in if let channel = held.withLock({ $0 }) { body(channel) } }
        }

        func letGo() {
            held.withLock { $0 = nil }
            loop.run()
        }
    }

    @Test func `opens by its head, passes bytes on, and ends once`() throws {
        let bench = try Bench()
        bench.say(.responded(Self.head), .received([1]), .received([2, 3]))
        bench.say(.completed(SessionCompletion()), .completed(SessionCompletion(failure: .reset)))
        #expect(
            bench.events == [
                .opened, .received([1]), .received([2, 3]), .ended(.peerFinished),
            ])
        #expect(bench.orders == [.resume, .invalidate])
    }

    @Test func `stops the task at the high mark, and lets it go on when all is reported`() throws {
        let bench = try Bench(.init(high: 4, limit: 100))
        bench.say(.responded(Self.head))
        bench.order { $0.setReading(.paused) }
        bench.say(.received([1, 2, 3]))
        #expect(bench.orders == [.resume])
        bench.say(.received([4]), .received([5]))
        #expect(bench.orders == [.resume, .pause])
        #expect(bench.events == [.opened])
        bench.order { $0.setReading(.flowing) }
        #expect(bench.events == [.opened, .received([1, 2, 3, 4, 5])])
        #expect(bench.orders == [.resume, .pause, .flow])
    }

    @Test func `ends a stream that goes on behind a pause, and loses nothing before`() throws {
        let bench = try Bench(.init(high: 1, limit: 4))
        bench.say(.responded(Self.head))
        bench.order { $0.setReading(.paused) }
        bench.say(.received([1, 2, 3, 4]))
        #expect(bench.orders == [.resume, .pause])
        bench.say(.received([5]))
        bench.say(.received([6]), .completed(SessionCompletion(failure: .cancelled)))
        #expect(bench.orders == [.resume, .pause, .invalidate])
        #expect(bench.events == [.opened])
        bench.order { $0.setReading(.flowing) }
        #expect(bench.events == [.opened, .received([1, 2, 3, 4, 5]), .ended(.fellBehind)])
    }

    @Test func `holds its end behind what waits for its owner`() throws {
        let bench = try Bench()
        bench.say(.responded(Self.head))
        bench.order { $0.setReading(.paused) }
        bench.say(.received([1]), .completed(SessionCompletion(failure: .truncated)))
        #expect(bench.events == [.opened])
        bench.order { $0.setReading(.flowing) }
        #expect(bench.events == [.opened, .received([1]), .ended(.truncated)])
    }

    @Test(arguments: [
        (SessionCompletion(failure: .refused), CloseCause.connectFailed(.refused)),
        // A redirect to nowhere, where the system keeps its head to itself.
        (SessionCompletion(status: 302), .handshakeRefused(status: 302)),
        // A redirect without a place to go: no error, and no response.
        (SessionCompletion(), .peerViolatedProtocol(code: 1_002)),
    ])
    func `ends an attempt that had no head`(completion: SessionCompletion, cause: CloseCause) throws
    {
        let bench = try Bench()
        bench.say(.completed(completion), .responded(Self.head), .received([1]))
        #expect(bench.events == [.ended(cause)])
        #expect(bench.orders == [.resume, .invalidate])
    }

    @Test func `refuses by the head, and lets the session go`() throws {
        let bench = try Bench()
        bench.say(
            .responded(EventStreamHead(status: 503, retryAfter: 5_000)), .received([1]),
            .completed(SessionCompletion()))
        #expect(bench.events == [.ended(.handshakeRefused(status: 503), retryAfter: 5_000)])
        #expect(bench.orders == [.resume, .invalidate])
    }

    @Test func `follows a redirect by another task, and hears the first no more`() throws {
        let bench = try Bench()
        bench.say(
            .responded(EventStreamHead(status: 307, location: "https://there/")),
            .responded(EventStreamHead(status: 307)), .completed(SessionCompletion(status: 307)))
        #expect(bench.requests.map(\.url.description) == ["http://here/", "https://there/"])
        #expect(bench.requests.map(\.lastEventID) == ["41", nil])
        #expect(bench.orders == [.resume, .invalidate])
        #expect(bench.events == [])
        bench.say(.responded(Self.head), .received([1]), of: 1)
        bench.say(.received([2]), .completed(SessionCompletion(failure: .reset)))
        #expect(bench.events == [.opened, .received([1])])
        bench.order { $0.abort() }
        #expect(bench.orders(to: 1) == [.resume, .invalidate])
    }

    @Test func `says nothing after it was aborted, and invalidates once`() throws {
        let bench = try Bench()
        bench.say(.responded(Self.head))
        bench.order { $0.abort() }
        bench.order { $0.abort() }
        bench.say(.received([1]), .completed(SessionCompletion(failure: .cancelled)))
        #expect(bench.events == [.opened])
        #expect(bench.orders == [.resume, .invalidate])
    }

    // C11
    @Test(arguments: [false, true])
    func `lets the session go when its owner lets go without a word`(isOpen: Bool) throws {
        let bench = try Bench()
        if isOpen { bench.say(.responded(Self.head)) }
        bench.letGo()
        bench.say(.received([1]))
        #expect(bench.orders == [.resume, .invalidate])
    }
}
