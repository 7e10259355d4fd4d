@testable import BelayWire

/// What the kernel says of links, addresses and routes, against a reader as plain as can be.
///
/// The fuzzer's input is the datagram. No chunking: a datagram comes whole.
enum NetlinkTarget: FuzzTarget {
    static let name = "netlink"

    private struct Outcome: Equatable {
        var messages: [NetlinkMessage] = []
        var sequences: [UInt32] = []
        var fault: NetlinkFault?
    }

    static func judge(_ input: [UInt8]) {
        let outcome = outcome(of: input)
        let plain = PlainNetlink(input)
        agree(outcome.messages, plain.messages, "messages")
        agree(outcome.sequences, plain.sequences, "sequence numbers")
        agree(outcome.fault, plain.fault, "fault")
        checkPrefixes(of: input, outcome)
    }

    private static func outcome(of bytes: [UInt8]) -> Outcome {
        var outcome = Outcome()
        do throws(NetlinkFault) {
            try NetlinkDecoder.decode(bytes.span.bytes) { header, message in
                outcome.messages.append(message)
                outcome.sequences.append(header.sequence)
            }
        } catch {
            outcome.fault = error
        }
        return outcome
    }

    /// A datagram that was cut shows no message that the whole one does not show.
    private static func checkPrefixes(of input: [UInt8], _ whole: Outcome) {
        for count in stride(from: 0, to: input.count, by: 7) {
            let cut = outcome(of: Array(input[..<count]))
            hold(whole.messages.starts(with: cut.messages), "cut at \(count): \(cut)")
        }
    }

    static var seeds: [[UInt8]] {
        let requests: [NetlinkRequest] = [
            .links, .addresses, .route(to: .v4(203, 0, 113, 1)), .route(to: .v6(1 << 61, 1)),
        ]
        return requests.map { $0.encoded(sequence: 7) } + [
            message(16, body: [0, 0, 1, 0, 2, 0, 0, 0, 0x43, 0x10, 1, 0, 0, 0, 0, 0]),
            message(
                20,
                body: [2, 24, 0x80, 0, 2, 0, 0, 0] + attribute(1, [10, 0, 0, 1])
                    + attribute(2, [10, 0, 0, 2]) + attribute(8, [0x80, 0, 0, 0])),
            message(
                20,
                body: [10, 64, 0x40, 253, 2, 0, 0, 0]
                    + attribute(1, [0xFE, 0x80] + [UInt8](repeating: 1, count: 14))),
            message(
                24,
                body: [2, 32, 0, 0, 254, 0, 0, 1, 0, 2, 0, 0] + attribute(4, [2, 0, 0, 0])
                    + attribute(5, [10, 0, 0, 1]) + attribute(7, [10, 0, 0, 2])),
            message(2, body: [0x9B, 0xFF, 0xFF, 0xFF]) + message(3, body: [0, 0, 0, 0]),
            message(4, body: []) + message(99, body: [1, 2, 3]),
        ]
    }

    private static func message(_ type: UInt8, body: [UInt8]) -> [UInt8] {
        let head = [UInt8(16 + body.count), 0, 0, 0, type, 0, 2, 0, 7, 0, 0, 0, 1, 0, 0, 0]
        return head + body + [UInt8](repeating: 0, count: -body.count & 3)
    }

    private static func attribute(_ type: UInt8, _ value: [UInt8]) -> [UInt8] {
        [UInt8(4 + value.count), 0, type, 0] + value
            + [UInt8](repeating: 0, count: -value.count & 3)
    }
}
