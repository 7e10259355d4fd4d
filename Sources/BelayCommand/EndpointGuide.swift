import BelayFaults

/// What a running endpoint can be asked for, to be copied from the screen.
struct EndpointGuide: Sendable {
    /// `http`, host and port.
    let address: String

    /// The whole guide, its last newline included.
    var text: String {
        let events = "\(address)/events"
        let lines =
            [
                "listening on \(address)", "",
                "curl -Ns '\(events)?cut=1'",
                "curl -Ns -H 'Last-Event-ID: 1' '\(events)'",
                "ws\(address.dropFirst(4))/ws", "",
            ] + EndpointParameter.Route.allCases.flatMap(table) + ["interrupt to stop"]
        return lines.joined(separator: "\n") + "\n"
    }

    private func table(_ route: EndpointParameter.Route) -> [String] {
        let rows = EndpointParameter.all.filter { $0.route == route }.map { parameter in
            ("\(parameter.name)=\(parameter.form)", parameter.summary)
        }
        let width = rows.map(\.0.count).max() ?? 0
        return ["\(route.rawValue) takes"]
            + rows.map { form, summary in
                "  " + form + String(repeating: " ", count: width - form.count + 2) + summary
            } + [""]
    }
}
