import BelayWire
import CBaselines

extension Comparison {
    /// Bytes to events that are lent, beside C that does the same.
    static func borrowedEvents(_ scale: Scale) -> Comparison {
        let streams = EventStream.all(byteCount: scale.pick(short: 8, full: 32) << 20)
        return Comparison(
            title: "event stream: bytes to borrowed events", better: .higher,
            subjects: ["belay", "C parser"],
            cases: streams.map { stream in
                stream.work([{ try stream.borrow() }, { try stream.parseInC() }])
            },
            remarks: [remark(streams)])
    }

    /// Bytes to events that own their text, beside what servers and scripts use.
    static func ownedEvents(_ scale: Scale) throws -> Comparison {
        let streams = EventStream.all(byteCount: scale.pick(short: 4, full: 16) << 20)
        let peers = EventStreamPeer.installed
        return Comparison(
            title: "event stream: bytes to owned events", better: .higher,
            subjects: ["belay", "into an array"] + peers.map(\.name),
            cases: try streams.map { stream in
                try stream.work(
                    [{ try stream.own() }, { try stream.collect() }] + stream.measures(of: peers))
            },
            remarks: [remark(streams)] + EventStreamPeer.absences)
    }

    /// Whether a line costs the same a byte however long it is, and however small its pieces.
    static func longLine(_ scale: Scale) throws -> Comparison {
        let sizes = [
            (16_384, scale.pick(short: [1, 8, 64], full: [1, 8, 64, 128])),
            (1_024, scale.pick(short: [1, 8, 64], full: [1, 8, 64, 128])),
            (64, [1, 8]),
        ]
        let peers = EventStreamPeer.installed.filter(\.isLinear)
        let cases = try sizes.flatMap { chunk, sizes in
            try sizes.map { mebibytes in
                let stream = EventStream(
                    name: "\(mebibytes) MiB in \(sizeName(chunk))",
                    bytes: EventStreamInput.oneLine(byteCount: mebibytes << 20), eventCount: 1,
                    chunk: chunk,
                    // Short lines are read more than once, or the clock's own grain shows.
                    repeats: max(1, 16 / mebibytes))
                return Case(
                    name: stream.name,
                    gauges: [
                        .cost(
                            "µs/MB", perSecond: 1e6 * 1e6,
                            of: stream.bytes.count * stream.repeats)
                    ],
                    subjects: [
                        { try stream.borrow() }, { try stream.parseInC() }, { try stream.own() },
                    ] + (try stream.measures(of: peers)))
            }
        }
        return Comparison(
            title: "event stream: one long line", better: .lower,
            subjects: ["borrowed", "C parser", "owned"] + peers.map(\.name), cases: cases,
            remarks: [
                "linear when 64 and 128 agree: from 32 MiB on, buffers are fresh pages"
            ] + EventStreamPeer.absences)
    }

    private static func sizeName(_ bytes: Int) -> String {
        bytes < 1_024 ? "\(bytes) B" : "\(bytes >> 10) KiB"
    }

    private static func remark(_ streams: [EventStream]) -> String {
        "input: \(streams[0].bytes.count >> 20) MiB, seeded; MB = 10⁶ bytes"
    }
}

/// One stream, how it is cut, and the ways to read it; each answers CPU seconds.
struct EventStream {
    let name: String
    let bytes: [UInt8]
    let eventCount: Int
    let chunk: Int
    var repeats = 1

    private static let limits = EventStreamLimits(
        lineBytes: 1 << 28, eventBytes: 1 << 28, pendingBytes: 1 << 29)

    /// Every mix in chunks of 16 KiB, and one also with CRLF and in smaller chunks.
    static func all(byteCount: Int) -> [EventStream] {
        let chat = EventStreamInput(.chat, byteCount: byteCount)
        let mixes = EventStreamInput.Mix.allCases.map {
            EventStream($0.rawValue, EventStreamInput($0, byteCount: byteCount), chunk: 16_384)
        }
        let crlf = EventStreamInput(.chat, byteCount: byteCount, lineEnd: "\r\n")
        let invalid = EventStreamInput(.invalid, byteCount: byteCount)
        return mixes + [
            EventStream("chat, CRLF", crlf, chunk: 16_384),
            EventStream("chat in 1 KiB", chat, chunk: 1_024),
            EventStream("CRLF in 1 KiB", crlf, chunk: 1_024),
            EventStream("chat in 64 B", chat, chunk: 64),
            EventStream("invalid in 64 B", invalid, chunk: 64),
        ]
    }

    func work(_ subjects: [Case.Measure?]) -> Case {
        Case(
            name: name,
            gauges: [
                .rate("MB/s", of: Double(bytes.count) / 1e6),
                .rate("million events/s", of: Double(eventCount) / 1e6),
            ],
            subjects: subjects)
    }

    /// Belay, events lent.
    func borrow() throws -> Double {
        var count = 0
        return try measure(&count) { count in
            var parser = EventStreamParser(limits: Self.limits)
            try forEachChunk(of: bytes, by: chunk) { bytes in
                try parser.append(bytes.bytes) { element in
                    if case .event(_, let data, _, _) = element, data.byteCount >= 0 { count += 1 }
                }
            }
        }
    }

    /// Belay, events with texts of their own, one by one as the peers give theirs.
    func own() throws -> Double {
        var count = 0
        return try measure(&count) { count in
            var parser = EventStreamParser(limits: Self.limits)
            try forEachChunk(of: bytes, by: chunk) { bytes in
                try parser.append(
                    bytes.bytes,
                    giving: { element in
                        if case .event = element { count += 1 }
                    })
            }
        }
    }

    /// The same, all events of a chunk at a time.
    func collect() throws -> Double {
        var count = 0
        return try measure(&count) { count in
            var parser = EventStreamParser(limits: Self.limits)
            var elements: [EventStreamElement] = []
            try forEachChunk(of: bytes, by: chunk) { bytes in
                try parser.append(bytes, into: &elements)
                for case .event in elements { count += 1 }
                elements.removeAll(keepingCapacity: true)
            }
        }
    }

    /// The same work by others, each in a process of its own.
    func measures(of peers: [EventStreamPeer]) throws -> [Case.Measure?] {
        let file = try EventStreamFile(bytes)
        return peers.map { peer in
            { try peer.parse(file, by: chunk, expecting: eventCount) * Double(repeats) }
        }
    }

    func parseInC() throws -> Double {
        var count = 0
        return try measure(&count) { count in
            withUnsafeMutablePointer(to: &count) { count in
                var parser = baseline_parser()
                parser.context = UnsafeMutableRawPointer(count)
                parser.report = { context, _, _, _ in
                    context?.assumingMemoryBound(to: Int.self).pointee += 1
                }
                forEachChunk(of: bytes, by: chunk) { bytes in
                    baseline_parse(&parser, bytes.baseAddress, bytes.count)
                }
                baseline_parser_free(&parser)
            }
        }
    }

    private func measure(
        _ count: inout Int, _ read: (inout Int) throws -> Void
    ) throws -> Double {
        let seconds = try cpuSeconds {
            for _ in 0..<repeats { try read(&count) }
        }
        guard count == eventCount * repeats else {
            throw BenchmarkError("event stream: \(count) events of \(eventCount * repeats)")
        }
        return seconds
    }
}

extension EventStream {
    private init(_ name: String, _ input: EventStreamInput, chunk: Int) {
        self.init(name: name, bytes: input.bytes, eventCount: input.eventCount, chunk: chunk)
    }
}
