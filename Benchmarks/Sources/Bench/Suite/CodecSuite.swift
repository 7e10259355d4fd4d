import BelayTesting
import BelayWire
import CBaselines

extension Comparison {
    /// What a server's codec does to echo small messages: take frames, take the mask off, put
    /// messages together, write frames.
    static func smallMessages(_ scale: Scale) -> Comparison {
        Comparison(
            title: "WebSocket codec: decode, unmask, assemble, encode", better: .lower,
            subjects: subjects,
            cases: Load.small.map { load in
                load.work(scale) { .cost("ns/message", perSecond: 1e9, of: load.count(scale)) }
            },
            remarks: ["chunks of 64 KiB; the C codec holds no state and judges no UTF-8"])
    }

    /// The same for large ones, whose bytes cost more than their frames.
    static func largeMessages(_ scale: Scale) -> Comparison {
        Comparison(
            title: "WebSocket codec: payload through the same", better: .higher,
            subjects: subjects,
            cases: Load.large.map { load in
                load.work(scale) {
                    .rate("GB/s", of: Double(load.count(scale) * load.payloadBytes) / 1e9)
                }
            })
    }

    private static let subjects = ["belay", "C codec"]
}

private let chunkBytes = 65_536

/// Messages of one kind.
private struct Load {
    let name: String
    let opcode: Opcode
    let payloadBytes: Int

    static let small = [
        Load(name: "64 B binary", opcode: .binary, payloadBytes: 64),
        Load(name: "64 B text", opcode: .text, payloadBytes: 64),
    ]
    static let large = [
        Load(name: "16 KiB binary", opcode: .binary, payloadBytes: 16_384),
        Load(name: "16 KiB text", opcode: .text, payloadBytes: 16_384),
    ]

    func count(_ scale: Scale) -> Int {
        (scale.pick(short: 8, full: 32) << 20) / payloadBytes
    }

    func work(_ scale: Scale, gauge: () -> Gauge) -> Case {
        let count = count(scale)
        let input = frames(count, opcode, payloadBytes: payloadBytes)
        return Case(
            name: name, gauges: [gauge()],
            subjects: [
                { try echo(input, messages: count) },
                { try baseline(input) },
            ])
    }
}

private func frames(_ count: Int, _ opcode: Opcode, payloadBytes: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: 11)
    let payload = (0..<payloadBytes).map { UInt8(0x20 + $0 % 0x50) }
    var bytes: [UInt8] = []
    for _ in 0..<count {
        let key = MaskingKey(UInt32(truncatingIfNeeded: generator.next()))
        payload.withUnsafeBytes {
            FrameEncoder.append(opcode, $0, maskedWith: key, to: &bytes)
        }
    }
    return bytes
}

private func echo(_ input: [UInt8], messages expected: Int) throws -> Double {
    var messages = 0
    var decoder = MessageDecoder(role: .server)
    var elements: [MessageAssembler.Element] = []
    var output: [UInt8] = []
    let seconds = try cpuSeconds {
        try forEachChunk(of: input, by: chunkBytes) { bytes in
            try decoder.append(bytes, into: &elements)
            for case .message(let message) in elements {
                message.payload.withUnsafeBytes {
                    FrameEncoder.append(
                        message.kind == .text ? .text : .binary, $0, maskedWith: nil, to: &output)
                }
                messages += 1
            }
            elements.removeAll(keepingCapacity: true)
            output.removeAll(keepingCapacity: true)
        }
    }
    if messages != expected { throw BenchmarkError("codec: \(messages) messages of \(expected)") }
    return seconds
}

private func baseline(_ input: [UInt8]) throws -> Double {
    var output = [UInt8](repeating: 0, count: chunkBytes * 2)
    var taken = 0
    let seconds = cpuSeconds {
        input.withUnsafeBufferPointer { bytes in
            // Frames that a chunk cuts are whole here in the next one: nothing is kept.
            for end in stride(from: chunkBytes, to: bytes.count + chunkBytes, by: chunkBytes) {
                var written = 0
                let rest = UnsafeBufferPointer(rebasing: bytes[taken..<min(end, bytes.count)])
                let count = baseline_echo(rest.baseAddress, rest.count, &output, &written)
                guard count <= rest.count else { return }
                taken += count
            }
        }
    }
    if taken != input.count { throw BenchmarkError("codec: \(taken) bytes of \(input.count)") }
    return seconds
}
