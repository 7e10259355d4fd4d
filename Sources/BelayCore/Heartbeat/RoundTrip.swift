/// How long answered pings of one generation were on their way: the newest, and smoothed.
///
/// In whole milliseconds, from the ping's hand-over to the system to its pong. It is a measurement
/// and judges nothing. Source: RFC 6298 §2.
public struct RoundTrip: Hashable, Sendable {
    /// Whose pings.
    public let generation: Generation
    /// The newest, at least 0.
    public private(set) var last: Milliseconds
    /// The smoothed one in eighths of a millisecond, or small changes would be rounded away.
    private var eighths: Milliseconds

    /// After the first answer of a generation.
    public init(generation: Generation, first: Milliseconds) {
        let first = min(max(first, 0), Self.longest)
        self.generation = generation
        last = first
        eighths = first * 8
    }

    /// Smoothed: each new one counts an eighth.
    public var smoothed: Milliseconds { (eighths + 4) / 8 }

    /// Another answer.
    public mutating func add(_ sample: Milliseconds) {
        last = min(max(sample, 0), Self.longest)
        eighths += last - (eighths + 4) / 8
    }

    /// Longer is no measurement; eighths of it still fit.
    private static let longest = Milliseconds.max / 16
}
