package import BelayWire

/// Compresses and inflates the messages of one connection, as both sides agreed.
///
/// A direction costs memory from its first compressed message on, and without context takeover
/// only during a message. Not `Sendable`: it is used on its connection's loop only.
package final class MessageCompression {
    private let outgoing: PermessageDeflate.Sender
    private let incoming: PermessageDeflate.Sender
    private let shortestMessage: Int
    private var deflater: Deflater?
    private var inflater: Inflater?

    /// The compression of the side in this role.
    package init(
        _ agreement: PermessageDeflate, role: WebSocketRole, policy: PermessageDeflate.Policy
    ) {
        let isClient = role == .client
        outgoing = PermessageDeflate.Sender(
            // A client may use less than was agreed, and then holds less.
            windowBits: min(
                policy.own.windowBits, (isClient ? agreement.client : agreement.server).windowBits),
            takeover: (isClient ? agreement.client : agreement.server).takeover)
        incoming = isClient ? agreement.server : agreement.client
        shortestMessage = policy.shortestMessage
    }

    /// `message` compressed; nil if it is too short for that, and to be sent as it is.
    package func deflate(_ message: UnsafeRawBufferPointer) -> [UInt8]? {
        guard message.count >= shortestMessage else { return nil }
        let deflater = deflater ?? Deflater(windowBits: outgoing.windowBits)
        self.deflater = outgoing.takeover == .allowed ? deflater : nil
        return deflater.deflate(message)
    }

    /// The message that was sent: inflated if it is compressed, and a text then judged.
    ///
    /// - Throws: The fault that fails the connection; this must not be used after it.
    package func inflate(
        _ message: AssembledMessage, limit: Int
    ) throws(WebSocketViolation.Fault) -> AssembledMessage {
        guard message.isCompressed else { return message }
        let inflater = inflater ?? Inflater(windowBits: incoming.windowBits)
        self.inflater = incoming.takeover == .allowed ? inflater : nil
        let payload = try inflater.inflate(message.payload, limit: limit)
        if message.kind == .text {
            var validator = UTF8Validator()
            guard payload.withUnsafeBytes({ validator.append($0) }), validator.isComplete else {
                throw .textNotUTF8
            }
        }
        return AssembledMessage(kind: message.kind, payload: payload)
    }
}
