/// How long the present connection may be silent: as stated, or as its server taught.
struct Silence: Hashable, Sendable {
    private enum Rule: Hashable, Sendable {
        case stated(Milliseconds)
        case learned(LearnedSilence)
    }

    private var rule: Rule
    /// Since when nothing was heard; only where it is learnt.
    private var since: Milliseconds?

    init(_ policy: SilencePolicy) {
        switch policy {
        case .unlimited: rule = .stated(.never)
        case .after(let length): rule = .stated(length)
        case .learned(let numbers): rule = .learned(LearnedSilence(policy: numbers))
        }
    }

    /// The longest silence that proves nothing; `never` for none.
    var limit: Milliseconds {
        switch rule {
        case .stated(let length): length
        case .learned(let learned): learned.limit
        }
    }

    /// From here on nothing was heard: it opened, or is judged again.
    mutating func begins(now: Milliseconds) {
        guard case .learned = rule else { return }
        since = now
    }

    /// Bytes came, while it was judged.
    mutating func isBroken(now: Milliseconds) {
        guard case .learned(var learned) = rule, let since else { return }
        learned.heard(after: now.elapsed(since: since))
        rule = .learned(learned)
        self.since = now
    }

    /// The connection was given up for its silence. One that was shorter than the limit, after a
    /// return to the foreground, says nothing of the limit.
    mutating func timedOut(now: Milliseconds) {
        guard case .learned(var learned) = rule, let since,
            since.moved(by: learned.limit).isReached(at: now)
        else { return }
        learned.timedOut()
        rule = .learned(learned)
    }
}
