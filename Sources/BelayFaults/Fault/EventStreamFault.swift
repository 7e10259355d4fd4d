import BelayWire

/// Faults of events and of the cursor.
///
/// | name | parameters | what happens |
/// |---|---|---|
/// | `duplicateEvent` | | at `beforeEvent`: the event twice, with one id |
/// | `lateEvent` | `milliseconds` | at `beforeEvent`: later, behind events that follow |
/// | `replayAfter` | `id` | at `request`: the events after this id, whatever `Last-Event-ID` says |
/// | `resetID` | | an empty `id:` that makes the client forget its cursor |
/// | `retry` | `milliseconds` | a `retry:` field |
/// | `comment` | `text` | a comment line |
/// | `commentsOnly` | `milliseconds` | a comment every so many milliseconds, and no event more |
///
/// A gap is `silence` at `beforeEvent`. A half event is `fin` at `insideData`, a cut behind the id
/// line at `afterID`, a missing final blank line at `beforeBlankLine`.
public enum EventStreamFault: Hashable, Sendable {
    /// The event twice.
    case duplicateEvent
    /// The event so many milliseconds later, behind those that follow.
    case lateEvent(milliseconds: Int)
    /// The events after this id, whatever was asked for.
    case replayAfter(id: Int)
    /// An empty id, which resets the client's cursor.
    case resetID
    /// A reconnection time, in milliseconds.
    case retry(milliseconds: Int)
    /// A comment.
    case comment(String = "belay")
    /// Comments only, so many milliseconds apart.
    case commentsOnly(milliseconds: Int)

    static let names = [
        "duplicateEvent", "lateEvent", "replayAfter", "resetID", "retry", "comment",
        "commentsOnly",
    ]

    func decision(for occasion: Occasion) -> Decision {
        switch self {
        case .duplicateEvent: return .play([.proceed, .proceed])
        case .lateEvent(let milliseconds): return .play([.proceedLater(Int64(milliseconds))])
        case .replayAfter(let id): return .play([.startAfter(id), .proceed])
        case .resetID: return .play([.send(Array("id:\n\n".utf8)), .proceed])
        case .retry(let milliseconds):
            var bytes: [UInt8] = []
            EventStreamWriter.append(
                reconnectionTime: UInt64(max(0, milliseconds)), to: &bytes)
            return .play([.send(bytes + [0x0A]), .proceed])
        case .comment(let text): return .play([.send(Self.bytes(ofComment: text)), .proceed])
        case .commentsOnly(let milliseconds):
            let bytes = Self.bytes(ofComment: "belay")
            return .play([.repeated(every: Int64(milliseconds), bytes)])
        }
    }

    private static func bytes(ofComment text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        EventStreamWriter.append(comment: text, to: &bytes)
        return bytes + [0x0A]
    }

    init?(name: String, _ parameters: PlanReader) throws(FaultPlanError) {
        switch name {
        case "duplicateEvent": self = try parameters.none(.duplicateEvent)
        case "lateEvent":
            try parameters.allow("milliseconds")
            self = .lateEvent(milliseconds: try parameters.milliseconds())
        case "replayAfter":
            try parameters.allow("id")
            self = .replayAfter(id: try parameters.integer("id", in: 0...Int(Int32.max)))
        case "resetID": self = try parameters.none(.resetID)
        case "retry":
            try parameters.allow("milliseconds")
            self = .retry(milliseconds: try parameters.milliseconds())
        case "comment":
            try parameters.allow("text")
            let text = try parameters.optionalText("text", maximumBytes: 1_024)
            self = .comment(text ?? "belay")
        case "commentsOnly":
            try parameters.allow("milliseconds")
            let milliseconds = try parameters.integer("milliseconds", in: 1...86_400_000)
            self = .commentsOnly(milliseconds: milliseconds)
        default: return nil
        }
    }

    var form: FaultForm {
        switch self {
        case .duplicateEvent: FaultForm("duplicateEvent")
        case .lateEvent(let milliseconds):
            FaultForm("lateEvent", [("milliseconds", .integer(milliseconds))])
        case .replayAfter(let id): FaultForm("replayAfter", [("id", .integer(id))])
        case .resetID: FaultForm("resetID")
        case .retry(let milliseconds):
            FaultForm("retry", [("milliseconds", .integer(milliseconds))])
        case .comment(let text): FaultForm("comment", [("text", .text(text))])
        case .commentsOnly(let milliseconds):
            FaultForm("commentsOnly", [("milliseconds", .integer(milliseconds))])
        }
    }
}
