@testable import BelayWire

/// Frames and messages of both roles, with limits that small inputs reach.
enum FramesTarget: FuzzTarget {
    static let name = "frames"

    private struct Settings {
        let role: WebSocketRole
        let compression: FrameDecoder.Compression
        let limits: WebSocketLimits

        init(_ input: FuzzInput) {
            role = input.isSet(1) ? .server : .client
            compression = input.isSet(2) ? .negotiated : .none
            limits = WebSocketLimits(
                frameBytes: input.choice(2, (16 << 20, 125, 300, 70_000)),
                messageBytes: input.choice(4, (16 << 20, 125, 400, 1_000)),
                fragments: input.choice(6, (131_072, 1, 2, 7)))
        }
    }

    private struct Outcome<Part: Equatable>: Equatable {
        var parts: [Part] = []
        var violation: WebSocketViolation?
    }

    static func judge(_ input: [UInt8]) {
        let input = FuzzInput(input)
        let settings = Settings(input)
        let frames = frames(of: [input.bytes], settings)
        let elements = elements(of: [input.bytes], settings)
        for chunks in input.chunkings {
            agree(self.frames(of: chunks, settings), frames, "frames depend on the chunking")
            agree(self.elements(of: chunks, settings), elements, "elements depend on the chunking")
        }
        checkRules(of: frames.parts, settings)
        checkMessages(elements.parts, settings)
        checkWholeMessage(in: input.bytes, elements.parts, settings)
        checkEncoding(of: frames.parts, in: input.bytes, settings)
        checkValidator(input)
    }

    private static func frames(of chunks: [[UInt8]], _ settings: Settings) -> Outcome<Frame> {
        var decoder = FrameDecoder(
            role: settings.role, limits: settings.limits, compression: settings.compression)
        return outcome(of: chunks) { (chunk, parts) throws(WebSocketViolation) in
            try decoder.append(chunk, into: &parts)
        }
    }

    private static func elements(
        of chunks: [[UInt8]], _ settings: Settings
    ) -> Outcome<MessageAssembler.Element> {
        var decoder = MessageDecoder(
            role: settings.role, limits: settings.limits, compression: settings.compression)
        return outcome(of: chunks) { (chunk, parts) throws(WebSocketViolation) in
            try decoder.append(chunk, into: &parts)
        }
    }

    /// What comes of the chunks. After a violation nothing may come but the same violation.
    private static func outcome<Part: Equatable>(
        of chunks: [[UInt8]],
        append: ([UInt8], inout [Part]) throws(WebSocketViolation) -> Void
    ) -> Outcome<Part> {
        var outcome = Outcome<Part>()
        for chunk in chunks {
            let before = outcome.parts.count
            do throws(WebSocketViolation) {
                try append(chunk, &outcome.parts)
                hold(outcome.violation == nil, "a spent decoder reads on")
            } catch {
                agree(outcome.violation ?? error, error, "a spent decoder changes its mind")
                hold(
                    outcome.violation == nil || outcome.parts.count == before,
                    "a spent decoder goes on")
                outcome.violation = error
            }
        }
        return outcome
    }

    /// RFC 6455 §5.1, §5.2, §5.5 and RFC 7692 §6, of each frame that was let through.
    private static func checkRules(of frames: [Frame], _ settings: Settings) {
        for frame in frames {
            hold(frame.payload.count <= settings.limits.frameBytes, "a frame over its limit")
            if frame.opcode.isControl {
                hold(frame.isFinal, "a fragmented control frame")
                hold(frame.payload.count <= 125, "a long control frame")
            }
            guard frame.isCompressed else { continue }
            hold(settings.compression == .negotiated, "RSV1 without an extension")
            hold(frame.opcode == .text || frame.opcode == .binary, "RSV1 on \(frame.opcode)")
        }
    }

    /// RFC 6455 §5.5.1, §5.6 and §7.4, of each element that was let through.
    private static func checkMessages(
        _ elements: [MessageAssembler.Element], _ settings: Settings
    ) {
        for (index, element) in elements.enumerated() {
            switch element {
            case .message(let message):
                hold(message.payload.count <= settings.limits.messageBytes, "a long message")
                guard message.kind == .text, !message.isCompressed else { continue }
                hold(isUTF8(message.payload), "a text that is not UTF-8: \(message.payload)")
            case .ping(let payload), .pong(let payload):
                hold(payload.count <= 125, "a long control frame")
            case .close(let close):
                hold(index == elements.count - 1, "something behind a Close frame")
                hold(close.code?.maySend ?? true, "a code that may not be sent")
            }
        }
    }

