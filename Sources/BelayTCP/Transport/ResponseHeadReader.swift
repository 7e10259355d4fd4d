import BelayCore
import BelayWire

/// Reads the head of a response, behind the interim ones. Source: RFC 9110 §15.2.
struct ResponseHeadReader {
    /// Heads with status 1xx that may come before the response. One or two are in use.
    private static let interimLimit = 8

    private var parser: HTTPHeadParser<HTTPResponseHead>
    private var interimCount = 0

    init(limits: HTTPHeadLimits) {
        parser = HTTPHeadParser(limits: limits)
    }

    /// Takes the next bytes, as the call with a buffer does; answers the head alone.
    mutating func append(_ bytes: [UInt8]) throws(EndCause) -> HTTPResponseHead? {
        try bytes.withUnsafeBufferPointer { (buffer) throws(EndCause) in
            try append(UnsafeRawBufferPointer(buffer))?.head
        }
    }

    /// Takes the next bytes; answers the head when they complete it, and where it ends in them.
    ///
    /// - Throws: The cause by which the attempt ends. It must not be used after it.
    mutating func append(
        _ bytes: UnsafeRawBufferPointer
    ) throws(EndCause) -> (head: HTTPResponseHead, consumed: Int)? {
        var consumed = 0
        do throws(HTTPHeadError) {
            while let (head, count) = try parser.append(
                UnsafeRawBufferPointer(rebasing: bytes[consumed...]))
            {
                consumed += count
                if head.status == 101 || head.status >= 200 { return (head, consumed) }
                interimCount += 1
                guard interimCount <= Self.interimLimit else { break }
            }
        } catch {
            throw EndCause(error)
        }
        if interimCount > Self.interimLimit { throw EndCause(.limitExceeded) }
        return nil
    }
}

extension EndCause {
    /// What a head that cannot be read means.
    fileprivate init(_ error: HTTPHeadError) {
        switch error.fault {
        case .headTooLong, .lineTooLong, .tooManyFields:
            self.init(.limitExceeded)
        case .bareCarriageReturn, .nul, .malformedStartLine, .unsupportedVersion,
            .foldedField, .malformedFieldName, .spaceBeforeColon:
            self.init(.peerViolatedProtocol(code: CloseCode.protocolError.rawValue))
        }
    }
}
