/// The checklist as Markdown, to be filled in: a file in, `belay report` out.
public enum ChecklistMarkdown {
    /// The whole text, its last newline included.
    public static var text: String {
        (preface + DeviceChecklist.all.flatMap(section)).joined(separator: "\n") + "\n"
    }

    /// The words of a fence's first line that begin a place for evidence.
    static let fence = "```evidence "

    private static let preface = [
        "# Device checklist of Belay \(BelayVersion.current)",
        "",
        "Only a device shows these. Give `evidence:` of the connection and of `NetworkPath` a",
        "closure that prints `EvidenceText.line(of:)`, do the steps, and paste the lines between",
        "the fences. Then `belay report FILE` looks for what is expected. A check whose place",
        "stays empty counts as not tried.",
        "",
        "- device:", "- system:", "- app and version:", "- date:",
        "",
    ]

    private static func section(_ check: DeviceCheck) -> [String] {
        let steps = check.steps.enumerated().map { "\($0 + 1). \($1)" }
        let expected = check.expected.flatMap { line in
            ["- \(line.meaning)"] + line.forms.map { "  - `\(EvidenceText.text(of: $0))`" }
        }
        return ["## \(check.id): \(check.title)", ""]
            + ["Proves \(check.requirements.joined(separator: ", ")). \(check.reason)", ""]
            + steps + ["", "Expected, in this order, with other lines between:", ""] + expected
            + ["", fence + check.id, "```", ""]
    }
}