    /// What an endpoint sends on from where it lies is the first message, or none.
    private static func checkWholeMessage(
        in bytes: [UInt8], _ elements: [MessageAssembler.Element], _ settings: Settings
    ) {
        let decoder = MessageDecoder(
            role: settings.role, limits: settings.limits, compression: settings.compression)
        var sentOn: [UInt8]?
        bytes.withUnsafeBytes { input in
            guard let message = decoder.wholeMessage(at: input) else { return }
            var output: [UInt8] = []
            if FrameEncoder.append(message, to: &output) { sentOn = output }
        }
        guard let sentOn else { return }
        guard case .message(let first) = elements.first else {
            finding("sends on what is no message: \(bytes)")
        }
        var expected: [UInt8] = []
        FrameEncoder.append(
            Frame(first.kind == .text ? .text : .binary, first.payload), maskedWith: nil,
            to: &expected)
        agree(sentOn, expected, "a message is sent on otherwise than it is read")
    }

    /// Frames have one encoding: encoded again, they are the bytes that they were read from.
    private static func checkEncoding(
        of frames: [Frame], in bytes: [UInt8], _ settings: Settings
    ) {
        var encoded: [UInt8] = []
        for frame in frames {
            let start = encoded.count
            let lengthBytes = frame.payload.count < 126 ? 0 : frame.payload.count < 65_536 ? 2 : 8
            let key = bytes[start...].dropFirst(2 + lengthBytes).prefix(4).map { $0 }
            guard settings.role == .client || key.count == 4 else { finding("a frame too long") }
            FrameEncoder.append(
                frame,
                maskedWith: settings.role == .client
                    ? nil : MaskingKey(key[0], key[1], key[2], key[3]),
                to: &encoded)
        }
        hold(bytes.starts(with: encoded), "frames encoded again differ: \(frames)")
    }

    /// The validator and the standard library agree on any bytes, also where they come in pieces.
    private static func checkValidator(_ input: FuzzInput) {
        for chunks in [[input.bytes]] + input.chunkings {
            var validator = UTF8Validator()
            for chunk in chunks { _ = validator.append(chunk[...]) }
            agree(validator.isComplete, isUTF8(input.bytes), "UTF-8 of \(input.bytes)")
        }
    }

    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }
}

extension FramesTarget {
    static var seeds: [[UInt8]] {
        let conversations: [[Frame]] = [
            [Frame(.text, Array("Hello".utf8))],
            [
                Frame(.text, Array("Hel".utf8), isFinal: false), Frame(.ping, [1, 2, 3]),
                Frame(.continuation, Array("lo".utf8)), Frame(.close, [0x03, 0xE8]),
            ],
            [
                Frame(.text, [0xCE, 0xBA, 0xE1], isFinal: false),
                Frame(.continuation, [0xBD, 0xB9]),
            ],
            [Frame(.binary, [UInt8](repeating: 7, count: 126)), Frame(.pong)],
            [Frame(.binary, [UInt8](repeating: 9, count: 301))],
            [Frame(.text, [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], isCompressed: true)],
            [Frame(.close, [0x03, 0xE9] + Array("going away".utf8)), Frame(.text)],
            [Frame(.binary, [], isFinal: false), Frame(.continuation, [], isFinal: false)],
        ]
        let key = MaskingKey(0x37, 0xFA, 0, 1)
        return conversations.enumerated().flatMap { number, frames in
            let settings = UInt8(number) << 2 & 0xFC
            return [
                FuzzInput.seed(bytes(of: frames, key: nil), settings: settings | 2),
                FuzzInput.seed(bytes(of: frames, key: key), settings: settings | 3),
            ]
        }
    }

    private static func bytes(of frames: [Frame], key: MaskingKey?) -> [UInt8] {
        frames.reduce(into: []) { FrameEncoder.append($1, maskedWith: key, to: &$0) }
    }
}
