extension EventStreamParser {
    /// The fields of one block, as far as they have come.
    struct Block: Sendable {
        var data = Value()
        var type = Value()
        var id = Value()

        /// Whether it has a field that counts.
        var isPresent: Bool { data.isPresent || id.isPresent || type.isPresent }

        /// What it holds, in bytes.
        var byteCount: Int { data.range.count + type.range.count + id.range.count }

        /// The chunk goes: takes along what lies in it.
        mutating func keep(from chunk: UnsafeRawBufferPointer) {
            data.keep(from: chunk)
            type.keep(from: chunk)
            id.keep(from: chunk)
        }

        /// The same for a line that came in pieces: data that begins there takes its whole buffer.
        ///
        /// So the line of a huge event is not copied once more.
        mutating func keep(from line: inout KeptBytes) {
            data.adopt(&line)
            line.bytes.withUnsafeBytes { keep(from: $0) }
        }

        mutating func clear() {
            data.clear()
            type.clear()
            id.clear()
        }
    }

    /// A field's value: a place in the chunk at hand, or bytes kept from chunks before it.
    struct Value: Sendable {
        private enum Home {
            /// There is no value, which is not an empty one: empty data is an event, an empty id
            /// resets the cursor.
            case none
            case chunk
            case kept
        }

        private var home = Home.none
        /// Its place at home; empty where there is no value.
        private(set) var range = 0..<0
        private(set) var kept = KeptBytes()

        var isPresent: Bool { home != .none }
        var isKept: Bool { home == .kept }

        mutating func point(at place: Range<Int>) {
            if isKept { clear() }
            home = .chunk
            range = place
        }

        /// Takes a value, or joins it by LF to those that are there.
        ///
        /// Inlined like `clear`: most events have one line of data, and calls are half their cost.
        @inline(__always)
        mutating func appendLine(_ place: Range<Int>, of chunk: UnsafeRawBufferPointer) {
            if isPresent { join(place, of: chunk) } else { point(at: place) }
        }

        private mutating func join(_ place: Range<Int>, of chunk: UnsafeRawBufferPointer) {
            if !isKept { copy(chunk.part(range)) }
            kept.append(ASCII.lineFeed)
            kept.append(chunk.part(place))
            range = range.lowerBound..<kept.count
        }

        /// The chunk goes: takes along what lies in it.
        mutating func keep(from chunk: UnsafeRawBufferPointer) {
            guard home == .chunk else { return }
            // Nothing is copied for nothing: an empty value lies anywhere.
            if range.isEmpty { range = 0..<0 } else { copy(chunk.part(range)) }
        }

        /// Takes the chunk itself, if it lies there, and leaves its own buffer for it.
        mutating func adopt(_ chunk: inout KeptBytes) {
            guard home == .chunk, !range.isEmpty else { return }
            home = .kept
            swap(&kept, &chunk)
        }

        mutating func copy(_ bytes: UnsafeRawBufferPointer) {
            home = .kept
            kept.clear()
            kept.append(bytes)
            range = 0..<kept.count
        }

        @inline(__always)
        mutating func clear() {
            if isKept { kept.clear() }
            home = .none
            range = 0..<0
        }
    }
}
