import BelayWire
import Testing

@Suite struct `The frame decoder` {
    struct Outcome: Equatable, Sendable {
        var frames: [Frame] = []
        var violation: WebSocketViolation?
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let role: WebSocketRole
        let bytes: [UInt8]
        let outcome: Outcome
        var compression: FrameDecoder.Compression = .none

        /// Bytes that hold whole frames.
        init(
            _ name: String, to role: WebSocketRole, _ hex: String, _ frames: [Frame],
            compression: FrameDecoder.Compression = .none
        ) {
            testDescription = name
            self.role = role
            bytes = [UInt8](hex: hex)
            outcome = Outcome(frames: frames)
            self.compression = compression
        }

        /// Bytes with a fault.
        init(
            _ name: String, to role: WebSocketRole, _ hex: String,
            _ fault: WebSocketViolation.Fault, at offset: UInt64 = 0, after frames: [Frame] = [],
            compression: FrameDecoder.Compression = .none
        ) {
            testDescription = name
            self.role = role
            bytes = [UInt8](hex: hex)
            outcome = Outcome(
                frames: frames, violation: WebSocketViolation(fault, offset: offset))
            self.compression = compression
        }
    }

    static let hello = Frame(.text, [UInt8]("Hello"))
    static let limits = WebSocketLimits(frameBytes: 70_000)

    /// The examples of RFC 6455 §5.7 and the frames that are easily got wrong.
    static let wholeFrames: [Case] = [
        Case("an unmasked text", to: .client, "8105 48656c6c6f", [hello]),
        Case("a masked text", to: .server, "8185 37fa213d 7f9f4d5158", [hello]),
        Case(
            "a text in two fragments", to: .client, "0103 48656c 8002 6c6f",
            [Frame(.text, [UInt8]("Hel"), isFinal: false), Frame(.continuation, [UInt8]("lo"))]),
        Case("a ping", to: .client, "8905 48656c6c6f", [Frame(.ping, [UInt8]("Hello"))]),
        Case(
            "a masked pong", to: .server, "8a85 37fa213d 7f9f4d5158",
            [Frame(.pong, hello.payload)]),
        Case("an empty text", to: .client, "8100", [Frame(.text)]),
        Case("an empty masked text", to: .server, "8180 01020304", [Frame(.text)]),
        Case(
            "several frames in one segment", to: .client, "8105 48656c6c6f 8900 8201 ff",
            [hello, Frame(.ping), Frame(.binary, [0xFF])]),
        Case(
            "a close between fragments", to: .client, "0101 61 8802 03e8",
            [Frame(.text, [0x61], isFinal: false), Frame(.close, [0x03, 0xE8])]),
        Case(
            "a compressed text", to: .client, "c101 00",
            [Frame(.text, [0], isCompressed: true)], compression: .negotiated),
    ]

    /// What bugs-ws rows E1 and E4 to E9 call for, and the rules of §5.2 to §5.5 one by one.
    static let violations: [Case] = [
        Case("RSV1 without an extension", to: .client, "c100", .reservedBitSet),
        Case("RSV2", to: .client, "a100", .reservedBitSet),
        Case("RSV3", to: .client, "9100", .reservedBitSet),
        Case(
            "RSV2 with compression", to: .client, "a100", .reservedBitSet,
            compression: .negotiated),
        Case(
            "RSV1 on a ping", to: .client, "c900", .reservedBitSet, compression: .negotiated),
        Case(
            "RSV1 on a continuation", to: .client, "0100 c000", .reservedBitSet, at: 2,
            after: [Frame(.text, isFinal: false)], compression: .negotiated),
        Case("opcode 3", to: .client, "8300", .unknownOpcode(3)),
        Case("opcode 7", to: .client, "8700", .unknownOpcode(7)),
        Case("opcode B", to: .client, "8b00", .unknownOpcode(0xB)),
        Case("opcode F", to: .server, "8f80 00000000", .unknownOpcode(0xF)),
        Case("a fragmented ping", to: .client, "0900 8000", .fragmentedControlFrame),
        Case("a fragmented close", to: .client, "0800", .fragmentedControlFrame),
        Case("a ping of 126 bytes", to: .client, "897e 007e", .controlFrameTooLong),
        Case("a ping with a length of 64 bits", to: .client, "897f", .controlFrameTooLong),
        Case("a masked frame of a server", to: .client, "8980 00000000", .maskedByServer),
        Case("an unmasked frame of a client", to: .server, "8105 68656c6c6f", .notMaskedByClient),
        Case("125 in 16 bits", to: .client, "817e 007d", .lengthNotMinimal),
        Case("0 in 16 bits", to: .client, "827e 0000", .lengthNotMinimal),
        Case("65,535 in 64 bits", to: .client, "827f 000000000000ffff", .lengthNotMinimal),
        Case("bit 63 of the length", to: .client, "827f 8000000000000000", .lengthBit63Set),
        Case("bit 63 in a masked frame", to: .server, "82ff ffffffffffffffff", .lengthBit63Set),
        Case(
            "the greatest length without bit 63", to: .client, "827f 7fffffffffffffff",
            .frameTooLong(maximum: 70_000)),
        Case(
            "one byte over the limit", to: .client, "827f 0000000000011171",
            .frameTooLong(maximum: 70_000)),
        Case(
            "a fault behind whole frames", to: .client, "8105 48656c6c6f 8900 8300",
            .unknownOpcode(3), at: 9, after: [hello, Frame(.ping)]),
    ]

