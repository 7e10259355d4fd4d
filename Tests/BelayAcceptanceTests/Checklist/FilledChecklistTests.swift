import BelayCore
import Testing

@testable import BelayAcceptance

@Suite struct `A filled checklist` {
    private func filled(_ id: String, with lines: [String]) -> String {
        let fence = "```evidence \(id)\n"
        let text = ChecklistMarkdown.text
        return text.replacing(fence, with: fence + lines.map { $0 + "\n" }.joined())
    }

    private func entry(_ id: String, with lines: [String]) throws -> ReportEntry {
        let entries = try FilledChecklist(filled(id, with: lines)).entries
        #expect(entries.map(\.id) == DeviceChecklist.all.map(\.id))
        return try #require(entries.first { $0.id == id })
    }

    /// What the check itself gives as its lines, the chosen form of each.
    private func expectedLines(_ check: DeviceCheck, form: Int = 0) -> [String] {
        check.expected.map { EvidenceText.text(of: $0.forms[min(form, $0.forms.count - 1)]) }
    }

    // P13
    @Test(arguments: DeviceChecklist.all, [0, 1])
    func `passes with the lines it asks for, whatever stands between and before them`(
        _ check: DeviceCheck, _ form: Int
    ) throws {
        let noise = EvidenceText.text(of: .connection("received", after: "open"))
        let lines = expectedLines(check, form: form).flatMap { ["12:01:07 App[77] \($0)", noise] }
        #expect(try entry(check.id, with: lines).verdict == .passed)
    }

    @Test(arguments: DeviceChecklist.all)
    func `fails where a line is missing or comes too early, and says which`(
        _ check: DeviceCheck
    ) throws {
        let lines = expectedLines(check)
        for index in lines.indices {
            var fewer = lines
            fewer.remove(at: index)
            let entry = try entry(check.id, with: fewer)
            #expect(entry.verdict == .failed, "without line \(index)")
            let place = try #require(entry.findings.first)
            #expect(place.observed.contains("then not: "))
        }
        #expect(try entry(check.id, with: lines.reversed()).verdict == .failed)
    }

    // W1, P4
    @Test func `fails where something stale was taken over`() throws {
        let check = try #require(DeviceChecklist.all.first { $0.id == "suspension" })
        var stale = EvidenceLine.connection("opened", after: "open")
        (stale.generation, stale.inputGeneration) = (2, 1)
        let lines = expectedLines(check) + [EvidenceText.text(of: stale)]
        let entry = try entry(check.id, with: lines)
        #expect(entry.verdict == .failed)
        #expect(entry.findings.map(\.isMet) == [true, false])
    }

    @Test func `reads the lines that a connection's evidence prints`() throws {
        let record = PathRecord(
            at: 7, generation: Generation(1), update: PathUpdate(.available, expensive: true),
            verdict: .accepted, after: .available)
        let line = EvidenceText.line(of: .path(record))
        #expect(!line.contains("\n"))
        let text = filled("wifi-to-cellular", with: [line])
        #expect(try FilledChecklist(text).entries[0].verdict == .failed)
    }

    @Test(arguments: [
        ("```evidence airplane-mode\n", 1, FilledChecklist.Invalid.Fault.unclosed("airplane-mode")),
        (
            "```evidence airplane-mode\n```\n```evidence airplane-mode\n```\n", 3,
            .repeatedCheck("airplane-mode")
        ),
        ("```evidence airplane-mode\nnothing\n```\n", 2, .noEvidence("it has no {")),
        (
            "```evidence airplane-mode\n\n{\"kind\":\"dance\"}\n```\n", 3,
            .noEvidence("kind is not known")
        ),
        ("```evidence airplane-mode\n{\"what\":1}\n```\n", 2, .noEvidence("kind is missing")),
        ("```evidence airplane-mode\n{\n```\n", 2, .noEvidence("it is no JSON")),
    ])
    func `names the line that it cannot read`(
        _ text: String, _ line: Int, _ fault: FilledChecklist.Invalid.Fault
    ) throws {
        #expect(throws: FilledChecklist.Invalid(line: line, fault: fault)) {
            try FilledChecklist(text)
        }
    }

    @Test func `is read with the line ends of any system`() throws {
        let text = filled("wifi-to-cellular", with: []).replacing("\n", with: "\r\n")
        #expect(try FilledChecklist(text).entries.allSatisfy { $0.verdict == .inconclusive })
    }
}
