import BelayWire

/// A parameter of the endpoint's queries: what hands, curl and browsers can ask for.
///
/// The whole table is `all`; parameters that it has not are ignored, since apps append their own.
public struct EndpointParameter: Sendable {
    /// The routes that have parameters; the raw value is the path.
    public enum Route: String, Hashable, Sendable, CaseIterable {
        /// The event stream.
        case events = "/events"
        /// The WebSocket.
        case webSocket = "/ws"
    }

    /// The route that takes it.
    public let route: Route
    /// Its name: `cut`.
    public let name: String
    /// The form of its value: `N`, `MS`, `none|duplicate|wrong|late:MS`.
    public let form: String
    /// What it does, in one line without a full stop.
    public let summary: String
    let apply: @Sendable (ParameterValue, inout RequestOptions) throws(ParameterError) -> Void

    /// Every parameter, by route, in the order in which help lists them.
    public static let all = eventParameters + webSocketParameters

    /// What the items of a query ask of a route.
    static func options(
        of items: [RequestTarget.Item], on route: Route
    ) throws(ParameterError) -> RequestOptions {
        var options = RequestOptions()
        for item in items {
            let known = all.first { $0.route == route && $0.name == item.name }
            try known?.apply(ParameterValue(name: item.name, text: item.value), &options)
        }
        return options
    }
}

/// A value that its parameter does not take; the text of the 400 that answers it.
struct ParameterError: Error, Hashable, CustomStringConvertible {
    let name: String
    let expected: String

    var description: String { "\(name): expected \(expected)" }
}

/// What stands behind the `=`.
struct ParameterValue {
    let name: String
    let text: String

    static let milliseconds = 0...86_400_000
    static let ordinals = 1...1_000_000_000

    func error(_ expected: String) -> ParameterError {
        ParameterError(name: name, expected: expected)
    }

    func integer(in range: ClosedRange<Int>) throws(ParameterError) -> Int {
        // Int's own reading would take a plus, which a query cannot even carry.
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text), range.contains(number)
        else { throw error("an integer from \(range.lowerBound) to \(range.upperBound)") }
        return number
    }

    /// A number of the event, or 0 for the moment before the first.
    func afterEvent() throws(ParameterError) -> MomentPattern {
        let number = try integer(in: 0...1_000_000_000)
        return number == 0 ? .responseSent : .afterEvent(.only(number))
    }
}
