/// One line of evidence about a connection: an input, and what it did.
///
/// It has no field that could carry a payload, a token, a header value or an address (law 8).
public struct ConnectionRecord: Hashable, Sendable {
    /// When, in milliseconds on the driver's monotonic line.
    public let at: Milliseconds
    /// What happened, with the generation it carries and its numbers.
    public let input: ConnectionInput
    /// What became of it.
    public let verdict: InputVerdict
    /// The generation that was the newest when it happened.
    public let generation: Generation
    /// The status before.
    public let before: ConnectionStatus
    /// The status after.
    public let after: ConnectionStatus
    /// How `generation` ended by this input; `nil` where it goes on, or had ended before (W24).
    public let end: CloseFacts?
    /// How long the ping that this input answers was on its way, in milliseconds; else `nil`.
    public let roundTrip: Milliseconds?
    /// Payload bytes of a `received` or `sent`; `nil` for anything else.
    public let byteCount: Int?

    /// A record of one input.
    public init(
        at: Milliseconds,
        input: ConnectionInput,
        verdict: InputVerdict,
        generation: Generation,
        before: ConnectionStatus,
        after: ConnectionStatus,
        end: CloseFacts? = nil,
        roundTrip: Milliseconds? = nil,
        byteCount: Int? = nil
    ) {
        self.at = at
        self.input = input
        self.verdict = verdict
        self.generation = generation
        self.before = before
        self.after = after
        self.end = end
        self.roundTrip = roundTrip
        self.byteCount = byteCount
    }

    /// Why `generation` ended by this input; `nil` where it goes on, or had ended before.
    public var cause: CloseCause? { end?.cause }
}
