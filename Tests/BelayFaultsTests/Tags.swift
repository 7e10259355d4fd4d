import Testing

extension Tag {
    /// Takes real sockets and real time.
    @Tag static var realTime: Tag
}
