import BelayAcceptance
import Foundation
import Testing

@testable import BelayCommand

@Suite(.timeLimit(.minutes(5))) struct `belay report` {
    /// A file of the test's own, gone with the folder.
    private func withFile<Result>(
        _ name: String, _ text: String, _ body: (String) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("belay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return try await body(file.path)
    }

    @Test func `says of a run's evidence what the run said`() async throws {
        try await withFile("evidence.jsonl", "") { path in
            let run = Listening()
            #expect(await run.run("verify --only told-to-stop,P5 --evidence \(path)") == .passed)
            let report = Listening()
            #expect(await report.run("report \(path)") == .passed)
            // Scenarios run side by side, and stand in the file as they ended.
            let rows = { (text: String) in text.split(separator: "\n").sorted() }
            #expect(rows(report.output) == rows(run.output))
        }
    }

    // P13
    @Test func `counts an empty checklist as not tried`() async throws {
        try await withFile("checklist.md", ChecklistMarkdown.text) { path in
            let report = Listening()
            #expect(await report.run("report \(path)") == .inconclusive)
            #expect(report.output.contains("reason:    not tried"))
            #expect(
                report.output.hasSuffix(
                    "\n0 passed, 0 failed, \(DeviceChecklist.all.count) skipped\n"))
        }
    }

    @Test(arguments: [
        ("e.jsonl", "", ":1: an evidence file begins with its header, and this does not"),
        ("e.jsonl", "{}\n", ":1: an evidence file begins with its header, and this does not"),
        (
            "e.jsonl", "{\"kind\":\"header\",\"schemaVersion\":99}\n",
            ":1: a newer Belay wrote it (schema 99, this one reads up to 1)"
        ),
        (
            "e.jsonl", "{\"kind\":\"header\",\"schemaVersion\":1}\nnothing\n",
            ":2: this is no line of evidence"
        ),
        (
            "e.jsonl", "{\"kind\":\"header\",\"schemaVersion\":1}\n{\"kind\":",
            ":2: the last line is not whole: the file was cut off"
        ),
        ("c.md", "# Notes\n", ":1: it has no place for evidence, as belay checklist prints them"),
        ("c.md", "\n```evidence dance\n```\n", ":2: this Belay has no check dance"),
    ])
    func `says which line of a file it cannot read, and why`(
        _ name: String, _ text: String, _ reason: String
    ) async throws {
        try await withFile(name, text) { path in
            let report = Listening()
            #expect(await report.run("report \(path)") == .failed)
            #expect(report.talk.contains("error: \(path)\(reason)\nhint: "))
            #expect(report.output.isEmpty)
        }
    }

    @Test func `says which file is not there, and wants one`() async {
        let report = Listening()
        #expect(await report.run("report /nowhere/e.jsonl") == .failed)
        #expect(report.talk.contains("error: /nowhere/e.jsonl: No such file or directory\n"))
        let none = Listening()
        #expect(await none.run("report") == .usage)
        #expect(none.talk.contains("no file is named"))
    }
}
