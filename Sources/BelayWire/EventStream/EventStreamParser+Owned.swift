extension EventStreamParser {
    /// Takes the next bytes of the stream and appends what they complete.
    ///
    /// - Throws: `EventStreamError` when a limit is exceeded. What was complete before that is in
    ///   `elements`. The parser is spent: every later call throws the same error.
    public mutating func append(
        _ bytes: RawSpan, into elements: inout [EventStreamElement]
    ) throws(EventStreamError) {
        // Events without an id share the text of the one before them.
        var cursor: String?
        try append(bytes) { element in
            switch element {
            case .event(let type, let data, let lastEventID, let carriesID):
                if carriesID { cursor = nil }
                let place = cursor ?? lastEventID.text
                cursor = place
                elements.append(
                    .event(
                        ServerSentEvent(
                            type: type.isEmpty ? "message" : type.text, data: data.text,
                            lastEventID: place, id: carriesID ? place : nil)))
            case .lastEventID(let id):
                cursor = id.text
                elements.append(.lastEventID(id.text))
            case .reconnectionTime(let time):
                elements.append(.reconnectionTime(time))
            case .comment(let text):
                elements.append(.comment(text.text))
            }
        }
    }

    /// Takes the next bytes of the stream, as the call with a span does.
    public mutating func append(
        _ bytes: UnsafeRawBufferPointer, into elements: inout [EventStreamElement]
    ) throws(EventStreamError) {
        try append(bytes.bytes, into: &elements)
    }

    /// Takes the next bytes of the stream, as the call with a span does.
    public mutating func append(
        _ bytes: [UInt8], into elements: inout [EventStreamElement]
    ) throws(EventStreamError) {
        try append(bytes.span.bytes, into: &elements)
    }

    /// Takes the next bytes of the stream, as the call with a span does.
    public mutating func append(
        _ bytes: ArraySlice<UInt8>, into elements: inout [EventStreamElement]
    ) throws(EventStreamError) {
        try append(bytes.span.bytes, into: &elements)
    }
}
