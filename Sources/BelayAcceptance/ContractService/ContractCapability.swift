/// What a client can do besides the standard, in the words of sse-contract-tests.
///
/// Source: sse-contract-tests, `docs/optional_features.md`, and the harness's own list.
enum ContractCapability: String, CaseIterable {
    /// A byte order mark at the start of a stream is dropped, once.
    case bom
    /// Comments are told.
    case comments
    /// Events of a type are told once the harness listened to it; `message` always is.
    case eventTypeListeners = "event-type-listeners"
    /// Requests carry fields of the caller.
    case headers
    /// The first request can say an id.
    case lastEventID = "last-event-id"
    /// Data of every length between 1 byte and 1 MiB comes at once.
    case payloadSizes = "payload-size-stress-testable"
    /// The request can be a POST with a content.
    case post
    /// A silence of so many milliseconds ends a connection, and the next one begins.
    case readTimeout = "read-timeout"
    /// The request can be a REPORT with a content.
    case report
    /// The harness can order a new connection.
    case restart
    /// A 204 ends the stream for good.
    case serverDirectedShutdown = "server-directed-shutdown-request"
}
