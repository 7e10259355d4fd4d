import BelayWire

/// Faults of the answer to a ping, for the moment `ping`; `unsolicited` for any once open.
///
/// | name | parameters | what happens |
/// |---|---|---|
/// | `latePong` | `milliseconds` | the pong comes later; nothing else waits for it |
/// | `missingPong` | | no pong |
/// | `duplicatePong` | | the pong twice |
/// | `wrongPong` | `payload` | a pong with this payload, or with the ping's own inverted |
/// | `unsolicitedPong` | `payload` | what would be said, and a pong that answers nothing |
public enum PongFault: Hashable, Sendable {
    /// So many milliseconds later.
    case late(milliseconds: Int)
    /// None.
    case missing
    /// Two.
    case duplicate
    /// One with this payload, at most 125 bytes; `nil` inverts the ping's.
    case wrongPayload(String? = nil)
    /// One that answers nothing, with this payload, at most 125 bytes.
    case unsolicited(payload: String = "")

    static let names = [
        "latePong", "missingPong", "duplicatePong", "wrongPong", "unsolicitedPong",
    ]

    func decision(for occasion: Occasion) -> Decision {
        switch self {
        case .late(let milliseconds): return .play([.proceedLater(Int64(milliseconds))])
        case .missing: return .play([])
        case .duplicate: return .play([.proceed, .proceed])
        case .wrongPayload(let payload):
            return .play([.send(Self.pong(payload.map { Array($0.utf8) } ?? inverted(occasion)))])
        case .unsolicited(let payload):
            return .play([.proceed, .send(Self.pong(Array(payload.utf8)))])
        }
    }

    /// Never the right payload, also not for an empty one.
    private func inverted(_ occasion: Occasion) -> [UInt8] {
        let payload = occasion.offer.dropFirst(2)
        return payload.isEmpty ? [0xFF] : payload.map { ~$0 }
    }

    private static func pong(_ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        let fitting = Array(payload.prefix(Frame.maximumControlBytes))
        FrameEncoder.append(Frame(.pong, fitting), maskedWith: nil, to: &bytes)
        return bytes
    }

    init?(name: String, _ parameters: PlanReader) throws(FaultPlanError) {
        let limit = Frame.maximumControlBytes
        switch name {
        case "latePong":
            try parameters.allow("milliseconds")
            self = .late(milliseconds: try parameters.milliseconds())
        case "missingPong": self = try parameters.none(.missing)
        case "duplicatePong": self = try parameters.none(.duplicate)
        case "wrongPong":
            try parameters.allow("payload")
            self = .wrongPayload(try parameters.optionalText("payload", maximumBytes: limit))
        case "unsolicitedPong":
            try parameters.allow("payload")
            let payload = try parameters.optionalText("payload", maximumBytes: limit)
            self = .unsolicited(payload: payload ?? "")
        default: return nil
        }
    }

    var form: FaultForm {
        switch self {
        case .late(let milliseconds):
            FaultForm("latePong", [("milliseconds", .integer(milliseconds))])
        case .missing: FaultForm("missingPong")
        case .duplicate: FaultForm("duplicatePong")
        case .wrongPayload(let payload):
            FaultForm("wrongPong", payload.map { [("payload", .text($0))] } ?? [])
        case .unsolicited(let payload):
            FaultForm("unsolicitedPong", [("payload", .text(payload))])
        }
    }
}
