import BelayWire
import CBaselines

extension Comparison {
    /// Bytes to owned events, beside a scan for lines in C that copies the data and checks nothing.
    static func eventStream(_ scale: Scale) -> Comparison {
        let byteCount = scale.pick(short: 16, full: 64) << 20
        var cases: [Case] = []
        for (name, lineEnd) in [("LF", "\n"), ("CRLF", "\r\n")] {
            let input = EventStreamInput(byteCount: byteCount, lineEnd: lineEnd)
            for chunk in [16_384, 1_024] {
                cases.append(
                    scan(
                        "\(name), chunks of \(chunk / 1_024) KiB", input.bytes, by: chunk,
                        events: input.eventCount))
            }
        }
        return Comparison(
            title: "event stream: bytes to events", better: .higher,
            subjects: ["belay", "C scan"], cases: cases,
            remarks: ["input: \(byteCount >> 20) MiB, seeded; MB = 10⁶ bytes"])
    }

    /// Whether a line costs the same a byte however long it is.
    static func longLine(_ scale: Scale) -> Comparison {
        let cases = scale.pick(short: [1, 8], full: [1, 8, 64, 128]).map { mebibytes in
            let input = EventStreamInput.oneLine(byteCount: mebibytes << 20)
            // Short lines are read more than once, or the clock's own grain shows.
            let repeats = max(1, 16 / mebibytes)
            return Case(
                name: "one line of \(mebibytes) MiB",
                gauges: [
                    .cost("µs/MB", perSecond: 1e6 * 1e6, of: input.count * repeats)
                ],
                subjects: [
                    { try parse(input, by: 16_384, repeats: repeats, expecting: 1) },
                    { try baseline(input, by: 16_384, repeats: repeats, expecting: 1) },
                ])
        }
        return Comparison(
            title: "event stream: one long line in chunks of 16 KiB", better: .lower,
            subjects: ["belay", "C scan"], cases: cases,
            remarks: [
                "linear when 64 and 128 agree: from 32 MiB on, buffers are fresh pages"
            ])
    }
}

private func scan(_ name: String, _ input: [UInt8], by chunk: Int, events: Int) -> Case {
    Case(
        name: name,
        gauges: [
            .rate("MB/s", of: Double(input.count) / 1e6),
            .rate("million events/s", of: Double(events) / 1e6),
        ],
        subjects: [
            { try parse(input, by: chunk, repeats: 1, expecting: events) },
            { try baseline(input, by: chunk, repeats: 1, expecting: events) },
        ])
}

private func parse(
    _ input: [UInt8], by chunk: Int, repeats: Int, expecting expected: Int
) throws -> Double {
    let limits = EventStreamLimits(
        lineBytes: 1 << 28, eventBytes: 1 << 28, pendingBytes: 1 << 29)
    var events = 0
    let seconds = try cpuSeconds {
        for _ in 0..<repeats {
            var parser = EventStreamParser(limits: limits)
            var elements: [EventStreamElement] = []
            try forEachChunk(of: input, by: chunk) { bytes in
                try parser.append(bytes, into: &elements)
                for case .event in elements { events += 1 }
                elements.removeAll(keepingCapacity: true)
            }
        }
    }
    try expect(events, expected * repeats)
    return seconds
}

private func baseline(
    _ input: [UInt8], by chunk: Int, repeats: Int, expecting expected: Int
) throws -> Double {
    var events = 0
    let seconds = cpuSeconds {
        for _ in 0..<repeats {
            var scanner = baseline_scanner()
            forEachChunk(of: input, by: chunk) { bytes in
                baseline_scan(&scanner, bytes.baseAddress, bytes.count)
            }
            events += Int(scanner.events)
            baseline_scanner_free(&scanner)
        }
    }
    try expect(events, expected * repeats)
    return seconds
}

private func expect(_ events: Int, _ expected: Int) throws {
    if events != expected {
        throw BenchmarkError("event stream: \(events) events of \(expected)")
    }
}
