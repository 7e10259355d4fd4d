import Belay
import BelayFaults
import Footprint
import Foundation

/// Many events at full speed, and many reconnects with one new event each: in order, each once,
/// and nothing left behind.
///
/// Endpoint and client live in this process, so that a leak of either shows.
///
/// Exit codes: 0 all of it holds, 1 something does not, 2 usage.
@main
struct Events {
    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
        let counts = numbers + [1_000_000, 100_000].dropFirst(numbers.count)
        // Fewer end before the ledger's window is full, which is paid in the first half.
        guard counts.count == 2, counts.allSatisfy({ $0 >= 5_000 }) else {
            complain(
                """
                usage: soak-events [EVENTS [RECONNECTS]]
                  EVENTS      at full speed, in each form of reading; 5000 or more
                  RECONNECTS  with one event each; 5000 or more
                """)
            exit(2)
        }
        var faults: [String] = []
        let reset = FaultRule(at: .afterEvent(1), .tcp(.reset))
        for (title, count, rules, form) in [
            ("events at full speed, process", counts[0], [], Form.process),
            ("events at full speed, deliveries", counts[0], [], Form.deliveries),
            ("reconnects, process", counts[1], [reset], Form.process),
        ] {
            print("\n\(count) \(title)")
            var reading = Reading(count: count)
            try await reading.run(form, FaultPlan(rules: rules))
            for fault in reading.faults { faults.append("\(title): \(fault)") }
        }
        for fault in faults { complain(fault) }
        exit(faults.isEmpty ? 0 : 1)
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data("error: \(text)\n".utf8))
    }
}

/// How the app takes events.
private enum Form { case process, deliveries }

/// One feed, read to its end.
private struct Reading {
    let count: Int
    private(set) var faults: [String] = []
    private var taken = 0
    private var footprints: [Footprint] = []

    init(count: Int) {
        self.count = count
    }

    mutating func run(_ form: Form, _ plan: FaultPlan) async throws {
        // A record would grow, as it is meant to.
        let endpoint = Endpoint(plan: plan, limits: EndpointLimits(recordEntries: 0))
        let port = try await endpoint.start()
        var configuration = ConnectionConfiguration()
        configuration.shortestWait = .milliseconds(1)
        configuration.firstWait = .milliseconds(1)
        configuration.longestWait = .milliseconds(1)
        configuration.lifetimeFloor = nil
        let feed = EventSource(
            url: try ConnectionURL("http://127.0.0.1:\(port)/events?count=\(count)&size=64"),
            configuration: configuration)
        let began = ContinuousClock.now
        switch form {
        case .process:
            try await feed.process { event in
                if take(event.lastEventID) { feed.close() }
            }
        case .deliveries:
            for try await delivery in feed.deliveries {
                let isLast = take(delivery.event.lastEventID)
                try await delivery.commit()
                if isLast { break }
            }
        }
        print("  \(Int(Double(taken) / ((ContinuousClock.now - began) / .seconds(1)))) a second")
        await endpoint.stop()
        if taken != count { faults.append("\(taken) events of \(count)") }
        if let growth = Footprint.growth(of: footprints, over: count) { faults.append(growth) }
    }

    /// Notes an event; answers whether it was the last.
    private mutating func take(_ id: String) -> Bool {
        taken += 1
        if id != String(taken), faults.isEmpty { faults.append("event \(taken) has id \(id)") }
        if taken.isMultiple(of: count / 10) {
            footprints.append(Footprint.now)
            print("  after \(taken): \(Footprint.now)")
            fflush(nil)
        }
        return taken >= count
    }
}
