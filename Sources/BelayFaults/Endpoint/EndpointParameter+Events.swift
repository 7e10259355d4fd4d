extension EndpointParameter {
    /// What `/events` takes. Events are counted from 1 in each response.
    static let eventParameters: [EndpointParameter] = [
        events("cut", "N", "ends cleanly after N events") { value, options throws(ParameterError) in
            let number = try value.integer(in: ParameterValue.ordinals)
            options.rules.append(FaultRule(at: .afterEvent(.only(number)), .tcp(.fin)))
        },
        events("reset", "N", "resets (RST) after event N; 0: after the head") {
            value, options throws(ParameterError) in
            options.rules.append(FaultRule(at: try value.afterEvent(), .tcp(.reset)))
        },
        events("stall", "N", "says nothing more after event N, and stays open") {
            value, options throws(ParameterError) in
            options.rules.append(FaultRule(at: try value.afterEvent(), .tcp(.stall)))
        },
        events("half", "N", "ends in the middle of the data of event N") {
            value, options throws(ParameterError) in
            let number = try value.integer(in: ParameterValue.ordinals)
            options.rules.append(FaultRule(at: .insideData(.only(number)), .tcp(.fin)))
        },
        events("cutid", "N", "ends behind the id line of event N") {
            value, options throws(ParameterError) in
            let number = try value.integer(in: ParameterValue.ordinals)
            options.rules.append(FaultRule(at: .afterID(.only(number)), .tcp(.fin)))
        },
        events("duplicate", "N", "sends event N twice") {
            value, options throws(ParameterError) in
            let number = try value.integer(in: ParameterValue.ordinals)
            options.rules.append(
                FaultRule(at: .beforeEvent(.only(number)), .eventStream(.duplicateEvent)))
        },
        events("drip", "MS", "sends the body one byte every MS milliseconds") {
            value, options throws(ParameterError) in
            let milliseconds = try value.integer(in: 1...60_000)
            options.rules.append(
                FaultRule(at: .responseSent, .tcp(.drip(milliseconds: milliseconds))))
        },
        events("status", "N", "answers with this status, 200 to 599, and no body") {
            value, options throws(ParameterError) in
            let status = try value.integer(in: 200...599)
            options.rules.append(FaultRule(at: .response, .http(.status(status))))
        },
        events("type", "TYPE", "answers with this content type") {
            value, options throws(ParameterError) in
            guard !value.text.isEmpty, value.text.utf8.count <= 256,
                value.text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else { throw value.error("1 to 256 visible ASCII characters") }
            options.rules.append(FaultRule(at: .response, .http(.contentType(value.text))))
        },
        events("retry", "MS", "sends a retry: field before the events") {
            value, options throws(ParameterError) in
            let milliseconds = try value.integer(in: ParameterValue.milliseconds)
            options.rules.append(
                FaultRule(at: .responseSent, .eventStream(.retry(milliseconds: milliseconds))))
        },
        events("count", "N", "tells N events with ids 1 to N instead of the three") {
            value, options throws(ParameterError) in
            options.eventCount = try value.integer(in: ParameterValue.ordinals)
        },
        events("size", "BYTES", "with count: the data of each event, 1 to 1048576 bytes") {
            value, options throws(ParameterError) in
            options.eventBytes = try value.integer(in: 1...(1 << 20))
        },
        events("interval", "MS", "lets MS milliseconds pass from event to event") {
            value, options throws(ParameterError) in
            options.interval = Int64(try value.integer(in: ParameterValue.milliseconds))
        },
    ]

    private static func events(
        _ name: String, _ form: String, _ summary: String,
        _ apply:
            @escaping @Sendable (ParameterValue, inout RequestOptions) throws(ParameterError)
            -> Void
    ) -> EndpointParameter {
        EndpointParameter(route: .events, name: name, form: form, summary: summary, apply: apply)
    }
}
