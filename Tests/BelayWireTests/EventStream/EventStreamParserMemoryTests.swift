#if canImport(Glibc)
    import BelayWire
    import Foundation
    import Testing

    /// Seen from outside, by the most bytes that were held at a time: whoever copies a line has it
    /// twice, however short the time. In a process of its own, whose only large memory it is.
    @Suite struct `A huge line in small chunks` {
        static let chunkBytes = 16 << 10
        /// Close below a power of two: a buffer that doubles is 1.5 of its size while it moves, so
        /// it never comes near to two lines.
        static let chunks = 1_000
        static let lineBytes = chunkBytes * chunks

        @Test(arguments: ["data: ", ": ", "unknown: "])
        func `is never held twice, neither for a chunk nor at its end`(
            _ beginning: String
        ) async throws {
            let result = await #expect(
                processExitsWith: .success, observing: [\.standardErrorContent]
            ) { [beginning = beginning as String] in
                try SystemHeap.countEachLargeBlock()
                Self.read(lineBeginning: beginning)
                try SystemHeap.say()
            }
            let said = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
            // Where a sanitizer allocates, the system's heap counts nothing.
            guard let most = SystemHeap.mostLargeBytes(in: said), most > 0 else {
                try Test.cancel("this process does not use the system's heap")
            }
            #expect(most >= Self.lineBytes, "the line was not counted")
            #expect(most < 2 * Self.lineBytes)
        }

        /// Its end comes in a chunk of its own, and so does that of its block.
        private static func read(lineBeginning beginning: String) {
            var parser = EventStreamParser()
            var lent = 0
            func take(_ chunk: [UInt8]) {
                do {
                    try parser.append(chunk.span.bytes) { element in
                        switch element {
                        case .event(_, let data, _, _): lent += data.byteCount
                        case .comment(let text): lent += text.byteCount
                        case .lastEventID, .reconnectionTime: return
                        }
                    }
                } catch {
                    preconditionFailure("\(error)")
                }
            }
            var chunk = [UInt8](beginning.utf8)
            chunk += [UInt8](repeating: 0x78, count: chunkBytes - chunk.count)
            take(chunk)
            chunk = [UInt8](repeating: 0x78, count: chunkBytes)
            for _ in 1..<chunks { take(chunk) }
            take([0x0A])
            take([0x0A])
            precondition(lent > lineBytes - 16 || beginning == "unknown: ", "\(lent) bytes lent")
        }
    }

    /// What glibc knows of its own blocks. Its header is none of the module's.
    private enum SystemHeap {
        struct Missing: Error {}

        /// Each large block is a mapping of its own, also after the first was freed. A sanitizer's
        /// heap does not know how, and says so.
        static func countEachLargeBlock() throws {
            typealias Option = @convention(c) (CInt, CInt) -> CInt
            let option = unsafeBitCast(try symbol("mallopt"), to: Option.self)
            let mapThreshold: CInt = -3
            _ = option(mapThreshold, 64 << 10)
        }

        /// Writes its figures to the standard error.
        static func say() throws {
            typealias Statistics = @convention(c) () -> Void
            unsafeBitCast(try symbol("malloc_stats"), to: Statistics.self)()
        }

        /// The most bytes of large blocks that there were at a time.
        static func mostLargeBytes(in said: String) -> Int? {
            let line = said.split(separator: "\n").last { $0.hasPrefix("max mmap bytes") }
            return line?.split(separator: " ").last.flatMap { Int($0) }
        }

        private static func symbol(_ name: String) throws -> UnsafeMutableRawPointer {
            guard let symbol = dlsym(nil, name) else { throw Missing() }
            return symbol
        }
    }
#endif
