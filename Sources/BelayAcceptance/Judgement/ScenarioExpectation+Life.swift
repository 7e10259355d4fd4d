import BelayCore

// The life of generations.
extension ScenarioExpectation {
    func lifeFinding(_ evidence: Evidence) -> Finding {
        switch self {
        case .opened(let count):
            .count("generations opened", count, evidence.accepted("opened").count)
        case .causes(let causes):
            .list("causes", causes, evidence.ends.map(\.cause), \.text)
        case .firstCauses(let causes):
            .list("first causes", causes, evidence.ends.prefix(causes.count).map(\.cause), \.text)
        case .oneCauseEach:
            Self.causesOfEach(evidence)
        case .generationsRise:
            .never("order of generations", threshold: "rising", evidence.lives.flatMap(Self.fallen))
        case .ignored(let input, let verdict, let count):
            .count(
                "\(input) ignored as \(verdict.name)", count, Self.count(input, verdict, evidence))
        case .ignoredChangesNothing:
            .never("effects of ignored inputs", threshold: "none", Self.effects(evidence))
        case .nothingAfterItsEnd:
            .never(
                "read after a generation's end", threshold: "nothing",
                evidence.lives.flatMap(Self.readLate))
        case .readsOnlyAccepted:
            .never(
                "messages read that were not accepted", threshold: "none", Self.unaccepted(evidence)
            )
        case .waitBetweenAttempts(let span):
            .lengths("wait before the next attempt", span, evidence.lives.flatMap(Self.waits))
        default:
            preconditionFailure("\(self) is judged elsewhere")
        }
    }

    private static func count(
        _ input: String, _ verdict: InputVerdict, _ evidence: Evidence
    ) -> Int {
        evidence.connections.count { $0.verdict == verdict && $0.input.is(input) }
    }

    private static func causesOfEach(_ evidence: Evidence) -> Finding {
        let counts = evidence.lives.flatMap(countedCauses)
        let wrong = counts.filter { $0.recorded != 1 || $0.read > 1 }
        // Slowness can keep a cause from coming; it cannot make two of one.
        let isDouble = wrong.contains { $0.recorded > 1 || $0.read > 1 }
        let text = wrong.map { "\($0.generation): \($0.recorded) recorded, \($0.read) read" }
        return Finding(
            "causes of each generation", threshold: "1",
            observed: wrong.isEmpty ? "1" : Finding.text(text), isMet: wrong.isEmpty,
            excuse: isDouble ? .none : .stall)
    }

    /// For each generation that began, how many causes were recorded, and how many the app read.
    private static func countedCauses(
        _ evidence: Evidence
    ) -> [(generation: Generation, recorded: Int, read: Int)] {
        let ends = evidence.ends
        let app = evidence.app
        return evidence.attempts.map { attempt in
            let id = attempt.generation
            let read = app.count { record in
                if case .closed(id, _) = record.event { true } else { false }
            }
            return (id, ends.count { $0.generation == id }, read)
        }
    }

    private static func fallen(_ evidence: Evidence) -> [String] {
        var newest = Generation.zero
        return evidence.attempts.compactMap { attempt in
            defer { newest = max(newest, attempt.generation) }
            return attempt.generation > newest ? nil : "\(attempt.generation) after \(newest)"
        }
    }

    private static func effects(_ evidence: Evidence) -> [String] {
        evidence.connections.compactMap { record in
            guard record.verdict != .accepted,
                record.before != record.after || record.cause != nil
            else { return nil }
            return "\(record.verdict.name) \(record.input.name): \(record.before.name) to "
                + "\(record.after.name)"
        }
    }

    private static func readLate(_ evidence: Evidence) -> [String] {
        var over = Generation.zero
        return evidence.app.compactMap { record in
            switch record.event {
            case .opened(let id) where id <= over: return "\(id) opened"
            case .message(let id, _) where id <= over: return "\(id) message"
            case .closed(let id, _):
                defer { over = max(over, id) }
                return id <= over ? "\(id) closed" : nil
            default: return nil
            }
        }
    }

    /// Evidence says of a message only how long it is, so it is known by its length: none is read
    /// more often than it was accepted before.
    private static func unaccepted(_ evidence: Evidence) -> [String] {
        struct Message: Hashable {
            let generation: Generation
            let byteCount: Int?
        }
        var accepted: [Message: Int] = [:]
        return evidence.client.compactMap { entry in
            switch entry {
            case .record(.connection(let record)):
                guard record.verdict == .accepted, case .received(let id) = record.input else {
                    return nil
                }
                accepted[Message(generation: id, byteCount: record.byteCount), default: 0] += 1
            case .app(let record):
                guard case .message(let id, let count) = record.event else { return nil }
                let message = Message(generation: id, byteCount: count)
                accepted[message, default: 0] -= 1
                if accepted[message, default: 0] < 0 { return "\(id) message of \(count) bytes" }
            case .record:
                break
            }
            return nil
        }
    }

    private static func waits(_ evidence: Evidence) -> [Milliseconds] {
        evidence.ends.compactMap { end in
            let next = evidence.attempts.first { $0.generation > end.generation }
            return next.map { $0.at - end.at }
        }
    }
}
