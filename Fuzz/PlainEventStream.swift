import BelayWire

/// A second reader of event streams: the text of the standard, step by step, without limits, chunks
/// or speed. Source: HTML, 9.2.5 and 9.2.6.
///
/// It departs from the text where Belay does on purpose: the cursor of the request is kept, and
/// comments, reconnection times and ids without data are told.
struct PlainEventStream {
    private(set) var elements: [EventStreamElement] = []
    private(set) var lastEventID: String

    private var data = ""
    private var eventType = ""
    /// The last event ID buffer, and whether this block set it.
    private var idOfBlock: String?

    init(of bytes: [UInt8], lastEventID: String) {
        self.lastEventID = lastEventID
        // "Streams must be decoded using the UTF-8 decode algorithm", which strips one mark.
        var text = String(decoding: bytes, as: UTF8.self)
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        for line in Self.lines(of: text) { process(line) }
        // The end of the stream: what no blank line completed is dropped.
    }

    /// The lines of a text that have an end, without it.
    static func lines(of text: String) -> [String] {
        Array(split(text).dropLast())
    }

    /// What stands behind the last end of a line.
    static func unfinishedLine(of text: String) -> String {
        split(text).last ?? ""
    }

    private static func split(_ text: String) -> [String] {
        var lines = [String.UnicodeScalarView()]
        var isBehindReturn = false
        for scalar in text.unicodeScalars {
            let endsPair = isBehindReturn && scalar == "\n"
            isBehindReturn = scalar == "\r"
            if endsPair { continue }
            if scalar == "\n" || scalar == "\r" {
                lines.append(String.UnicodeScalarView())
            } else {
                lines[lines.count - 1].append(scalar)
            }
        }
        return lines.map { String($0) }
    }

    private mutating func process(_ line: String) {
        let scalars = line.unicodeScalars
        if scalars.isEmpty {
            dispatch()
        } else if scalars.first == ":" {
            elements.append(.comment(String(scalars.dropFirst())))
        } else if let colon = scalars.firstIndex(of: ":") {
            var value = scalars[scalars.index(after: colon)...]
            if value.first == " " { value = value.dropFirst() }
            process(field: String(scalars[..<colon]), value: String(value))
        } else {
            process(field: line, value: "")
        }
    }

    private mutating func process(field: String, value: String) {
        // By bytes: two texts that are canonically equal are two names.
        switch Array(field.utf8) {
        case Array("event".utf8):
            eventType = value
        case Array("data".utf8):
            data.unicodeScalars.append(contentsOf: value.unicodeScalars)
            data.unicodeScalars.append("\n")
        case Array("id".utf8):
            if !value.unicodeScalars.contains("\0") { idOfBlock = value }
        case Array("retry".utf8):
            let isNumber =
                !value.utf8.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
            if isNumber { elements.append(.reconnectionTime(UInt64(value) ?? .max)) }
        default:
            break
        }
    }

    private mutating func dispatch() {
        defer { (data, eventType, idOfBlock) = ("", "", nil) }
        if let idOfBlock { lastEventID = idOfBlock }
        guard !data.unicodeScalars.isEmpty else {
            if let idOfBlock { elements.append(.lastEventID(idOfBlock)) }
            return
        }
        data.unicodeScalars.removeLast()
        let type = eventType.unicodeScalars.isEmpty ? "message" : eventType
        elements.append(
            .event(
                ServerSentEvent(
                    type: type, data: data, lastEventID: lastEventID, carriesID: idOfBlock != nil)))
    }
}
