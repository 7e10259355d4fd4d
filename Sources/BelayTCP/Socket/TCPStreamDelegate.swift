/// What a stream reports, on its loop and never inside a call to the stream.
///
/// `streamClosed` comes exactly once and last, unless the owner called `reset()`; after
/// `close()` it is all that comes.
package protocol TCPStreamDelegate: AnyObject {
    /// The next bytes, valid during the call.
    func stream(_ stream: TCPStream, received bytes: UnsafeRawBufferPointer)

    /// So many bytes were given to the system since there was something to send: what `write`
    /// returned for those whose last byte is among them.
    func stream(_ stream: TCPStream, gave count: UInt64)

    /// The unsent bytes were above the high water and are at the low water now.
    func streamDrained(_ stream: TCPStream)

    /// FIN: the peer writes no more. We still may.
    func streamEnded(_ stream: TCPStream)

    /// The descriptor is closed: in order for `nil`.
    func streamClosed(_ stream: TCPStream, error: SocketError?)
}

extension TCPStreamDelegate {
    /// Most owners do not count.
    package func stream(_ stream: TCPStream, gave count: UInt64) {}

    /// Most owners write less than the high water.
    package func streamDrained(_ stream: TCPStream) {}
}
