import BelayTesting
import BelayWire
import CBaselines

extension Comparison {
    /// Taking a mask off, in place.
    static func unmasking(_ scale: Scale) -> Comparison {
        Comparison(
            title: "unmask in place", better: .higher, subjects: ["belay", "bytewise", "C"],
            cases: [64, 16_384].map { count in
                let repeats = scale.pick(short: 64, full: 512) << 20 / count
                var bytes = [UInt8](repeating: 0x5A, count: count)
                return Case(
                    name: sizeName(count),
                    gauges: [.rate("GB/s", of: Double(repeats * count) / 1e9)],
                    subjects: [
                        {
                            cpuSeconds {
                                let key = MaskingKey(0x9A3D_21FA)
                                for _ in 0..<repeats {
                                    bytes.withUnsafeMutableBytes { key.apply(to: $0) }
                                }
                            }
                        },
                        { cpuSeconds { baseline_unmask_bytewise(&bytes, count, repeats / 8) } * 8 },
                        { cpuSeconds { baseline_unmask(&bytes, count, repeats) } },
                    ])
            },
            remarks: ["in cache; bytewise and C are compiled C, the first kept from vectors"])
    }

    /// Judging UTF-8, as a text message is.
    static func textJudging(_ scale: Scale) -> Comparison {
        let texts = [
            ("ASCII", "{\"type\":\"message\",\"room\":42,\"text\":\"the quick brown fox\"}, "),
            ("JSON, some é", "{\"auteur\":\"Zoé\",\"texte\":\"déjà vu, créé à l'été\"}, "),
            ("Cyrillic", "Съешь же ещё этих мягких французских булок да выпей чаю. "),
            ("CJK", "天地玄黃宇宙洪荒日月盈昃辰宿列張寒來暑往秋收冬藏"),
            ("emoji", "😀😃😄😁😆😅🤣😂🙂🙃😉😊😇"),
        ]
        return Comparison(
            title: "UTF-8 of 16 KiB", better: .higher,
            subjects: ["belay", "UTF8Span", "String"],
            cases: texts.map { name, text in
                let bytes = Array(String(repeating: text, count: 16_384 / text.utf8.count).utf8)
                let repeats = scale.pick(short: 1_000, full: 8_000)
                return Case(
                    name: name, gauges: [.rate("GB/s", of: Double(bytes.count * repeats) / 1e9)],
                    subjects: [
                        { try repeated(repeats) { isUTF8(bytes) } },
                        { try repeated(repeats) { isUTF8Span(bytes) } },
                        { try repeated(repeats) { isString(bytes) } },
                    ])
            },
            remarks: [
                "UTF8Span(validating:) and String(validating:as:) are the standard library's, for"
                    + " texts that are all there; String copies"
            ])
    }

    /// Reading the head of an opening handshake.
    static func headParsing(_ scale: Scale) -> Comparison {
        let head = Array(
            """
            GET /ws?room=42 HTTP/1.1\r
            Host: chat.example:8080\r
            Connection: Upgrade\r
            Pragma: no-cache\r
            Cache-Control: no-cache\r
            User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Safari/537.36\r
            Upgrade: websocket\r
            Origin: https://chat.example\r
            Sec-WebSocket-Version: 13\r
            Accept-Encoding: gzip, deflate, br, zstd\r
            Accept-Language: en-GB,en;q=0.9\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
            Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r
            \r

            """.utf8)
        let repeats = scale.pick(short: 5_000, full: 50_000)
        return Comparison(
            title: "head of a browser's opening handshake, \(head.count) bytes", better: .lower,
            subjects: ["belay", "memchr"],
            cases: [
                Case(
                    name: "parse", gauges: [.cost("µs/head", perSecond: 1e6, of: repeats)],
                    subjects: [
                        { try repeated(repeats) { isHead(head) } },
                        { try repeated(repeats) { baseline_lines(head, head.count) == 14 } },
                    ])
            ],
            remarks: ["memchr only finds the ends of lines; belay checks and keeps every field"])
    }
}

private func sizeName(_ count: Int) -> String {
    count < 1_024 ? "\(count) B" : "\(count / 1_024) KiB"
}

private func repeated(_ count: Int, _ body: () -> Bool) throws -> Double {
    var right = 0
    let seconds = cpuSeconds {
        for _ in 0..<count where body() { right += 1 }
    }
    if right != count { throw BenchmarkError("\(right) of \(count) were judged right") }
    return seconds
}

private func isUTF8(_ bytes: [UInt8]) -> Bool {
    var validator = UTF8Validator()
    return bytes.withUnsafeBytes { validator.append($0) } && validator.isComplete
}

private func isUTF8Span(_ bytes: [UInt8]) -> Bool {
    guard #available(macOS 26, iOS 26, *) else { return false }
    return (try? UTF8Span(validating: bytes.span)) != nil
}

private func isString(_ bytes: [UInt8]) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
}

private func isHead(_ bytes: [UInt8]) -> Bool {
    var parser = HTTPHeadParser<HTTPRequestHead>(limits: .default)
    return bytes.withUnsafeBytes { (try? parser.append($0)) ?? nil } != nil
}
