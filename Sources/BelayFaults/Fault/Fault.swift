/// One way to misbehave, as a value. What it does is a pure decision for its occasion.
///
/// In JSON a fault is its name, or `{name: {parameters}}`; the families list names and parameters.
public enum Fault: Hashable, Sendable {
    /// Of bytes and the connection, for any moment.
    case tcp(ConnectionFault)
    /// Of the response's head.
    case http(ResponseFault)
    /// Of the answer to a ping.
    case pong(PongFault)
    /// Of the opening handshake, frames and Close.
    case webSocket(WebSocketFault)
    /// Of events and the cursor.
    case eventStream(EventStreamFault)

    /// Every name that JSON may hold, by family.
    public static let names =
        ConnectionFault.names + ResponseFault.names + PongFault.names + WebSocketFault.names
        + EventStreamFault.names

    func decision(
        for occasion: Occasion, using generator: inout SeededGenerator
    ) -> Decision {
        switch self {
        case .tcp(let fault): fault.decision(for: occasion, using: &generator)
        case .http(let fault): fault.decision(for: occasion)
        case .pong(let fault): fault.decision(for: occasion)
        case .webSocket(let fault): fault.decision(for: occasion)
        case .eventStream(let fault): fault.decision(for: occasion)
        }
    }

    /// The fault with this name in JSON.
    init(name: String, _ parameters: PlanReader) throws(FaultPlanError) {
        if let fault = try ConnectionFault(name: name, parameters) {
            self = .tcp(fault)
        } else if let fault = try ResponseFault(name: name, parameters) {
            self = .http(fault)
        } else if let fault = try PongFault(name: name, parameters) {
            self = .pong(fault)
        } else if let fault = try WebSocketFault(name: name, parameters) {
            self = .webSocket(fault)
        } else if let fault = try EventStreamFault(name: name, parameters) {
            self = .eventStream(fault)
        } else {
            let names = Self.names.joined(separator: ", ")
            throw FaultPlanError(path: parameters.parentPath, expected: "one of \(names)")
        }
    }

    var form: FaultForm {
        switch self {
        case .tcp(let fault): fault.form
        case .http(let fault): fault.form
        case .pong(let fault): fault.form
        case .webSocket(let fault): fault.form
        case .eventStream(let fault): fault.form
        }
    }
}

/// A fault as JSON holds it.
struct FaultForm {
    enum Value {
        case integer(Int)
        case text(String)
    }

    let name: String
    let parameters: [(key: String, value: Value)]

    init(_ name: String, _ parameters: [(key: String, value: Value)] = []) {
        self.name = name
        self.parameters = parameters
    }
}

/// How a connection comes to its end, or does not.
public enum Ending: String, Hashable, Sendable, CaseIterable {
    /// FIN.
    case fin
    /// RST.
    case reset
    /// Nothing more is said, and the connection stays open.
    case stall

    var step: Step {
        switch self {
        case .fin: .finish
        case .reset: .reset
        case .stall: .stall
        }
    }
}
