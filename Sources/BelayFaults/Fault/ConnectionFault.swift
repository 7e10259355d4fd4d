/// Faults of bytes and of the connection, for any moment.
///
/// | name | parameters | what happens |
/// |---|---|---|
/// | `silence` | | this once nothing is said; the connection goes on |
/// | `fin` | | FIN instead |
/// | `halfClose` | | FIN instead, and reading goes on until the client ends too |
/// | `reset` | | RST instead, after what was said before |
/// | `stall` | | nothing more is said, the connection stays open |
/// | `half` | `then` (`fin`, `reset`, `stall`) | half of what would be said, then the end |
/// | `wait` | `milliseconds` | this and what follows comes later, once |
/// | `latency` | `milliseconds`, `jitter` | everything from here on comes later, in order |
/// | `drip` | `milliseconds`, `bytes` | from here on so many bytes at a time (default 1) |
/// | `slice` | `bytes`, `milliseconds` | from here on pieces of 1 to `bytes`, drawn from the seed |
public enum ConnectionFault: Hashable, Sendable {
    /// This once nothing is said.
    case silence
    /// FIN.
    case fin
    /// FIN; the endpoint goes on reading.
    case halfClose
    /// RST.
    case reset
    /// Nothing more is said; the connection stays open.
    case stall
    /// The first half of what would be said, then the end.
    case half(then: Ending = .fin)
    /// One wait, in milliseconds.
    case wait(milliseconds: Int)
    /// Everything so many milliseconds later, and up to `jitter` more for each thing said.
    case latency(milliseconds: Int, jitter: Int = 0)
    /// So many bytes every so many milliseconds.
    case drip(milliseconds: Int, bytes: Int = 1)
    /// Pieces of 1 to `bytes` bytes, so many milliseconds apart.
    case slice(bytes: Int, milliseconds: Int = 1)

    static let names = [
        "silence", "fin", "halfClose", "reset", "stall", "half", "wait", "latency", "drip", "slice",
    ]

    func decision(
        for occasion: Occasion, using generator: inout SeededGenerator
    ) -> Decision {
        switch self {
        case .silence: return .play([])
        case .fin: return .play([.finish])
        case .halfClose: return .play([.halfClose])
        case .reset: return .play([.reset])
        case .stall: return .play([.stall])
        case .half(let ending):
            let half = Array(occasion.offer.prefix(occasion.offer.count / 2))
            return .play([.send(half), ending.step])
        case .wait(let milliseconds): return .play([.wait(Int64(milliseconds)), .proceed])
        case .latency(let milliseconds, let jitter):
            let pace = Pace(
                latency: Int64(milliseconds), jitter: Int64(jitter),
                generator: SeededGenerator(seed: generator.next()))
            return .play([.pace(pace), .proceed])
        case .drip(let milliseconds, let bytes):
            let pace = Pace(
                pieceBytes: max(1, bytes)...max(1, bytes), interval: Int64(milliseconds),
                generator: SeededGenerator(seed: generator.next()))
            return .play([.pace(pace), .proceed])
        case .slice(let bytes, let milliseconds):
            let pace = Pace(
                pieceBytes: 1...max(1, bytes), interval: Int64(milliseconds),
                generator: SeededGenerator(seed: generator.next()))
            return .play([.pace(pace), .proceed])
        }
    }

    init?(name: String, _ parameters: PlanReader) throws(FaultPlanError) {
        switch name {
        case "silence": self = try parameters.none(.silence)
        case "fin": self = try parameters.none(.fin)
        case "halfClose": self = try parameters.none(.halfClose)
        case "reset": self = try parameters.none(.reset)
        case "stall": self = try parameters.none(.stall)
        case "half":
            try parameters.allow("then")
            let names = Ending.allCases.map(\.rawValue)
            let then = try parameters.choice("then", of: names, default: Ending.fin.rawValue)
            self = .half(then: Ending(rawValue: then) ?? .fin)
        case "wait":
            try parameters.allow("milliseconds")
            self = .wait(milliseconds: try parameters.milliseconds())
        case "latency":
            try parameters.allow("milliseconds", "jitter")
            let jitter = try parameters.integer("jitter", in: PlanReader.duration, default: 0)
            self = .latency(milliseconds: try parameters.milliseconds(), jitter: jitter)
        case "drip":
            try parameters.allow("milliseconds", "bytes")
            let bytes = try parameters.integer("bytes", in: PlanReader.pieceBytes, default: 1)
            self = .drip(milliseconds: try parameters.milliseconds(), bytes: bytes)
        case "slice":
            try parameters.allow("milliseconds", "bytes")
            let bytes = try parameters.integer("bytes", in: PlanReader.pieceBytes)
            self = .slice(bytes: bytes, milliseconds: try parameters.milliseconds(default: 1))
        default: return nil
        }
    }

    var form: FaultForm {
        switch self {
        case .silence: FaultForm("silence")
        case .fin: FaultForm("fin")
        case .halfClose: FaultForm("halfClose")
        case .reset: FaultForm("reset")
        case .stall: FaultForm("stall")
        case .half(let then): FaultForm("half", [("then", .text(then.rawValue))])
        case .wait(let milliseconds):
            FaultForm("wait", [("milliseconds", .integer(milliseconds))])
        case .latency(let milliseconds, let jitter):
            FaultForm(
                "latency", [("milliseconds", .integer(milliseconds)), ("jitter", .integer(jitter))])
        case .drip(let milliseconds, let bytes):
            FaultForm(
                "drip", [("milliseconds", .integer(milliseconds)), ("bytes", .integer(bytes))])
        case .slice(let bytes, let milliseconds):
            FaultForm(
                "slice", [("bytes", .integer(bytes)), ("milliseconds", .integer(milliseconds))])
        }
    }
}
