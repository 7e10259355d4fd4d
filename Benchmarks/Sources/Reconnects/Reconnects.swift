import Belay
import BelayFaults
import Footprint
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
            let fault =
                Footprint.growth(of: losses.footprints.map(\.1), over: count) ?? losses.fault
            if let fault { faults.append("\(way.title): \(fault)") }
        }
        for fault in faults { complain(fault) }
        exit(faults.isEmpty ? 0 : 1)
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
