#if os(Linux)
    import BelayCore
    import BelayWire
    import Testing

    @testable import BelayTCP

    @Suite struct `The body of an event stream` {
        /// Two events, each flushed, and the end; made by zlib 1.2.13 through Python's zlib.
        private static let flushed = [
            "1f8b08000000000002034a492c49b45230e4e202000000ffff", "4a01338cb8b800000000ffff",
            "0300062d008f12000000",
        ].map { [UInt8](hex: $0) }
        private static let events = Array("data: 1\n\ndata: 2\n\n".utf8)

        /// 2 MiB of line feeds in 2,068 bytes.
        static let bomb =
            [UInt8](hex: "1f8b0800000000000203edc12101000000c320bffe811fe30628")
            + [UInt8](repeating: 0, count: 2_031) + [UInt8](hex: "80af01ee69dab400002000")

        private static func body(
            _ framing: HTTPBodyFraming = .untilClose, isCompressed: Bool = true
        ) -> EventStreamBody {
            EventStreamBody(.http1(framing), isCompressed: isCompressed)
        }

        private static func all(of body: inout EventStreamBody) -> [UInt8] {
            var content: [UInt8] = []
            while body.hasMore { content += body.next() }
            return content
        }

        private static let fin = CurlEnd(CurlEnd.Report(code: 0, systemError: 0))

        @Test func `gives what was flushed when it was flushed`() {
            var body = Self.body()
            var given: [String] = []
            for part in Self.flushed {
                body.append(part)
                given.append(String(decoding: Self.all(of: &body), as: UTF8.self))
            }
            #expect(given == ["data: 1\n\n", "data: 2\n\n", ""])
            #expect(body.end(by: Self.fin) == .peerFinished)
        }

        @Test func `is the same however it was cut`() {
            let bytes = Self.flushed.flatMap { $0 }
            for place in bytes.indices {
                var body = Self.body()
                body.append(Array(bytes[..<place]))
                var content = Self.all(of: &body)
                body.append(Array(bytes[place...]))
                content += Self.all(of: &body)
                #expect(content == Self.events)
                #expect(body.end(by: Self.fin) == .peerFinished)
            }
        }

        @Test func `is cut where its coding is not whole`() {
            let bytes = Self.flushed.flatMap { $0 }
            for place in bytes.indices.dropFirst() {
                var body = Self.body(.length(UInt64(place)))
                body.append(Array(bytes[..<place]))
                _ = Self.all(of: &body)
                #expect(body.end == .truncated)
            }
            var empty = Self.body(.length(0))
            #expect(Self.all(of: &empty) == [])
            #expect(empty.end == .peerFinished)
        }

        @Test func `may have several members`() {
            var body = Self.body()
            let bytes = Self.flushed.flatMap { $0 }
            body.append(bytes + bytes)
            #expect(Self.all(of: &body) == Self.events + Self.events)
            #expect(body.end(by: Self.fin) == .peerFinished)
        }

        @Test(arguments: ["data: 1\n\n", "\u{1F}\u{8B}"])
        func `is refused where it is no gzip`(_ text: String) {
            var body = Self.body()
            body.append(Array(text.utf8))
            #expect(Self.all(of: &body) == [])
            #expect(body.end == .peerViolatedProtocol(code: 1002))
            body.append(Self.flushed[0])
            #expect(!body.hasMore)
        }

        @Test func `gives little at a time of what stands for much`() {
            var body = Self.body()
            body.append(Self.bomb)
            var total = 0
            var largest = 0
            while body.hasMore {
                let count = body.next().count
                total += count
                largest = max(largest, count)
            }
            #expect(total == 2 << 20)
            #expect(largest == EventStreamBody.step)
            #expect(body.end(by: Self.fin) == .peerFinished)
        }

        @Test func `says what broke its framing, behind what came before`() {
            var body = Self.body(.chunked, isCompressed: false)
            body.append(Array("3\r\nabcX".utf8))
            #expect(Self.all(of: &body) == Array("abc".utf8))
            #expect(body.end == .peerViolatedProtocol(code: 1002))
        }
    }
#endif
