import BelayCore

// The heartbeat.
extension ScenarioExpectation {
    func heartbeatFinding(_ evidence: Evidence) -> Finding {
        switch self {
        case .pings(let count):
            .count("pings", count, evidence.accepted("pingHandedOver").count)
        case .pongs(let count):
            .count("pings answered in time", count, evidence.accepted("pong").count)
        case .firstPing(let span):
            .lengths("from open to first ping", span, Self.firstPings(evidence))
        case .pingAfterPong(let span):
            .lengths("from pong to next ping", span, Self.pingsAfter("pong", evidence))
        case .oneOutstandingPing:
            .never("pings while one was unanswered", threshold: "none", Self.doubled(evidence))
        case .deathAfterPing(let span):
            .lengths("from ping to heartbeat's end", span, Self.deaths(evidence))
        case .pingAfterForeground(let span):
            .lengths("from foreground to ping", span, Self.pingsAfter("foreground", evidence))
        case .calmInBackground:
            .never("done in the background", threshold: "nothing", Self.inBackground(evidence))
        default:
            preconditionFailure("\(self) is judged elsewhere")
        }
    }

    private static func firstPings(_ evidence: Evidence) -> [Milliseconds] {
        let pings = evidence.accepted("pingHandedOver")
        return evidence.accepted("opened").compactMap { opened in
            pings.first { $0.generation == opened.generation }.map { $0.at - opened.at }
        }
    }

    /// From each accepted input of a kind to the next ping of the same generation.
    private static func pingsAfter(_ input: String, _ evidence: Evidence) -> [Milliseconds] {
        var since: (generation: Generation, at: Milliseconds)?
        return evidence.connections.compactMap { record in
            guard record.verdict == .accepted else { return nil }
            if record.input.is(input) {
                since = (record.generation, record.at)
            } else if record.input.is("pingHandedOver"), let start = since.take(),
                start.generation == record.generation
            {
                return record.at - start.at
            }
            return nil
        }
    }

    private static func doubled(_ evidence: Evidence) -> [String] {
        var waiting: Generation?
        return evidence.connections.compactMap { record in
            guard record.verdict == .accepted else { return nil }
            switch record.input {
            case .pingHandedOver(let id, let number):
                defer { waiting = id }
                return waiting == id ? "\(id) ping \(number)" : nil
            case .pong:
                waiting = nil
            default:
                break
            }
            return nil
        }
    }

    private static func deaths(_ evidence: Evidence) -> [Milliseconds] {
        let pings = evidence.accepted("pingHandedOver")
        return evidence.ends.compactMap { end in
            guard end.cause == .heartbeatTimedOut else { return nil }
            let last = pings.last { $0.generation == end.generation }
            return last.map { end.at - $0.at }
        }
    }

    private static func inBackground(_ evidence: Evidence) -> [String] {
        var isInBackground = false
        return evidence.connections.compactMap { record in
            switch record.input {
            case .background: isInBackground = true
            case .foreground: isInBackground = false
            case .pingHandedOver(let id, let number) where isInBackground:
                return "\(id) ping \(number)"
            default: break
            }
            guard isInBackground, case .connecting(let id) = record.after,
                record.before != record.after
            else { return nil }
            return "\(id) attempted"
        }
    }
}
