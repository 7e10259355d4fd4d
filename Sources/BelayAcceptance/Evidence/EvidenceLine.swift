import BelayCore
import BelayFaults
import Foundation

/// One line of an evidence file, as `evidence.schema.json` describes it.
///
/// Flat, with units in the names. What a record cannot carry, no line can (law 8).
struct EvidenceLine: Codable, Hashable, Sendable {
    /// The version of the form; raised when a reader of the old form would misread a line.
    static let schemaVersion = 1

    enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        case header, connection, event, path, app, endpoint, verdict
    }

    var kind: Kind

    // Header.
    var schemaVersion: Int?
    var belayVersion: String?
    var seed: UInt64?
    var startedAt: String?

    // Every other line.
    var scenario: String?
    var atMilliseconds: Int64?

    // What happened, and to whom.
    var what: String?
    var verdict: String?
    var generation: UInt64?
    var inputGeneration: UInt64?
    var connection: Int?
    var number: Int64?
    var before: String?
    var after: String?
    var cause: String?
    var causeCode: Int32?
    var byteCount: Int?

    // Events.
    var eventID: String?
    var cursor: String?
    /// True, or left out.
    var cannotBeAskedFor: Bool?
    var attempt: Int?

    // The path and the screen.
    var path: String?
    var pathChange: UInt32?
    var pathReason: String?
    var droppedReports: UInt64?
    var isExpensive: Bool?
    var isConstrained: Bool?
    var banner: String?
    var outcome: String?

    // Requests and faults at the endpoint.
    var method: String?
    var requestPath: String?
    var lastEventID: String?
    var moment: String?

    // Verdicts.
    var requirements: [String]?
    var stage: String?
    var reason: String?
    var durationMilliseconds: Int64?
    var findings: [FindingLine]?

    init(_ kind: Kind, scenario: String? = nil, at: Milliseconds? = nil, what: String? = nil) {
        self.kind = kind
        self.scenario = scenario
        atMilliseconds = at
        self.what = what
    }

    /// The line as bytes, its newline included; keys in order, so that files can be compared.
    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + [UInt8(ascii: "\n")]
    }
}

/// One expectation beside what was observed, inside a verdict's line.
struct FindingLine: Codable, Hashable, Sendable {
    let observable: String
    let threshold: String
    let observed: String
    let isMet: Bool
}
