/// A moment of the protocol at which a fault can strike, with its number.
///
/// A fault strikes *instead of* what the endpoint would say at the moment.
public struct Moment: Hashable, Sendable {
    /// The kinds of moments, in the order of a connection's life. The raw value is the JSON key.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The connection was accepted; nothing would be said.
        case accepted
        /// The head of the request was read; nothing would be said yet.
        case request
        /// The head of the response is about to be sent; for a WebSocket see `handshake`.
        case response
        /// The head of the response was said, the body was not begun.
        case responseSent
        /// Event n is about to be sent. Events are counted from 1 for each connection.
        case beforeEvent
        /// The id line of event n was said.
        case afterID
        /// One half of the data of event n was said.
        case insideData
        /// All of event n was said but the blank line that completes it.
        case beforeBlankLine
        /// Event n was said.
        case afterEvent
        /// The last event was said; the end of the body would follow.
        case end
        /// The 101 that opens a WebSocket is about to be sent.
        case handshake
        /// The 101 was said. What is said now may leave in its segment.
        case opened
        /// The pong that answers ping n is about to be sent.
        case ping
        /// The echo of message n is about to be sent.
        case message
        /// The answer to the client's Close is about to be sent.
        case close
        /// So many milliseconds have passed since the connection was accepted.
        case elapsed

        /// Whether moments of this kind have a number.
        public var isNumbered: Bool {
            switch self {
            case .beforeEvent, .afterID, .insideData, .beforeBlankLine, .afterEvent, .ping,
                .message, .elapsed:
                true
            case .accepted, .request, .response, .responseSent, .end, .handshake, .opened, .close:
                false
            }
        }

        /// Where it stands in `allCases`.
        var place: Int {
            switch self {
            case .accepted: 0
            case .request: 1
            case .response: 2
            case .responseSent: 3
            case .beforeEvent: 4
            case .afterID: 5
            case .insideData: 6
            case .beforeBlankLine: 7
            case .afterEvent: 8
            case .end: 9
            case .handshake: 10
            case .opened: 11
            case .ping: 12
            case .message: 13
            case .close: 14
            case .elapsed: 15
            }
        }
    }

    /// Some kinds, in one word: each connection has one, and is asked at every message.
    struct Kinds: Hashable, Sendable {
        private var bits: UInt32 = 0

        init(_ kinds: [Kind] = []) {
            for kind in kinds { insert(kind) }
        }

        mutating func insert(_ kind: Kind) { bits |= Self.bit(kind) }

        func contains(_ kind: Kind) -> Bool { bits & Self.bit(kind) != 0 }

        func isDisjoint(with other: Kinds) -> Bool { bits & other.bits == 0 }

        private static func bit(_ kind: Kind) -> UInt32 { 1 << UInt32(kind.place) }
    }

    /// What kind of moment it is.
    public let kind: Kind
    /// Which of its kind, from 1; milliseconds for `elapsed`; 0 for a kind without numbers.
    public let number: Int

    /// A moment; `number` is left out for a kind without numbers.
    public init(_ kind: Kind, _ number: Int = 0) {
        self.kind = kind
        self.number = number
    }
}

extension Moment: CustomStringConvertible {
    /// `ping 3`, `opened`.
    public var description: String {
        kind.isNumbered ? "\(kind.rawValue) \(number)" : kind.rawValue
    }
}

/// The moments at which a rule strikes: a kind, and which of that kind.
///
/// In JSON the kind alone (`"opened"`, or `"ping"` for every ping) or the kind with its numbers:
/// `{"ping": 3}`, `{"afterEvent": {"from": 2}}`, `{"elapsed": 500}`.
public struct MomentPattern: Hashable, Sendable {
    /// The kind.
    public let kind: Moment.Kind
    /// Which of the kind; `every` for a kind without numbers, `only` for `elapsed`.
    public let occurrence: Occurrence

    private init(_ kind: Moment.Kind, _ occurrence: Occurrence) {
        self.kind = kind
        self.occurrence = occurrence
    }

    /// The pattern of a kind with or without numbers; `nil` where they do not fit together.
    public init?(kind: Moment.Kind, _ occurrence: Occurrence = .every) {
        switch (kind, occurrence) {
        case (.elapsed, .only(let milliseconds)) where milliseconds >= 0: break
        case (.elapsed, _): return nil
        default: guard kind.isNumbered || occurrence == .every else { return nil }
        }
        self.init(kind, occurrence)
    }

    /// Whether the moment is one of these.
    public func matches(_ moment: Moment) -> Bool {
        kind == moment.kind && (!kind.isNumbered || occurrence.contains(moment.number))
    }

    /// The connection was accepted.
    public static let accepted = MomentPattern(.accepted, .every)
    /// The head of the request was read.
    public static let request = MomentPattern(.request, .every)
    /// The head of the response is about to be sent.
    public static let response = MomentPattern(.response, .every)
    /// The head of the response was said.
    public static let responseSent = MomentPattern(.responseSent, .every)
    /// These events are about to be sent.
    public static func beforeEvent(_ which: Occurrence) -> Self { Self(.beforeEvent, which) }
    /// The id lines of these events were said.
    public static func afterID(_ which: Occurrence) -> Self { Self(.afterID, which) }
    /// Half the data of these events was said.
    public static func insideData(_ which: Occurrence) -> Self { Self(.insideData, which) }
    /// All of these events was said but the blank line.
    public static func beforeBlankLine(_ which: Occurrence) -> Self {
        Self(.beforeBlankLine, which)
    }
    /// These events were said.
    public static func afterEvent(_ which: Occurrence) -> Self { Self(.afterEvent, which) }
    /// The last event was said.
    public static let end = MomentPattern(.end, .every)
    /// The 101 is about to be sent.
    public static let handshake = MomentPattern(.handshake, .every)
    /// The 101 was said.
    public static let opened = MomentPattern(.opened, .every)
    /// The pongs to these pings are about to be sent.
    public static func ping(_ which: Occurrence) -> Self { Self(.ping, which) }
    /// The echoes of these messages are about to be sent.
    public static func message(_ which: Occurrence) -> Self { Self(.message, which) }
    /// The answer to the client's Close is about to be sent.
    public static let close = MomentPattern(.close, .every)
    /// So many milliseconds after the connection was accepted; negative counts as 0.
    public static func elapsed(milliseconds: Int) -> Self {
        Self(.elapsed, .only(max(0, milliseconds)))
    }
}
