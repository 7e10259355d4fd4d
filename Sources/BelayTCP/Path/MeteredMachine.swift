import BelayCore

/// Decides whose word on metering counts: that of the present owner of NetworkManager's name.
///
/// A word is worth nothing once its owner has left, and nothing without a bus that would tell of
/// it. Nobody waits for one: until it comes, the answer is unknown.
struct MeteredMachine: Hashable, Sendable {
    enum Input: Hashable, Sendable {
        /// The path was looked at: it may have changed, and so may what is there to ask.
        case looked
        /// The bus says who has NetworkManager's name, by its unique name; nil for nobody.
        case owned(by: String?)
        case said(Metered, by: String)
        /// What was said is so no longer, without what is.
        case withdrawn(by: String)
        /// No bus is there, or it takes no connection.
        case refused
        /// The bus broke off, or does not do what is asked of it.
        case failed
        /// The system cannot speak to a bus at all.
        case impossible
        case stopped
        case deadlineReached
    }

    enum Action: Hashable, Sendable {
        /// Connect, listen, and ask who has the name; `owned`, `refused`, `failed` or `impossible`
        /// follows.
        case open
        case ask(owner: String)
        case report(PathTrait)
        case close
    }

    enum State: Hashable, Sendable {
        /// No bus. The next look tries it: a timer would wake a server that has none for ever.
        case closed
        /// There was one, which hung or broke off. It is tried again then, or at the next look.
        case waiting(until: Milliseconds)
        /// Until then the bus has to let us in and to say who has the name.
        case opening(until: Milliseconds)
        /// Nobody has the name; the bus will tell who takes it.
        case unowned
        /// The owner was asked. It may take its time: nobody waits.
        case asked(owner: String)
        case told(Metered, owner: String)
        /// Stopped, or impossible.
        case ended
    }

    /// Within how many milliseconds a bus lets us in. It takes a few; seconds mean that it hangs,
    /// or that the machine is busier than a hint is worth.
    static let limit: Milliseconds = 5_000

    /// How often a bus that hung or broke off is tried again without a look, which may be far away
    /// on a steady network. Two tries get over a machine that boots, or a bus that is replaced.
    static let patience = 2
    /// After how many milliseconds each. By then a machine has booted; a cost may be late by that.
    static let pause: Milliseconds = 30_000

    private(set) var state = State.closed
    /// How often it was tried again since the last look or word.
    private(set) var retries = 0
    /// What was reported last.
    private(set) var reported = PathTrait.unknown

    /// When to call with `deadlineReached`; nil while nothing but news is awaited.
    var nextDeadline: Milliseconds? {
        switch state {
        case .waiting(let until), .opening(let until): until
        case .closed, .unowned, .asked, .told, .ended: nil
        }
    }

    /// Takes one input; the actions are to be carried out in their order.
    mutating func handle(_ input: Input, now: Milliseconds) -> [Action] {
        switch input {
        case .looked: looked(now: now)
        case .owned(let owner): owned(by: owner)
        case .said(let word, let owner): said(word, by: owner)
        case .withdrawn(let owner): withdrawn(by: owner)
        case .refused: close(.closed)
        case .failed: failed(now: now)
        case .impossible, .stopped: close(.ended)
        case .deadlineReached: deadlineReached(now: now)
        }
    }

    private mutating func looked(now: Milliseconds) -> [Action] {
        retries = 0
        switch state {
        case .closed, .waiting: return open(now: now)
        // The bus tells by itself what changes.
        case .opening, .unowned, .asked, .told: return []
        case .ended: return []
        }
    }

    private mutating func open(now: Milliseconds) -> [Action] {
        state = .opening(until: now.moved(by: Self.limit))
        return [.open]
    }

    private mutating func owned(by owner: String?) -> [Action] {
        switch state {
        case .opening, .unowned, .asked, .told: break
        case .closed, .waiting, .ended: return []  // A bus that was left.
        }
        guard let owner else { return move(to: .unowned) }
        guard owner != self.owner else { return [] }  // The signal and the answer say the same.
        return move(to: .asked(owner: owner)) + [.ask(owner: owner)]
    }

    /// The newest word of an owner counts: its answers and its signals come in its order.
    private mutating func said(_ word: Metered, by owner: String) -> [Action] {
        guard owner == self.owner else { return [] }  // An owner that left, or never was one.
        retries = 0
        return move(to: .told(word, owner: owner))
    }

    private mutating func withdrawn(by owner: String) -> [Action] {
        guard owner == self.owner else { return [] }  // As above.
        return move(to: .asked(owner: owner)) + [.ask(owner: owner)]
    }

    private mutating func deadlineReached(now: Milliseconds) -> [Action] {
        guard let nextDeadline, now >= nextDeadline else { return [] }  // Early, or disarmed.
        switch state {
        case .waiting:
            retries += 1
            return open(now: now)
        case .opening: return failed(now: now)
        case .closed, .unowned, .asked, .told, .ended: return []
        }
    }

    private mutating func failed(now: Milliseconds) -> [Action] {
        switch state {
        case .closed, .waiting, .ended: return []  // A bus that was left.
        case .opening, .unowned, .asked, .told:
            return close(
                retries < Self.patience ? .waiting(until: now.moved(by: Self.pause)) : .closed)
        }
    }

    private mutating func close(_ next: State) -> [Action] {
        switch state {
        case .closed, .waiting:
            state = next
            return []
        case .ended: return []
        case .opening, .unowned, .asked, .told:
            // Nobody hears of what comes after the end.
            guard next != .ended else {
                state = next
                return [.close]
            }
            return [.close] + move(to: next)
        }
    }

    /// Goes to `next`, and reports if it means something else.
    private mutating func move(to next: State) -> [Action] {
        state = next
        guard trait != reported else { return [] }
        reported = trait
        return [.report(trait)]
    }

    private var trait: PathTrait {
        switch state {
        case .told(let word, _): word.trait
        case .closed, .waiting, .opening, .unowned, .asked, .ended: .unknown
        }
    }

    private var owner: String? {
        switch state {
        case .asked(let owner), .told(_, let owner): owner
        case .closed, .waiting, .opening, .unowned, .ended: nil
        }
    }
}
