public import BelayCore

/// What an event stream tells besides its events, in order with them.
///
/// Neither moves the cursor, and a replay may bring a comment again: it has no id.
public enum EventStreamAside: Hashable, Sendable {
    /// A comment line of this generation: what stands behind its colon, also a space.
    ///
    /// Most are empty and keep the way open; some servers say by one what became of a channel.
    case comment(String, Generation)
    /// A generation ended, by one cause. An attempt that never opened ends so too.
    ///
    /// While the handler lags so far that the stream is not read, only the newest end is kept.
    case closed(CloseFacts)
}
