import Belay
import BelayAcceptance

/// `belay verify`: the whole acceptance, on endpoints of its own.
struct VerifyCommand: Subcommand {
    static let name = "verify"
    static let summary = "proves every promise on real sockets, and prints the table"
    static let options = [
        Option("--only", "NAME,…", "only these scenarios or requirements, as pong-late or E13"),
        Option("--seed", "N", "what chance is drawn from; by default the machine's own"),
        Option("--evidence", "PATH", "writes what both sides saw as JSON Lines"),
        Option("--list", nil, "lists the scenarios, and runs none"),
    ]

    private let scenarios: [Scenario]
    private let seed: UInt64
    private let evidence: String?
    private let isListing: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        try arguments.refuseOperands()
        scenarios = try Self.scenarios(arguments["--only"])
        seed = try arguments.number("--seed", in: 0...UInt64.max) ?? .random(in: 0...999_999)
        evidence = arguments["--evidence"]
        isListing = arguments.has("--list")
    }

    private static func scenarios(_ names: String?) throws(UsageError) -> [Scenario] {
        guard let names else { return ScenarioCatalog.all }
        let words = names.split { $0 == "," || $0.isWhitespace }.map(String.init)
        guard !words.isEmpty else {
            throw UsageError("--only \(names) names nothing", hint: "see belay verify --list")
        }
        do throws(UnknownScenario) {
            return try ScenarioCatalog.named(words)
        } catch {
            throw unknown(error.name)
        }
    }

    /// A requirement that no scenario proves must not be taken for a mistyped other one.
    private static func unknown(_ name: String) -> UsageError {
        let list = "belay verify --list"
        if let letter = name.first, "WEPwep".contains(letter), Int(name.dropFirst()) != nil {
            return UsageError(
                "no scenario proves \(name)",
                hint: "Docs/REQUIREMENTS.md has the numbers, and \(list) those that one proves")
        }
        return .unknown("scenario", name, among: ScenarioCatalog.names, listedBy: list)
    }

    func run(on terminal: Terminal) async -> ExitCode {
        guard !isListing else {
            terminal.output.write(ScenarioList(scenarios).text)
            return .passed
        }
        let acceptance = Acceptance(
            scenarios, seed: seed,
            transports: AcceptanceTransports(
                webSocket: DefaultTransport.webSocket, eventStream: DefaultTransport.eventStream))
        terminal.talk.line("\(scenarios.count) scenarios, seed \(seed)")
        let (result, isInterrupted) = await Interruption.watched {
            await run(acceptance, on: terminal)
        }
        switch result {
        case .success(let results):
            let style: TextReport.Style = terminal.output.isColoured ? .coloured : .plain
            let columns = terminal.output.columns ?? .max
            terminal.output.write(
                TextReport(results, style: style, columns: columns).text)
            return isInterrupted ? .interrupted : ExitCode(results.map(\.verdict))
        case .failure(let error):
            terminal.error(
                "cannot \(error.operation.rawValue) \(error.path): \(error.reason)",
                hint: "give --evidence a file in a folder that can be written to")
            return .failed
        }
    }

    private func run(
        _ acceptance: Acceptance, on terminal: Terminal
    ) async -> Result<[ScenarioResult], EvidenceFileError> {
        let progress = ProgressLine(of: scenarios.count, on: terminal.talk)
        defer { progress.clear() }
        do throws(EvidenceFileError) {
            let file = try evidence.map { path throws(EvidenceFileError) in
                try EvidenceFile(
                    path: path, version: BelayVersion.current, seed: seed, origin: acceptance.now)
            }
            let results = try await acceptance.run(evidence: file) { progress.show($0) }
            try await file?.close()
            return .success(results)
        } catch {
            return .failure(error)
        }
    }
}

extension ExitCode {
    /// What verdicts end with: the worst of them.
    init(_ verdicts: [Verdict]) {
        if verdicts.contains(.failed) {
            self = .failed
        } else if verdicts.contains(.inconclusive) {
            self = .inconclusive
        } else {
            self = .passed
        }
    }
}
