import Belay
import BelayCore
import BelayFaults
import Foundation
import Testing

@testable import BelayAcceptance

@Suite(.tags(.realTime), .timeLimit(.minutes(5))) struct `An evidence file` {
    // W22
    @Test func `of a whole run keeps the schema, line by line`() async throws {
        let schema = try SchemaValidator(try Data(contentsOf: Self.schemaFile))
        let lines = try await Self.run(ScenarioCatalog.all)
        let values = try lines.map { try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) }
        for (place, value) in values.enumerated() {
            let violations = schema.violations(of: value)
            #expect(violations.isEmpty, "line \(place + 1): \(lines[place])")
            // Thousands of lines: tests with deadlines run beside this one.
            await Task.yield()
        }
        let kinds = Set(values.compactMap { $0.object?["kind"]?.string })
        #expect(kinds == Set(EvidenceLine.Kind.allCases.map(\.rawValue)))
        #expect(values.first?.object?["kind"] == .string("header"))
    }

    @Test func `describes every field that a line has`() throws {
        let schema = try JSONDecoder().decode(
            JSONValue.self, from: try Data(contentsOf: Self.schemaFile))
        let described = Set((schema.object?["properties"]?.object ?? [:]).keys)
        let fields = Set(Mirror(reflecting: EvidenceLine(.header)).children.compactMap(\.label))
        #expect(described == fields)
    }

    @Test func `knows every banner that an app can show`() throws {
        let schema = try SchemaValidator(try Data(contentsOf: Self.schemaFile))
        for banner in Banner.allCases {
            let shown = #""path":"unknown","outcome":"none","banner":"\#(banner)""#
            let line =
                #"{"kind":"app","scenario":"a","atMilliseconds":1,"what":"shown",\#(shown)}"#
            let value = try JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))
            #expect(schema.violations(of: value).isEmpty, "\(line)")
        }
    }

    @Test func `breaks the schema where a field is unknown or a kind lacks what it needs`() throws {
        let schema = try SchemaValidator(try Data(contentsOf: Self.schemaFile))
        let bad = [
            #"{"kind":"header"}"#, #"{"kind":"event","payload":"x"}"#, #"{"kind":"rumour"}"#,
            #"{"kind":"app","scenario":"a","atMilliseconds":1,"what":"slept"}"#,
        ]
        for text in bad {
            let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
            #expect(!schema.violations(of: value).isEmpty, "\(text)")
        }
    }

    /// A secret stands in the query, in a request field, in messages and in events' data.
    // W22
    @Test func `holds no secret, wherever one was`() async throws {
        let secret = "s3cr3t-t0ken"
        var chat = ScenarioClient.webSocket("/ws?token=\(secret)")
        chat.fields = [ScenarioClient.Field("Authorization", "Bearer \(secret)")]
        var feed = ScenarioClient.eventStream("/events?token=\(secret)")
        feed.fields = chat.fields
        let talk = Scenario(
            "secret-talk", "A secret", proves: ["W22"],
            plan: [FaultRule(at: .message(2), .webSocket(.message(secret)))], client: chat,
            steps: [
                .read, .until(.opened), .send(secret), .send(secret), .until(.message, times: 3),
                .close,
            ],
            expect: [.messages(.exactly(3))])
        let stream = Scenario(
            "secret-stream", "A secret", proves: ["W22"],
            plan: [
                FaultRule(on: 1, at: .responseSent, .eventStream(.comment(secret))),
                ScenarioCatalog.over(after: 1),
            ],
            client: feed, steps: ScenarioCatalog.toTheEnd, expect: ScenarioCatalog.whole)
        let lines = try await Self.run([talk, stream])
        #expect(lines.count > 20)
        #expect(lines.count { $0.contains(#""verdict":"passed""#) } == 2)
        #expect(!lines.contains { $0.contains(secret) || $0.contains("Authorization") })
        // The fixture's data are payloads too.
        #expect(!lines.contains { $0.contains("building") })
    }

    @Test(arguments: [
        ("/nowhere/evidence", "No such file or directory"), ("/", "Is a directory"),
    ])
    func `that cannot be created says why`(path: String, reason: String) {
        #expect(throws: EvidenceFileError(path: path, operation: .create, reason: reason)) {
            try EvidenceFile(path: path, version: "0.0.0", seed: 1, origin: 0)
        }
    }

    @Test func `goes through a link, and leaves the link`() async throws {
        let link = try Self.link(to: "target")
        defer { try? FileManager.default.removeItem(at: link.deletingLastPathComponent()) }
        let file = try EvidenceFile(path: link.path(), version: "0.0.0", seed: 1, origin: 0)
        try await file.close()
        let target = link.deletingLastPathComponent().appending(path: "target")
        let text = try String(contentsOf: target, encoding: .utf8)
        #expect(text.hasPrefix("{") && text.hasSuffix("}\n"))
        let kind = try FileManager.default.attributesOfItem(atPath: link.path())[.type]
        #expect(kind as? FileAttributeType == .typeSymbolicLink)
    }

    /// By a link: should ever a file be put in its place, that takes the link and not the device.
    @Test func `may be a device without a disk`() async throws {
        let link = try Self.link(to: "/dev/null")
        defer { try? FileManager.default.removeItem(at: link.deletingLastPathComponent()) }
        let file = try EvidenceFile(path: link.path(), version: "0.0.0", seed: 1, origin: 0)
        try await file.close()
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func `on a full disk says so`() throws {
        let link = try Self.link(to: "/dev/full")
        defer { try? FileManager.default.removeItem(at: link.deletingLastPathComponent()) }
        let full = EvidenceFileError(
            path: link.path(), operation: .write, reason: "No space left on device")
        #expect(throws: full) {
            try EvidenceFile(path: link.path(), version: "0.0.0", seed: 1, origin: 0)
        }
    }

    /// A link in a folder of its own.
    private static func link(to target: String) throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "belay-evidence-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let link = folder.appending(path: "link")
        try FileManager.default.createSymbolicLink(
            atPath: link.path(), withDestinationPath: target)
        return link
    }

    private static let schemaFile = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../../Sources/BelayAcceptance/Evidence/evidence.schema.json")

    /// The lines of a run.
    private static func run(_ scenarios: [Scenario]) async throws -> [String] {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "belay-evidence-\(UUID().uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: url) }
        let acceptance = Acceptance(scenarios, seed: 7, transports: .standard)
        let file = try EvidenceFile(
            path: url.path(), version: BelayVersion.current, seed: 7, origin: acceptance.now)
        _ = try await acceptance.run(evidence: file)
        try await file.close()
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
