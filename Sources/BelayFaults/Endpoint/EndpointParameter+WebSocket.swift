extension EndpointParameter {
    /// What `/ws` takes: the four outcomes of the article, and messages without being asked.
    static let webSocketParameters: [EndpointParameter] = [
        webSocket("pong", "late:MS|none|duplicate|wrong", "answers every ping like this") {
            value, options throws(ParameterError) in
            let fault = try pongFault(value)
            options.rules.append(FaultRule(at: .ping(.every), .pong(fault)))
        },
        webSocket("close", "CODE", "sends a Close frame with this code, 1000 to 4999, once open") {
            value, options throws(ParameterError) in
            let code = UInt16(try value.integer(in: 1_000...4_999))
            options.rules.append(FaultRule(at: .opened, .webSocket(.closeFrame(code: code))))
        },
        webSocket("drop", "open|ping", "ends without a Close frame, once open or on the first ping")
        {
            value, options throws(ParameterError) in
            switch value.text {
            case "open": options.rules.append(FaultRule(at: .opened, .tcp(.fin)))
            case "ping": options.rules.append(FaultRule(at: .ping(1), .tcp(.fin)))
            default: throw value.error("open or ping")
            }
        },
        webSocket("refuse", "STATUS", "refuses the handshake with this status, 200 to 599") {
            value, options throws(ParameterError) in
            let status = try value.integer(in: 200...599)
            options.rules.append(FaultRule(at: .handshake, .http(.status(status))))
        },
        webSocket("silent", "1", "opens and then says nothing, not even pongs") {
            value, options throws(ParameterError) in
            guard value.text == "1" else { throw value.error("1") }
            options.rules.append(FaultRule(at: .opened, .tcp(.stall)))
        },
        webSocket("count", "N", "pushes N text messages, 1 to N") {
            value, options throws(ParameterError) in
            options.messageCount = try value.integer(in: ParameterValue.ordinals)
        },
        webSocket("interval", "MS", "with count: MS milliseconds from message to message") {
            value, options throws(ParameterError) in
            options.interval = Int64(try value.integer(in: ParameterValue.milliseconds))
        },
    ]

    private static func pongFault(_ value: ParameterValue) throws(ParameterError) -> PongFault {
        switch value.text {
        case "none": return .missing
        case "duplicate": return .duplicate
        case "wrong": return .wrongPayload()
        default:
            guard value.text.hasPrefix("late:") else {
                throw value.error("late:MS, none, duplicate or wrong")
            }
            let wait = ParameterValue(name: value.name, text: String(value.text.dropFirst(5)))
            return .late(milliseconds: try wait.integer(in: ParameterValue.milliseconds))
        }
    }

    private static func webSocket(
        _ name: String, _ form: String, _ summary: String,
        _ apply:
            @escaping @Sendable (ParameterValue, inout RequestOptions) throws(ParameterError)
            -> Void
    ) -> EndpointParameter {
        EndpointParameter(
            route: .webSocket, name: name, form: form, summary: summary, apply: apply)
    }
}
