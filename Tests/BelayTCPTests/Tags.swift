import Testing

extension Tag {
    /// Runs on the system's clock and sockets.
    @Tag static var realTime: Self
}
