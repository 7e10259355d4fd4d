import BelayCore

/// Tells which ping a pong answers, by the payload. Source: RFC 6455 §5.5.3.
///
/// A payload is the ping's number and four bytes of chance of this connection: a pong of an old
/// connection, or of a peer that guesses, matches nothing.
struct OutstandingPings: Hashable, Sendable {
    private let mark: UInt32
    private var newest: UInt32?
    private var answered: UInt32?

    /// Pings of a connection with these bytes of chance.
    init(mark: UInt32) {
        self.mark = mark
    }

    /// The payload for a ping. Numbers rise.
    mutating func payload(for number: UInt32) -> [UInt8] {
        newest = number
        return Self.bigEndian(number) + Self.bigEndian(mark)
    }

    /// The ping that this pong answers; `nil` if it is unsolicited.
    ///
    /// A pong may pass over older pings, which are then never answered; each counts once.
    mutating func number(answeredBy payload: [UInt8]) -> UInt32? {
        guard payload.count == 8, payload[4...].elementsEqual(Self.bigEndian(mark)) else {
            return nil
        }
        let number = payload[..<4].reduce(0) { $0 << 8 | UInt32($1) }
        guard let newest, number <= newest else { return nil }
        if let answered, number <= answered { return nil }
        answered = number
        return number
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
