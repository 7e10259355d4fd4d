import Foundation

/// Measures Belay beside its peers, prints one table a comparison, writes `results.json`.
///
/// Exit codes: 0 measured, 1 something could not be measured as meant, 2 usage. No figure is
/// judged: machines differ, and a failing threshold on a noisy one teaches to ignore it.
@main
struct Bench {
    static func main() async {
        if CommandLine.arguments.dropFirst().first == "soak" {
            soak(Array(CommandLine.arguments.dropFirst(2)))
        }
        let options: Options
        do {
            options = try Options(Array(CommandLine.arguments.dropFirst()))
        } catch {
            complain("\(error)\n\(Options.usage)")
            exit(2)
        }
        do {
            try await run(options)
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    /// Exit codes as above; 1 also where a connection or a pong was lost.
    private static func soak(_ arguments: [String]) -> Never {
        do {
            let options = try SoakOptions(arguments)
            exit(try Soak(options: options).run() ? 0 : 1)
        } catch {
            complain("\(error)\n\(SoakOptions.usage)")
            exit(2)
        }
    }

    private static func run(_ options: Options) async throws {
        print("Medians of \(options.scale.rounds) interleaved rounds, for idle of 3; CPU time.")
        print("÷ is Belay's figure by the peer's, the median over the rounds.")
        var results = Results(scale: options.scale, comparisons: [])
        for suite in Suite.allCases where options.wants(suite) {
            for comparison in try comparisons(of: suite, options.scale) {
                let result = try await comparison.run(rounds: options.scale.rounds)
                print("\n\(result.text)")
                fflush(nil)
                results.comparisons.append(result)
            }
        }
        try results.write(to: "results.json")
    }

    private static func comparisons(of suite: Suite, _ scale: Scale) throws -> [Comparison] {
        switch suite {
        case .heartbeat: [.heartbeat(scale)]
        case .parser: [.borrowedEvents(scale), try .ownedEvents(scale), try .longLine(scale)]
        case .codec: [.smallMessages(scale), .largeMessages(scale)]
        case .bytes: [.unmasking(scale), .textJudging(scale), .headParsing(scale)]
        case .delivery: [.delivery(scale)]
        case .echo: [try .echo(scale)]
        case .idle: [try .idle(scale)]
        }
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data("error: \(text)\n".utf8))
    }
}

/// Everything that was measured, as a file.
private struct Results: Encodable {
    /// Raised when a key changes its meaning.
    let schema = 1
    let scale: Scale
    var comparisons: [ComparisonResult]

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: URL(filePath: path))
    }
}
