/// Writes a body in chunks.
///
/// Source: RFC 9112 §7.1.
public enum ChunkedEncoder {
    /// Appends one chunk.
    ///
    /// No bytes append nothing: an empty chunk would end the body.
    public static func append(_ data: some Collection<UInt8>, to bytes: inout [UInt8]) {
        guard !data.isEmpty else { return }
        bytes.append(contentsOf: String(data.count, radix: 16).utf8)
        HTTPHeadEncoding.append("\r\n", to: &bytes)
        bytes.append(contentsOf: data)
        HTTPHeadEncoding.append("\r\n", to: &bytes)
    }

    /// Appends the last chunk, which ends the body.
    public static func appendEnd(to bytes: inout [UInt8]) {
        HTTPHeadEncoding.append("0\r\n\r\n", to: &bytes)
    }
}
