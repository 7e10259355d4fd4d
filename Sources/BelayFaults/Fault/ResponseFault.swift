import BelayWire

/// Faults of the response's head.
///
/// For the moments `request`, `response` and, on a WebSocket, `handshake`.
///
/// | name | parameters | what happens |
/// |---|---|---|
/// | `status` | `code` (200 to 599), `retryAfter` | this status, an empty body, then FIN |
/// | `contentType` | `value` | another content type; the body stays |
/// | `field` | `name`, `value` | one more field |
/// | `longHead` | `bytes` (1 to 1,048,576) | one more field with so many bytes |
///
/// Half a head is `half`, a fault of the connection. What is no head at its moment stays as it is.
public enum ResponseFault: Hashable, Sendable {
    /// This status, with `Retry-After` in seconds, and no body.
    case status(Int, retryAfter: Int? = nil)
    /// Another content type.
    case contentType(String)
    /// One more field.
    case field(name: String, value: String)
    /// One more field, with a value of so many bytes.
    case longHead(bytes: Int)

    static let names = ["status", "contentType", "field", "longHead"]

    private static let statuses = 200...599
    private static let headBytes = 1...(1 << 20)

    func decision(for occasion: Occasion) -> Decision {
        switch self {
        case .status(let status, let retryAfter):
            let head = PlainResponse.head(
                status: status, retryAfter.map { ["Retry-After": String($0)] } ?? [:])
            return .play([.send(head, note: .response(status: status)), .finish])
        case .contentType(let value):
            return edited(occasion) { $0["Content-Type"] = value }
        case .field(let name, let value):
            return edited(occasion) { $0.append(name, value) }
        case .longHead(let bytes):
            let filler = String(repeating: "x", count: bytes)
            return edited(occasion) { $0.append("X-Belay-Filler", filler) }
        }
    }

    private func edited(_ occasion: Occasion, _ edit: (inout HTTPFields) -> Void) -> Decision {
        var head = occasion.offer
        HTTPHeadEdit.apply(to: &head, edit)
        return .alter(head)
    }

    init?(name: String, _ parameters: PlanReader) throws(FaultPlanError) {
        switch name {
        case "status":
            try parameters.allow("code", "retryAfter")
            let code = try parameters.integer("code", in: Self.statuses)
            let retryAfter = try parameters.optionalInteger("retryAfter", in: 0...86_400)
            self = .status(code, retryAfter: retryAfter)
        case "contentType":
            try parameters.allow("value")
            self = .contentType(try parameters.fieldValue("value"))
        case "field":
            try parameters.allow("name", "value")
            self = .field(
                name: try parameters.fieldName("name"), value: try parameters.fieldValue("value"))
        case "longHead":
            try parameters.allow("bytes")
            self = .longHead(bytes: try parameters.integer("bytes", in: Self.headBytes))
        default: return nil
        }
    }

    var form: FaultForm {
        switch self {
        case .status(let status, let retryAfter):
            FaultForm(
                "status",
                [("code", .integer(status))]
                    + (retryAfter.map { [("retryAfter", .integer($0))] } ?? []))
        case .contentType(let value): FaultForm("contentType", [("value", .text(value))])
        case .field(let name, let value):
            FaultForm("field", [("name", .text(name)), ("value", .text(value))])
        case .longHead(let bytes): FaultForm("longHead", [("bytes", .integer(bytes))])
        }
    }
}

/// Changes the fields of an encoded response head.
enum HTTPHeadEdit {
    /// Leaves bytes that are no whole head, and edits that may not travel, alone.
    static func apply(to bytes: inout [UInt8], _ edit: (inout HTTPFields) -> Void) {
        var parser = HTTPHeadParser<HTTPResponseHead>(
            limits: HTTPHeadLimits(headBytes: 1 << 22, lineBytes: 1 << 21, fieldCount: 4_096))
        // What cannot be read was altered by an earlier rule; there is nothing left to edit.
        guard case .some(.some(let (head, consumed))) = try? parser.append(bytes) else { return }
        var edited = head
        edit(&edited.fields)
        var encoded: [UInt8] = []
        // A name or value that would end its line: plans are checked, so only code gets here.
        guard (try? edited.encode(into: &encoded)) != nil else { return }
        bytes = encoded + bytes[consumed...]
    }
}
