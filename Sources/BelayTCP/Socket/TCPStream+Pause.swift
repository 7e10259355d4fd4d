import BelayTransport

/// For rooms that do not know the ports.
extension TCPStream {
    /// As `setReading(.paused)`.
    package func pauseReading() { setReading(.paused) }

    /// As `setReading(.flowing)`.
    package func resumeReading() { setReading(.flowing) }
}
