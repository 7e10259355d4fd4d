/// The page on `/`: what the endpoint can be asked for.
enum RouteList {
    static let text = lines.joined(separator: "\n") + "\n"

    private static var lines: [String] {
        var lines = ["An endpoint that misbehaves on command.", ""]
        lines += ["GET, POST or REPORT /events  three events; Last-Event-ID is honoured"]
        lines += EndpointParameter.eventParameters.map(line)
        lines += ["", "GET /ws  echoes messages, answers pings"]
        lines += EndpointParameter.webSocketParameters.map(line)
        return lines
    }

    private static func line(_ parameter: EndpointParameter) -> String {
        let usage = "\(parameter.name)=\(parameter.form)"
        let gap = String(repeating: " ", count: max(1, 18 - usage.count))
        return "  \(usage)\(gap)\(parameter.summary)"
    }
}
