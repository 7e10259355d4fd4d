import Belay
import BelayFaults
import Foundation

/// Loses one connection after the other, and sees that none leaves anything behind.
///
/// Endpoint and client live in this process, so that a leak of either shows. What a way to lose a
/// connection costs for good (pools, caches, the allocator's own) is paid in the first half. Where
/// TLS is spoken, the process before the endpoint is another's and not looked at.
///
/// Exit codes: 0 flat, 1 something grows or was not lost in the way that is meant, 2 usage.
@main
struct Reconnects {
    static func main() async throws {
        guard let counts = Counts(Array(CommandLine.arguments.dropFirst())) else {
            complain(Counts.usage)
            exit(2)
        }
        var faults: [String] = []
        for way in Way.allCases {
            let count = way == .webSocketOverTLS ? counts.overTLS : counts.inTheClear
            print("\n\(way.title), \(count) times")
            fflush(nil)
            let losses = try await way.lose(count)
            for (number, footprint) in losses.footprints {
                print("  after \(number): \(footprint)")
            }
            fflush(nil)
            let fault = growth(of: losses.footprints.map(\.1), over: count) ?? losses.fault
            if let fault { faults.append("\(way.title): \(fault)") }
        }
        for fault in faults { complain(fault) }
        exit(faults.isEmpty ? 0 : 1)
    }

    /// What grew between the middle and the end, the least of three moments each: a byte for each
    /// connection is a leak, and what is just under way is none.
    private static func growth(of footprints: [Footprint], over count: Int) -> String? {
        func growth(_ held: (Footprint) -> Int) -> Int {
            let (middle, end) = (footprints.prefix(6).suffix(3), footprints.suffix(3))
            return (end.map(held).min() ?? 0) - (middle.map(held).min() ?? 0)
        }
        let (bytes, descriptors) = (growth(\.heapBytes), growth(\.descriptors))
        if growth(\.threads) > 0 { return "the threads grow" }
        if descriptors > count / 1_000 { return "the descriptors grow by \(descriptors)" }
        if bytes > count { return "the heap grows by \(bytes) bytes" }
        return nil
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data("error: \(text)\n".utf8))
    }
}

/// How many connections are lost in each way.
private struct Counts {
    var inTheClear = 10_000
    /// A handshake costs milliseconds of both sides: `--tls` asks for fewer.
    var overTLS = 10_000

    static let usage = """
        usage: soak-reconnects [COUNT] [--tls COUNT]
          COUNT  of reconnects in each way, 1000 or more; 10000
          --tls  of those over wss, where it is another number
        """

    /// `nil` where they cannot be read.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        if let first = rest.first, first != "--tls" {
            guard let count = Int(first) else { return nil }
            (inTheClear, overTLS) = (count, count)
            rest.removeFirst()
        }
        if rest.popFirst() != nil {
            guard let count = rest.popFirst().flatMap({ Int($0) }) else { return nil }
            overTLS = count
        }
        guard rest.isEmpty, min(inTheClear, overTLS) >= 1_000 else { return nil }
    }
}
