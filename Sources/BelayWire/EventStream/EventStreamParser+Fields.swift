extension EventStreamParser {
    /// The fields of one block, as far as they have come.
    struct Block: Sendable {
        /// What a buffer may keep for the next block.
        ///
        /// A stream has a usual size of event, and one large event must not hold its memory for the
        /// life of the connection.
        static let retainedCapacity = 64 << 10

        private(set) var data: [UInt8] = []
        /// Told apart from empty data, which is an event.
        private(set) var hasData = false
        var type = ""
        var id: String?

        /// What it holds, in bytes.
        var byteCount: Int { data.count + type.utf8.count + (id?.utf8.count ?? 0) }

        mutating func append(data value: UnsafeRawBufferPointer) {
            if hasData { data.append(ASCII.lineFeed) }
            hasData = true
            data.append(contentsOf: value)
        }

        func event(lastEventID: String) -> ServerSentEvent {
            ServerSentEvent(
                type: type.utf8.isEmpty ? "message" : type,
                data: String(decoding: data, as: UTF8.self),
                lastEventID: lastEventID, id: id)
        }

        mutating func clear() {
            data.removeAll(keepingCapacity: data.capacity <= Self.retainedCapacity)
            hasData = false
            type = ""
            id = nil
        }
    }

    /// Reads one whole line without its end.
    mutating func interpret(
        _ line: UnsafeRawBufferPointer, endingAt end: UInt64,
        into elements: inout [EventStreamElement]
    ) throws(EventStreamError) {
        guard let first = line.first else { return dispatch(into: &elements) }
        // No search for the colon: only four names matter, and a long line may have none.
        switch first {
        case ASCII.colon:
            elements.append(.comment)
        case UInt8(ascii: "d"):
            if let value = value(of: "data", in: line) { block.append(data: value) }
        case UInt8(ascii: "e"):
            if let value = value(of: "event", in: line) { block.type = value.text }
        case UInt8(ascii: "i"):
            // An id with a NUL could not be said in a header: the field is ignored.
            if let value = value(of: "id", in: line), !value.contains(ASCII.nul) {
                block.id = value.text
            }
        case UInt8(ascii: "r"):
            if let value = value(of: "retry", in: line), let time = milliseconds(value) {
                elements.append(.reconnectionTime(time))
            }
        default:
            return  // An unknown field.
        }
        if block.byteCount > limits.eventBytes {
            throw EventStreamError(limit: .eventBytes, maximum: limits.eventBytes, offset: end)
        }
    }

    /// What stands after `name`, its colon and one space; nil if the line has another name.
    private func value(
        of name: StaticString, in line: UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer? {
        guard line.starts(with: name) else { return nil }
        var start = name.utf8CodeUnitCount
        guard start < line.count else { return line.part(start..<start) }
        guard line[start] == ASCII.colon else { return nil }
        start += 1
        if start < line.count, line[start] == ASCII.space { start += 1 }
        return line.part(start..<line.count)
    }

    /// The number that ASCII digits alone spell, clamped to 64 bits; nil for anything else.
    private func milliseconds(_ digits: UnsafeRawBufferPointer) -> UInt64? {
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
        var number: UInt64 = 0
        for digit in digits {
            let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(UInt64(digit &- 0x30))
            if overflow || carry { return .max }
            number = sum
        }
        return number
    }
}
