/// What the command line asks for.
struct Options {
    var scale = Scale.full
    /// Only comparisons whose name begins so; all where empty.
    var only: [String] = []

    static let usage = """
        usage: bench [--short] [--only NAME[,NAME...]]
          --short  two minutes: smaller inputs, fewer rounds
          --only   of: \(Suite.allCases.map(\.rawValue).joined(separator: ", "))
        """

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--short":
                scale = .short
            case "--only":
                only = (rest.popFirst() ?? "").split(separator: ",").map(String.init)
                let unknown = only.filter { Suite(rawValue: $0) == nil }
                guard !only.isEmpty, unknown.isEmpty else {
                    throw BenchmarkError("--only: unknown \(unknown.joined(separator: ", "))")
                }
            default:
                throw BenchmarkError("unknown argument \(argument)")
            }
        }
    }

    func wants(_ suite: Suite) -> Bool {
        only.isEmpty || only.contains(suite.rawValue)
    }
}

/// How much is measured.
enum Scale: String, Codable {
    /// About two minutes, for a machine that checks changes.
    case short
    /// For figures that are published.
    case full

    /// Rounds in which all subjects take turns.
    var rounds: Int { pick(short: 3, full: 5) }

    func pick<Value>(short: Value, full: Value) -> Value {
        switch self {
        case .short: short
        case .full: full
        }
    }
}

/// The comparisons by name, in the order of the report.
enum Suite: String, CaseIterable {
    case heartbeat
    case parser
    case codec
    case bytes
    case delivery
    case echo
    case idle
}
