import Belay
import Testing

/// One reader of an event stream, who asks for the next thing that it tells.
struct Feed {
    /// What an event stream tells, in order.
    enum News: Hashable, Sendable {
        case event(ServerSentEvent)
        case aside(EventStreamAside)
    }

    /// No other thing came: the stream or the test's time ended.
    struct Silence: Error {}

    let source: EventSource
    private let task: Task<Void, any Error>
    private var news: AsyncStream<News>.Iterator

    init(
        _ request: EventStreamRequest, ledger: any EventLedger = MemoryLedger(),
        evidence: (@Sendable (EvidenceRecord) -> Void)? = nil
    ) {
        let (news, sink) = AsyncStream.makeStream(of: News.self)
        var configuration = ConnectionConfiguration()
        // Long enough that a busy machine has committed by then what it was told of.
        configuration.shortestWait = .milliseconds(300)
        configuration.firstWait = .milliseconds(300)
        let source = EventSource(
            request, ledger: ledger, configuration: configuration, evidence: evidence,
            asides: { sink.yield(.aside($0)) })
        self.source = source
        self.news = news.makeAsyncIterator()
        task = Task {
            defer { sink.finish() }
            try await source.process { sink.yield(.event($0)) }
        }
    }

    /// The next event; asides before it are passed over.
    mutating func event() async throws -> ServerSentEvent {
        while let item = await news.next(isolation: #isolation) {
            if case .event(let event) = item { return event }
        }
        throw Silence()
    }

    /// Why the next generation to end did; what comes before is passed over.
    mutating func end() async throws -> CloseCause {
        while let item = await news.next(isolation: #isolation) {
            if case .aside(.closed(let facts)) = item { return facts.cause }
        }
        throw Silence()
    }

    /// The next comment, without the space that may begin it; what comes before is passed over.
    mutating func comment() async throws -> String {
        while let item = await news.next(isolation: #isolation) {
            guard case .aside(.comment(let text, _)) = item else { continue }
            return String(text.drop { $0 == " " })
        }
        throw Silence()
    }

    /// Closes it, and returns once it is over.
    func close() async throws {
        source.close()
        try await task.value
    }
}
