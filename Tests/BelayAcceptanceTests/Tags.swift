import Testing

extension Tag {
    /// Runs on real sockets and the system's clock.
    @Tag static var realTime: Self
}
