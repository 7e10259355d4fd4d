import BelayTCP
import BelayWire

/// Compressed messages: any bytes inflated within the limit, and what one side compresses read by
/// the other, for every agreement.
enum DeflateTarget: FuzzTarget {
    static let name = "deflate"

    /// What both sides agreed on, and the longest message that is taken.
    private struct Settings {
        let agreement: PermessageDeflate
        let limit: Int

        init(_ input: FuzzInput) {
            let sender = PermessageDeflate.Sender(
                windowBits: 8 + Int(input.settings & 7), takeover: input.isSet(8) ? .none : .allowed
            )
            agreement = PermessageDeflate(server: sender, client: sender)
            limit = input.choice(4, (125, 1_000, 40_000, 1 << 20))
        }

        func side(_ role: WebSocketRole) -> MessageCompression {
            let policy = PermessageDeflate.Policy(
                own: PermessageDeflate.Sender(windowBits: 15), shortestMessage: 1)
            return MessageCompression(agreement, role: role, policy: policy)
        }
    }

    private enum Outcome: Equatable {
        case message([UInt8])
        case fault(WebSocketViolation.Fault)
    }

    static func judge(_ input: [UInt8]) {
        let input = FuzzInput(input)
        let settings = Settings(input)
        // One of the two: zlib's own set-up is most of the time.
        if input.isSet(0x80) {
            checkRoundTrip(input.chunkings[0], settings)
        } else {
            checkInflating(input.chunkings[0], settings)
        }
    }

    /// Each chunk is the payload of a message, up to the first that is at fault.
    private static func checkInflating(_ payloads: [[UInt8]], _ settings: Settings) {
        let receiver = settings.side(.client)
        var plain = PlainInflater(windowBits: settings.agreement.server.windowBits)
        for payload in payloads {
            if settings.agreement.server.takeover == .none {
                plain = PlainInflater(windowBits: settings.agreement.server.windowBits)
            }
            let outcome = inflate(payload, with: receiver, limit: settings.limit)
            switch (outcome, plain.inflate(payload, limit: settings.limit)) {
            case (.message(let message), .message(let expected)):
                hold(message.count <= settings.limit, "a message over its limit")
                agree(message, expected, "zlib a byte at a time inflates otherwise")
            case (.fault(.messageTooLong), .tooLong),
                (.fault(.compressedDataMalformed), .malformed):
                return  // The connection fails.
            case (let outcome, let expected):
                finding("inflated to \(outcome), a byte at a time to \(expected)")
            }
        }
    }

    private static func inflate(
        _ payload: [UInt8], with receiver: MessageCompression, limit: Int
    ) -> Outcome {
        let message = AssembledMessage(kind: .binary, payload: payload, isCompressed: true)
        do throws(WebSocketViolation.Fault) {
            return .message(try receiver.inflate(message, limit: limit).payload)
        } catch {
            return .fault(error)
        }
    }

    /// Each chunk is a message that one side sends and the other must read as it was.
    private static func checkRoundTrip(_ messages: [[UInt8]], _ settings: Settings) {
        let (client, server) = (settings.side(.client), settings.side(.server))
        for (sender, receiver) in [(client, server), (server, client)] {
            for message in messages {
                guard let payload = message.withUnsafeBytes({ sender.deflate($0) }) else {
                    hold(message.isEmpty, "a message is not compressed")
                    continue
                }
                agree(
                    inflate(payload, with: receiver, limit: message.count), .message(message),
                    "a message is read otherwise than it was sent")
            }
        }
    }

    static var seeds: [[UInt8]] {
        // RFC 7692 §7.2.3: plain, twice with takeover, stored, a last block, two blocks.
        let examples: [(sizes: [UInt8], bytes: [UInt8])] = [
            ([7], [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]),
            ([7, 5], [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0xF2, 0x00, 0x11, 0x00, 0x00]),
            ([11], [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00]),
            ([8], [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]),
            ([13], [0xF2, 0x48, 0x05, 0, 0, 0, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00]),
            ([1], [0x00]),
            ([40, 3], Array("a text that comes again, a text that comes again, a text".utf8)),
        ]
        let bomb = PermessageDeflate.Sender(windowBits: 15)
        let zeros = [UInt8](repeating: 0, count: 60_000)
        let packed = MessageCompression(
            PermessageDeflate(server: bomb, client: bomb), role: .server,
            policy: PermessageDeflate.Policy(own: bomb)
        ).deflate(zeros)
        return examples.enumerated().flatMap { number, example in
            [0x17, 0x97, UInt8(number) | 0x28, UInt8(number) | 0xA8].map {
                FuzzInput.seed(example.bytes, settings: $0, cutBy: example.sizes)
            }
        } + [FuzzInput.seed(packed ?? [], settings: 0x27, cutBy: [255])]
    }
}

extension MessageCompression {
    fileprivate func deflate(_ message: [UInt8]) -> [UInt8]? {
        message.withUnsafeBytes { deflate($0) }
    }
}
