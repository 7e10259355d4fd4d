import Belay
import Foundation
import Synchronization

/// Many of Belay's own connections in one process, each with its heartbeat and nothing else.
///
///     bench-clients PORT PATH CONNECTIONS SECONDS INTERVAL_MILLISECONDS
///
/// Prints, in the words of `bench-load soak`, what became of them and what they cost this process.
@main
struct BenchClients {
    static func main() async throws {
        let arguments = CommandLine.arguments
        let numbers = arguments.dropFirst().compactMap { Int($0) }
        guard arguments.count == 6, numbers.count == 4 else {
            FileHandle.standardError.write(Data("error: bench-clients: see its head\n".utf8))
            exit(2)
        }
        let url = try ConnectionURL("ws://127.0.0.1:\(numbers[0])\(arguments[2])")
        let fleet = Fleet(url: url, interval: .milliseconds(numbers[3]))
        print(await fleet.report(count: numbers[1], seconds: numbers[2]))
    }
}

/// The connections and what was seen of them.
private final class Fleet: Sendable {
    /// A pong that takes longer is told; the heartbeat itself waits ten seconds.
    private static let lateMilliseconds: Milliseconds = 1_000
    /// Attempts under way at once: a listener's backlog holds them.
    private static let attempts = 256

    private struct Tally {
        var pings = 0
        var pongs = 0
        var late = 0
        var worst: Milliseconds = 0
        var ends = 0
        /// Ends by the heartbeat: a pong that did not come. The last ones may be on their way.
        var missing = 0
    }

    private let url: ConnectionURL
    private let heartbeat: HeartbeatPolicy
    private let tally = Mutex(Tally())

    init(url: ConnectionURL, interval: Duration) {
        self.url = url
        var heartbeat = HeartbeatPolicy.every(interval, timeout: .seconds(10))
        heartbeat.firstJitter = 100
        self.heartbeat = heartbeat
    }

    func report(count: Int, seconds: Int) async -> String {
        let (opened, opening) = AsyncStream.makeStream(of: Void.self)
        var opens = opened.makeAsyncIterator()
        let memory = residentBytes()
        var readers: [Task<Void, Never>] = []
        for place in 0..<count {
            readers.append(Task { await read(opening) })
            if place >= Self.attempts { await opens.next() }
        }
        for _ in 0..<min(count, Self.attempts) { await opens.next() }
        let grown = residentBytes() - memory
        let start = cpuNanoseconds()
        await withCheckedContinuation { held in
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) {
                held.resume()
            }
        }
        let cpu = cpuNanoseconds() - start
        let all = residentBytes()
        let seen = tally.withLock { $0 }
        for reader in readers { reader.cancel() }
        return "connections \(count) seconds \(seconds) pings \(seen.pings) pongs \(seen.pongs) "
            + "late \(seen.late) missing \(seen.missing) lost \(seen.ends) "
            + "worst_ns \(seen.worst * 1_000_000) cpu_ns \(cpu) resident_bytes \(grown) "
            + "process_bytes \(all)"
    }

    private func read(_ opening: AsyncStream<Void>.Continuation) async {
        let connection = WebSocketConnection(url: url, heartbeat: heartbeat) { [self] record in
            note(record)
        }
        for await event in connection.events {
            switch event {
            case .opened: opening.yield()
            case .closed(let end): note(end)
            case .message: break
            }
        }
    }

    private func note(_ end: CloseFacts) {
        tally.withLock { tally in
            tally.ends += 1
            if end.cause == .heartbeatTimedOut { tally.missing += 1 }
        }
    }

    private func note(_ record: EvidenceRecord) {
        guard case .connection(let record) = record else { return }
        tally.withLock { tally in
            if case .pingHandedOver = record.input { tally.pings += 1 }
            guard let roundTrip = record.roundTrip else { return }
            tally.pongs += 1
            tally.worst = max(tally.worst, roundTrip)
            if roundTrip > Self.lateMilliseconds { tally.late += 1 }
        }
    }
}

private func residentBytes() -> Int {
    let statistics = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = statistics.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}

private func cpuNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
}
