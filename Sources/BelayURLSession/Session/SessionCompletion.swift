import BelayCore

/// What is known of a task when it is over.
struct SessionCompletion: Hashable, Sendable {
    /// Why it failed; `nil` where it came to its own end.
    var failure: SessionFailure?
    /// The status of the response, 100 to 599; `nil` where none came.
    var status: UInt16?
    /// For how many milliseconds the server asks to stay away. Source: RFC 9110 §10.2.3.
    var retryAfter: Milliseconds?
    /// The code of the peer's Close frame, where the task kept one.
    var closeCode: UInt16?
}
