extension EventStreamParser {
    /// Takes the next bytes of the stream and gives what they complete to `take`, in order.
    ///
    /// - Throws: `EventStreamError` when a limit is exceeded. What was complete before that has
    ///   been given. The parser is spent: every later call throws the same error.
    @inline(__always)
    public mutating func append(
        _ bytes: RawSpan, giving take: (EventStreamElement) -> Void
    ) throws(EventStreamError) {
        // Events without an id share the text of the one before them.
        var cursor: String?
        try append(bytes) { element in
            switch element {
            case .event(let type, let data, let lastEventID, let carriesID):
                if carriesID { cursor = nil }
                let place = cursor ?? lastEventID.text
                cursor = place
                take(
                    .event(
                        ServerSentEvent(
                            type: type.isEmpty ? "message" : type.text, data: data.text,
                            lastEventID: place, carriesID: carriesID)))
            case .lastEventID(let id):
                let id = id.text
                cursor = id
                take(.lastEventID(id))
            case .reconnectionTime(let time):
                take(.reconnectionTime(time))
            case .comment(let text):
                take(.comment(text.text))
            }
        }
    }

    /// Takes the next bytes of the stream and appends what they complete, as the call above.
    public mutating func append(
        _ bytes: RawSpan, into elements: inout [EventStreamElement]
    ) throws(EventStreamError) {
        try append(bytes, giving: { elements.append($0) })
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
