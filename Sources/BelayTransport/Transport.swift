/// Opens connections of one kind, each for one generation.
public protocol Transport<Request, Payload, Channel>: Sendable {
    /// What is asked of the peer: address and request header fields.
    associatedtype Request: Sendable
    /// What arrives: a message, or bytes.
    associatedtype Payload: Sendable
    /// One connection, from its first attempt on.
    associatedtype Channel

    /// The domain in which channels live and report.
    var domain: any SerialDomain { get }

    /// Begins an attempt. Call in the domain.
    ///
    /// Returns before anything is reported: the first event comes in a later turn of the domain,
    /// so that the caller holds the channel when it comes.
    func open(_ request: Request, sink: TransportSink<Payload>) -> Channel
}

/// One connection of one generation. It lives in its domain and is not sent elsewhere.
///
/// It reports in turns of its own, not from within a call of its owner.
public protocol TransportChannel: AnyObject {
    /// Stops or resumes taking bytes off the connection: the application's pace reaches the peer.
    ///
    /// Holds from within a report too: of what a paused channel has read and not yet reported,
    /// nothing is reported until it flows again. So a server that drops each connection after a
    /// few messages cannot fill an application that lags.
    func setReading(_ reading: Reading)

    /// Releases the connection at once: descriptors, timers, attempts. Idempotent.
    ///
    /// A report that was under way may still arrive afterwards; its generation tells it apart.
    func abort()
}

/// Whether a channel takes bytes off its connection.
public enum Reading: Hashable, Sendable {
    /// As they come.
    case flowing
    /// Not until it is set to flow again; the peer feels it through TCP's window.
    case paused
}