    @Test(arguments: wholeFrames)
    func `takes frames out of every chunking`(_ test: Case) {
        let disagreements = disagreements(of: test.bytes, with: test.outcome) {
            Self.outcome(of: $0, test)
        }
        #expect(disagreements == [])
    }

    @Test(arguments: violations)
    func `names fault and place, the same for every chunking`(_ test: Case) {
        let disagreements = disagreements(of: test.bytes, with: test.outcome) {
            Self.outcome(of: $0, test)
        }
        #expect(disagreements == [])
    }

    @Test(arguments: [
        Case("RSV1", to: .client, "c1", .reservedBitSet),
        Case("RSV2", to: .client, "a1", .reservedBitSet),
        Case("an unknown opcode", to: .client, "83", .unknownOpcode(3)),
        Case("a fragmented ping", to: .client, "09", .fragmentedControlFrame),
        Case("a masked frame", to: .client, "81ff", .maskedByServer),
        Case("an unmasked frame", to: .server, "817f", .notMaskedByClient),
        Case("a long ping", to: .client, "897e", .controlFrameTooLong),
        Case("a long masked ping", to: .server, "89fe", .controlFrameTooLong),
        Case("a length, before the key", to: .server, "81fe 0000", .lengthNotMinimal),
    ])
    func `needs no byte more than the one that shows the fault`(_ test: Case) {
        #expect(Self.outcome(of: [test.bytes], test) == test.outcome)
    }

    @Test(arguments: [0, 1, 125, 126, 127, 65_534, 65_535, 65_536, 65_537])
    func `reads back what the encoder wrote, at the edges of each length`(_ count: Int) throws {
        let frame = Frame(.binary, (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        for (role, key) in [
            (WebSocketRole.client, nil), (.server, MaskingKey(0x12, 0x34, 0x56, 0x78)),
        ] {
            var bytes: [UInt8] = []
            FrameEncoder.append(frame, maskedWith: key, to: &bytes)
            var decoder = FrameDecoder(role: role)
            var frames: [Frame] = []
            // In pieces of an odd size, so that the mask is turned at each of them.
            for start in stride(from: 0, to: bytes.count, by: 1021) {
                try decoder.append(
                    Array(bytes[start..<min(start + 1021, bytes.count)]), into: &frames)
            }
            #expect(frames == [frame])
        }
    }

    @Test func `leaves what follows a frame in the input`() throws {
        var decoder = FrameDecoder(role: .client)
        let bytes = [UInt8](hex: "8101 61 8101 62")
        try bytes.withUnsafeBytes { bytes in
            var input = UnsafeRawBufferPointer(rebasing: bytes[...])
            let first = try decoder.next(from: &input)
            #expect(first == Frame(.text, [0x61]))
            #expect(decoder.frameOffset == 0)
            #expect(input.count == 3)
            let second = try decoder.next(from: &input)
            #expect(second == Frame(.text, [0x62]))
            #expect(decoder.frameOffset == 3)
            let none = try decoder.next(from: &input)
            #expect(none == nil)
        }
    }

    @Test func `repeats its violation and decodes nothing more`() {
        var decoder = FrameDecoder(role: .client)
        var frames: [Frame] = []
        let violation = WebSocketViolation(.unknownOpcode(3), offset: 0)
        #expect(throws: violation) { try decoder.append([0x83], into: &frames) }
        #expect(throws: violation) { try decoder.append([0x81, 0x00], into: &frames) }
        #expect(frames == [])
    }

    private static func outcome(of chunks: [[UInt8]], _ test: Case) -> Outcome {
        var decoder = FrameDecoder(
            role: test.role, limits: limits, compression: test.compression)
        var outcome = Outcome()
        for chunk in chunks where outcome.violation == nil {
            do {
                try decoder.append(chunk, into: &outcome.frames)
            } catch {
                outcome.violation = error
            }
        }
        return outcome
    }
}
