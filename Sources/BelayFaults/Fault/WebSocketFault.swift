import BelayWire

/// Faults of the opening handshake, of frames and of Close.
///
/// | name | parameters | what happens |
/// |---|---|---|
/// | `wrongAccept` | | at `handshake`: the 101 answers another key |
/// | `closeFrame` | `code`, `reason` | a Close frame instead, also with a forbidden code |
/// | `message` | `text` | what would be said, and a text; at `handshake` in the same segment |
/// | `ping` | | what would be said, and a ping |
/// | `maskedFrame` | | what would be said, masked as only a client may |
/// | `badOpcode` | `opcode` (3 to 7, 11 to 15) | what would be said, with a reserved opcode |
/// | `reservedBit` | | what would be said, with RSV2 set |
/// | `badUTF8` | | a text message that is not UTF-8 instead |
///
/// Where nothing would be said, the frame at fault is an empty text message. Refusing the handshake
/// is `status`, half a frame is `half`, a direct close is `fin`, and never answering Close is
/// `silence` at `close`.
public enum WebSocketFault: Hashable, Sendable {
    /// The 101 answers another key.
    case wrongAccept
    /// A Close frame with this code and reason, in place of what would be said.
    case closeFrame(code: UInt16, reason: String = "")
    /// A text message after what would be said.
    case message(String)
    /// A ping after what would be said. Its pong is recorded.
    case ping
    /// The frame, masked.
    case maskedFrame
    /// The frame, with this opcode.
    case badOpcode(UInt8 = 3)
    /// The frame, with RSV2 set.
    case reservedBit
    /// A text message that is not UTF-8.
    case badUTF8

    static let names = [
        "wrongAccept", "closeFrame", "message", "ping", "maskedFrame", "badOpcode",
        "reservedBit", "badUTF8",
    ]

    func decision(for occasion: Occasion) -> Decision {
        switch self {
        case .wrongAccept:
            var head = occasion.offer
            HTTPHeadEdit.apply(to: &head) {
                $0["Sec-WebSocket-Accept"] = OpeningHandshake.accept(forKey: "another key")
            }
            return .alter(head)
        case .closeFrame(let code, let reason):
            let payload = [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8.prefix(123))
            return .play([.send(Self.frame(.close, payload), note: .closeSent(code: code))])
        case .message(let text):
            let bytes = Self.frame(.text, Array(text.utf8))
            let note = EndpointEntry.Event.messageSent(byteCount: text.utf8.count)
            return .play([.proceed, .send(bytes, note: note)])
        case .ping: return .play([.proceed, .send(Self.frame(.ping, []))])
        case .maskedFrame: return .play([.send(masked(Self.offered(occasion)))])
        case .badOpcode(let opcode):
            var frame = Self.offered(occasion)
            frame[0] = frame[0] & 0xF0 | opcode & 0x0F
            return .play([.send(frame)])
        case .reservedBit:
            var frame = Self.offered(occasion)
            frame[0] |= 0x20
            return .play([.send(frame)])
        case .badUTF8: return .play([.send(Self.frame(.text, [0xC0, 0x80]))])
        }
    }

    private func masked(_ bytes: [UInt8]) -> [UInt8] {
        var decoder = FrameDecoder(role: .client, compression: .negotiated)
        var frames: [Frame] = []
        // The endpoint's own frames can be read; what an earlier rule broke is masked as a text.
        guard (try? decoder.append(bytes, into: &frames)) != nil, let frame = frames.first else {
            return [0x81, 0x80, 1, 2, 3, 4]
        }
        var masked: [UInt8] = []
        FrameEncoder.append(frame, maskedWith: MaskingKey(1, 2, 3, 4), to: &masked)
        return masked
    }

    private static func offered(_ occasion: Occasion) -> [UInt8] {
        occasion.offer.isEmpty ? frame(.text, []) : occasion.offer
    }

    private static func frame(_ opcode: Opcode, _ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        FrameEncoder.append(Frame(opcode, payload), maskedWith: nil, to: &bytes)
        return bytes
    }

    init?(name: String, _ parameters: PlanReader) throws(FaultPlanError) {
        switch name {
        case "wrongAccept": self = try parameters.none(.wrongAccept)
        case "closeFrame":
            try parameters.allow("code", "reason")
            let code = try parameters.integer("code", in: 0...65_535)
            let reason = try parameters.optionalText(
                "reason", maximumBytes: CloseFrame.maximumReasonBytes)
            self = .closeFrame(code: UInt16(code), reason: reason ?? "")
        case "message":
            try parameters.allow("text")
            self = .message(try parameters.text("text", maximumBytes: 1 << 16))
        case "ping": self = try parameters.none(.ping)
        case "maskedFrame": self = try parameters.none(.maskedFrame)
        case "badOpcode":
            try parameters.allow("opcode")
            let opcode = try parameters.integer("opcode", in: 3...15, default: 3)
            guard Opcode(rawValue: UInt8(opcode)) == nil else {
                throw parameters.error("opcode", expected: "a reserved opcode, 3 to 7 or 11 to 15")
            }
            self = .badOpcode(UInt8(opcode))
        case "reservedBit": self = try parameters.none(.reservedBit)
        case "badUTF8": self = try parameters.none(.badUTF8)
        default: return nil
        }
    }

    var form: FaultForm {
        switch self {
        case .wrongAccept: FaultForm("wrongAccept")
        case .closeFrame(let code, let reason):
            FaultForm(
                "closeFrame",
                [("code", .integer(Int(code)))]
                    + (reason.isEmpty ? [] : [("reason", .text(reason))]))
        case .message(let text): FaultForm("message", [("text", .text(text))])
        case .ping: FaultForm("ping")
        case .maskedFrame: FaultForm("maskedFrame")
        case .badOpcode(let opcode): FaultForm("badOpcode", [("opcode", .integer(Int(opcode)))])
        case .reservedBit: FaultForm("reservedBit")
        case .badUTF8: FaultForm("badUTF8")
        }
    }
}
