/// Notices that a peer ends connections at the same age: a balancer's lifetime, which no ping
/// extends. Three in a row within 5 % of each other's middle make a suspicion.
struct LifetimeSuspicion: Hashable, Sendable {
    /// The age to stay below, in milliseconds; `nil` while nothing is suspected.
    private(set) var limit: Milliseconds?
    /// The newest like ages, at most two.
    private var ages: [Milliseconds] = []

    /// A generation ended: the limit that is suspected by it for the first time.
    ///
    /// What we end ourselves tells nothing of the peer. Ages below `floor` are a flapping server's.
    mutating func ended(
        _ facts: CloseFacts, floor: Milliseconds
    ) -> Milliseconds? {
        guard limit == nil, facts.began == .peer, let age = facts.age, age >= floor else {
            return nil
        }
        let row = ages + [age]
        guard let least = row.min(), let greatest = row.max(),
            greatest - least <= least / 20 + greatest / 20
        else {
            ages = [age]
            return nil
        }
        guard row.count == 3 else {
            ages = row
            return nil
        }
        ages = []
        limit = least
        return limit
    }

    /// The age at which to be replaced: a tenth ahead of the limit.
    var rotationAge: Milliseconds {
        limit.map { $0 - $0 / 10 } ?? .never
    }
}
