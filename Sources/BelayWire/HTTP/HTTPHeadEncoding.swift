/// A head that cannot be sent: a part of it would end its line, or break out of its place.
public enum HTTPEncodingError: Error, Hashable, Sendable {
    /// The method is no token.
    case method(String)
    /// The target is empty or has a space or a control byte. It may hold secrets: not shown.
    case target
    /// The status is not within 100 to 999.
    case status(Int)
    /// The reason phrase holds NUL, CR or LF.
    case reason
    /// A field name is no token.
    case fieldName(String)
    /// The value of this field holds NUL, CR or LF. It may hold secrets: not shown.
    case fieldValue(of: String)
}

/// What both kinds of head share when they are written.
enum HTTPHeadEncoding {
    /// Visible bytes; what is not ASCII is let through, as clients in the field send it.
    static func isTargetByte(_ byte: UInt8) -> Bool {
        byte > ASCII.space && byte != ASCII.delete
    }

    static func isValueByte(_ byte: UInt8) -> Bool {
        byte != ASCII.nul && byte != ASCII.carriageReturn && byte != ASCII.lineFeed
    }

    static func check(_ fields: HTTPFields) throws(HTTPEncodingError) {
        for field in fields.all {
            guard !field.name.utf8.isEmpty, field.name.utf8.allSatisfy(ASCII.isTokenByte) else {
                throw .fieldName(field.name)
            }
            guard field.value.utf8.allSatisfy(isValueByte) else {
                throw .fieldValue(of: field.name)
            }
        }
    }

    static func append(_ text: StaticString, to bytes: inout [UInt8]) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Ends the start line, writes the field lines, and ends the head.
    static func append(_ fields: HTTPFields, to bytes: inout [UInt8]) {
        append("\r\n", to: &bytes)
        for field in fields.all {
            bytes.append(contentsOf: field.name.utf8)
            append(": ", to: &bytes)
            bytes.append(contentsOf: field.value.utf8)
            append("\r\n", to: &bytes)
        }
        append("\r\n", to: &bytes)
    }
}
