/// An option of a subcommand.
struct Option: Hashable, Sendable {
    /// With its dashes: `--seed`.
    let name: String
    /// The form of its value as help shows it; `nil` for a flag.
    let value: String?
    /// What it does, in one line.
    let summary: String

    init(_ name: String, _ value: String? = nil, _ summary: String) {
        self.name = name
        self.value = value
        self.summary = summary
    }

    /// The option as usage shows it.
    var form: String { value.map { "\(name) \($0)" } ?? name }
}
