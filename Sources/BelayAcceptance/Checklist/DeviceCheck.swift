/// One thing that only a real device can show, with its steps and the evidence to look for.
public struct DeviceCheck: Hashable, Sendable {
    /// Its name in the checklist and in reports.
    public let id: String
    /// Its title.
    public let title: String
    /// The requirements it proves.
    public let requirements: [String]
    /// Why no simulator and no test on Linux shows it.
    public let reason: String
    /// What to do, in order.
    public let steps: [String]
    /// The lines to look for, in this order; other lines may stand between them.
    let expected: [ExpectedLine]
}

/// A line of evidence that must come: one of these, each of which names the fields that count.
struct ExpectedLine: Hashable, Sendable {
    /// What the line means, for the reader of the checklist.
    let meaning: String
    /// Any of them will do.
    let forms: [EvidenceLine]

    init(_ meaning: String, _ forms: EvidenceLine...) {
        (self.meaning, self.forms) = (meaning, forms)
    }

    /// Whether the line has the fields of one of the forms.
    func matches(_ line: EvidenceLine) -> Bool {
        forms.contains { form in
            form.kind == line.kind && Self.fields.allSatisfy { $0(form, line) }
        }
    }

    /// A field that a form leaves out may be anything.
    private static let fields: [@Sendable (EvidenceLine, EvidenceLine) -> Bool] = [
        { $0.what == nil || $0.what == $1.what },
        { $0.verdict == nil || $0.verdict == $1.verdict },
        { $0.path == nil || $0.path == $1.path },
        { $0.isExpensive == nil || $0.isExpensive == $1.isExpensive },
        { $0.isConstrained == nil || $0.isConstrained == $1.isConstrained },
        { $0.before == nil || $0.before == $1.before },
        { $0.after == nil || $0.after == $1.after },
        { $0.cause == nil || $0.cause == $1.cause },
    ]
}

extension EvidenceLine {
    /// A report of the path, taken over.
    static func path(
        _ state: String, expensive: Bool? = nil, constrained: Bool? = nil
    ) -> EvidenceLine {
        var line = EvidenceLine(.path, what: "reported")
        line.path = state
        (line.isExpensive, line.isConstrained) = (expensive, constrained)
        return line
    }

    /// An input of a connection, taken over.
    static func connection(_ what: String, after: String? = nil) -> EvidenceLine {
        var line = EvidenceLine(.connection, what: what)
        line.verdict = "accepted"
        line.after = after
        return line
    }
}
