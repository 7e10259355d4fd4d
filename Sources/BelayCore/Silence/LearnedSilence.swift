/// Learns from a server's pauses how long its silence may last before the connection is doubted.
///
/// Servers of event streams send a comment now and then, each at an interval of its own. Once
/// `samples` pauses in a row were alike, the limit is `multiple` times the longest pause heard,
/// between floor and ceiling; before, there is none.
///
/// It may learn wrongly: a busy server falls quiet at night. So a time-out doubles the limit, and
/// at the ceiling ends the judging. Regular pauses, as long as the limit expects, halve it again,
/// each time twice as many: a true time-out costs little, and false ones cannot go on.
///
/// It outlives connections, and forgets nothing: the server is the same.
public struct LearnedSilence: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// So many pauses in a row were alike; the longest of them.
        case learning(pause: Milliseconds, count: Int)
        /// The server beats; its longest pause.
        case learned(pause: Milliseconds, Doubt)
    }

    /// What time-outs say against the limit.
    private struct Doubt: Hashable, Sendable {
        /// Time-outs that nothing has explained: each doubles the limit.
        var doublings = 0
        /// Regular pauses since the last time-out, or since one was explained.
        var regular = 0
        /// Time-outs so far, at most 16: what explains one costs 2 to the power of this.
        var timeouts = 0
    }

    /// The numbers.
    public let policy: Policy
    private var state = State.learning(pause: 0, count: 0)

    /// Nothing learnt.
    public init(policy: Policy = Policy()) {
        self.policy = policy
    }

    /// The longest silence that proves nothing, in milliseconds; `Int64.max` where none proves
    /// anything: before enough was heard, and where it was wrong too often.
    public var limit: Milliseconds {
        switch state {
        case .learning:
            return .never
        case .learned(let pause, let doubt):
            let limit = limit(pause, doublings: doubt.doublings)
            guard doubt.doublings > 0 else { return limit }
            // The greatest was wrong already.
            let before = self.limit(pause, doublings: doubt.doublings - 1)
            return before == policy.ceiling ? .never : limit
        }
    }

    private func limit(_ pause: Milliseconds, doublings: Int) -> Milliseconds {
        let (product, overflow) = pause.multipliedReportingOverflow(by: policy.multiple)
        var limit = max(policy.floor, overflow ? policy.ceiling : product)
        for _ in 0..<doublings where limit < policy.ceiling {
            limit = limit > policy.ceiling / 2 ? policy.ceiling : limit * 2
        }
        return min(limit, policy.ceiling)
    }

    /// Bytes came, so long after those before them, or after the opening.
    public mutating func heard(after pause: Milliseconds) {
        guard pause >= policy.shortest else { return }
        switch state {
        case .learning(let longest, let count):
            learn(from: pause, longest: longest, count: count)
        case .learned(let longest, let doubt):
            // It was not judged, or this program slept: no measure of the server.
            guard pause <= policy.ceiling else { return }
            state =
                pause / 2 >= longest
                ? .learned(pause: pause, outgrown(doubt, by: pause, longest))
                : .learned(pause: max(pause, longest), explained(doubt, by: pause, longest))
        }
    }

    private mutating func learn(from pause: Milliseconds, longest: Milliseconds, count: Int) {
        guard pause <= policy.ceiling else {
            state = .learning(pause: 0, count: 0)
            return
        }
        let isAlike = count > 0 && pause / 2 <= longest && longest / 2 <= pause
        let row = isAlike ? count + 1 : 1
        let newest = isAlike ? max(pause, longest) : pause
        state =
            row < policy.samples
            ? .learning(pause: newest, count: row) : .learned(pause: newest, Doubt())
    }

    /// The server pauses twice as long as was known: time-outs were the limit's fault, which is
    /// mended, and never becomes less by it.
    private func outgrown(
        _ doubt: Doubt, by pause: Milliseconds, _ longest: Milliseconds
    ) -> Doubt {
        let before = limit(longest, doublings: doubt.doublings)
        var doubt = doubt
        while doubt.doublings > 0, limit(pause, doublings: doubt.doublings - 1) >= before {
            doubt.doublings -= 1
        }
        return doubt
    }

    /// Pauses that are long for this server, and no longer than it is known for, were seen again
    /// and again: the beat is as it was, and one time-out was the connection's fault.
    private func explained(
        _ doubt: Doubt, by pause: Milliseconds, _ longest: Milliseconds
    ) -> Doubt {
        guard doubt.doublings > 0, pause >= max(longest, policy.usual) / 2 else { return doubt }
        var doubt = doubt
        doubt.regular += 1
        if doubt.regular >= policy.samples << doubt.timeouts {
            doubt.regular = 0
            doubt.doublings -= 1
        }
        return doubt
    }

    /// A silence was as long as the limit, and its connection was given up.
    public mutating func timedOut() {
        guard case .learned(let pause, var doubt) = state, limit != .never else { return }
        doubt.doublings += 1
        doubt.timeouts = min(doubt.timeouts + 1, 16)
        doubt.regular = 0
        state = .learned(pause: pause, doubt)
    }
}
