package import BelayCore

/// What a connection can do, right or wrong. A fault is a row of these; who takes the steps knows
/// no fault by name.
package enum Step: Hashable, Sendable {
    /// Says what would have been said.
    case proceed
    /// Says what would have been said so many milliseconds later; what follows does not wait.
    case proceedLater(Milliseconds)
    /// Says something else. `note` is recorded when it leaves.
    case send([UInt8], note: EndpointEntry.Event? = nil)
    /// Says something so many milliseconds later; what follows does not wait.
    case sendLater(Milliseconds, [UInt8], note: EndpointEntry.Event? = nil)
    /// What follows waits so many milliseconds.
    case wait(Milliseconds)
    /// From here on bytes leave at this pace.
    case pace(Pace)
    /// Says this every so many milliseconds, for ever; nothing follows.
    case repeated(every: Milliseconds, [UInt8])
    /// The events begin after the one with this id, whatever was asked for.
    case startAfter(Int)
    /// FIN; reading goes on until the peer ends too.
    case halfClose
    /// FIN, and the connection is over.
    case finish
    /// RST, when all before it has left.
    case reset
    /// Nothing more is said; the connection stays open.
    case stall
}

/// How a stream of bytes is slowed and cut up.
package struct Pace: Hashable, Sendable {
    /// How many bytes leave at once, drawn for each piece; `nil` does not cut.
    package var pieceBytes: ClosedRange<Int>?
    /// Milliseconds between two pieces.
    package var interval: Milliseconds
    /// Milliseconds that every byte comes later.
    package var latency: Milliseconds
    /// The most that is added to the latency, drawn for each thing said.
    package var jitter: Milliseconds
    /// What the pieces and the jitter are drawn from.
    package var generator: SeededGenerator

    /// A pace; by default nothing is slowed.
    package init(
        pieceBytes: ClosedRange<Int>? = nil, interval: Milliseconds = 0,
        latency: Milliseconds = 0, jitter: Milliseconds = 0, generator: SeededGenerator
    ) {
        self.pieceBytes = pieceBytes
        self.interval = interval
        self.latency = latency
        self.jitter = jitter
        self.generator = generator
    }
}
