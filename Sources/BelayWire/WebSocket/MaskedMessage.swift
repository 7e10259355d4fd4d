/// A message of one frame where it lies in the input, under the mask that it travelled with.
///
/// For who passes messages on: the payload is copied once, to where it is sent from, and nothing
/// is set aside for it. Valid as long as the input is.
package struct MaskedMessage {
    /// What the bytes mean.
    package let kind: AssembledMessage.Kind

    /// How much of the input the frame takes, header included.
    package let byteCount: Int

    let payload: UnsafeRawBufferPointer
    let key: MaskingKey?

    /// How long the payload is, in bytes.
    package var payloadCount: Int { payload.count }
}

extension MessageDecoder {
    /// The message at the front of `input`, if it is one whole frame. Takes nothing.
    ///
    /// Answers nil for anything else: a part, a fragment, a control frame, a compressed message,
    /// a violation; or when a message is half here. That is for `append`, which judges it.
    package func wholeMessage(at input: UnsafeRawBufferPointer) -> MaskedMessage? {
        guard isBetweenMessages, !isClosed, let (header, headerCount) = header(at: input) else {
            return nil
        }
        let byteCount = headerCount + header.payloadCount
        guard header.isFinal, !header.isCompressed, byteCount <= input.count else { return nil }
        let kind: AssembledMessage.Kind
        switch header.opcode {
        case .text: kind = .text
        case .binary: kind = .binary
        case .continuation, .close, .ping, .pong: return nil
        }
        return MaskedMessage(
            kind: kind, byteCount: byteCount, payload: input.part(headerCount..<byteCount),
            key: header.maskingKey)
    }
}

extension FrameEncoder {
    /// Appends a message as a server sends it, whole and without a mask.
    ///
    /// - Returns: False, with nothing appended, for a text that is not UTF-8.
    package static func append(_ message: MaskedMessage, to bytes: inout [UInt8]) -> Bool {
        let start = bytes.count
        append(
            message.kind == .text ? .text : .binary, message.payload, maskedWith: nil, to: &bytes)
        let isRight = bytes.withUnsafeMutableBytes { all in
            let payload = UnsafeMutableRawBufferPointer(
                rebasing: all[(all.count - message.payloadCount)...])
            message.key?.apply(to: payload)
            guard message.kind == .text else { return true }
            var validator = UTF8Validator()
            return validator.append(UnsafeRawBufferPointer(payload)) && validator.isComplete
        }
        if !isRight { bytes.removeSubrange(start...) }
        return isRight
    }
}
