import BelayCore

/// Every deadline of a loop, by the millisecond; arming and disarming take constant time.
///
/// Eleven levels of 64 slots. A deadline stands on the level of the highest six-bit digit in which
/// it differs from the wheel's own moment, in the slot that this digit numbers. When the moment
/// comes to a slot its timers are due, or move to a lower level: at most ten times in a life.
/// So the lowest occupied level holds the earliest slot, and one bit map a level finds it.
struct TimerWheel {
    /// Names a timer from `add()` to `remove(_:)`; numbers are used again.
    struct ID: Hashable {
        let index: Int32
    }

    private struct Entry {
        var deadline: Milliseconds = .never
        var next: Int32 = none
        var previous: Int32 = none
        /// The list it stands in: a slot, `overdue`, `due`, or `nowhere`.
        var list: Int = nowhere
    }

    private static let none: Int32 = -1
    private static let bits = 6
    private static let slots = 64
    private static let levels = 11
    /// Armed at a moment that had passed: due on the next advance, so that a timer which arms
    /// itself in the past cannot hold up the turn it fires in.
    private static let overdue = levels * slots
    private static let due = overdue + 1
    private static let nowhere = -1

    private var entries: [Entry] = []
    private var unused: [Int32] = []
    /// The first timer of each list. Lists are circular: the first one's `previous` is the last.
    private var heads = [Int32](repeating: none, count: due + 1)
    private var occupied = [UInt64](repeating: 0, count: levels)
    /// The moment up to which timers were made due.
    private var moment: UInt64

    /// A wheel at `now`, which is not negative.
    init(now: Milliseconds) {
        moment = UInt64(now)
    }

    /// When `advance(to:)` next has something to do: never after the earliest deadline, and
    /// before it where a far deadline first has to move down a level.
    var nextDeadline: Milliseconds? {
        if heads[Self.overdue] != Self.none || heads[Self.due] != Self.none {
            return Milliseconds(moment)
        }
        return firstSlot().map { Milliseconds($0.start) }
    }

    /// A new timer, disarmed.
    mutating func add() -> ID {
        if let index = unused.popLast() { return ID(index: index) }
        entries.append(Entry())
        return ID(index: Int32(entries.count - 1))
    }

    /// Disarms and forgets a timer.
    mutating func remove(_ id: ID) {
        disarm(id)
        unused.append(id.index)
    }

    /// Arms, or arms anew. `never` disarms; a moment that has passed is due on the next advance.
    mutating func arm(_ id: ID, at deadline: Milliseconds) {
        disarm(id)
        guard deadline != .never else { return }
        entries[Int(id.index)].deadline = deadline
        place(id.index, whenReached: Self.overdue)
    }

    /// Takes back the deadline, also one that is due and not yet taken.
    mutating func disarm(_ id: ID) {
        guard entries[Int(id.index)].list != Self.nowhere else { return }
        unlink(id.index)
    }

    /// Makes due what is reached at `now`, in the order of deadlines.
    mutating func advance(to now: Milliseconds) {
        move(Self.overdue)
        while let slot = firstSlot(), slot.start <= UInt64(now) {
            moment = slot.start
            move(slot.list)
        }
        moment = max(moment, UInt64(now))
    }

    /// Takes the earliest due timer; it is disarmed by that.
    mutating func takeDue() -> ID? {
        let first = heads[Self.due]
        guard first != Self.none else { return nil }
        unlink(first)
        return ID(index: first)
    }

    private func firstSlot() -> (list: Int, start: UInt64)? {
        guard let level = occupied.firstIndex(where: { $0 != 0 }) else { return nil }
        let slot = occupied[level].trailingZeroBitCount
        let shift = level * Self.bits
        // A smart shift: on the highest level the digits above are all there is.
        let above = (moment >> (shift + Self.bits)) << (shift + Self.bits)
        return (level * Self.slots + slot, above | UInt64(slot) << shift)
    }

    private mutating func move(_ list: Int) {
        while heads[list] != Self.none {
            let index = heads[list]
            unlink(index)
            place(index, whenReached: Self.due)
        }
    }

    private mutating func place(_ index: Int32, whenReached reached: Int) {
        let deadline = entries[Int(index)].deadline
        guard deadline > 0, UInt64(deadline) > moment else { return link(index, into: reached) }
        let difference = UInt64(deadline) ^ moment
        let level = (UInt64.bitWidth - 1 - difference.leadingZeroBitCount) / Self.bits
        let slot = Int(UInt64(deadline) >> (level * Self.bits) & UInt64(Self.slots - 1))
        link(index, into: level * Self.slots + slot)
    }

    private mutating func link(_ index: Int32, into list: Int) {
        entries[Int(index)].list = list
        let first = heads[list]
        if first == Self.none {
            entries[Int(index)].next = index
            entries[Int(index)].previous = index
            heads[list] = index
            if list < Self.overdue { occupied[list / Self.slots] |= 1 << UInt64(list % Self.slots) }
        } else {
            let last = entries[Int(first)].previous
            entries[Int(index)].next = first
            entries[Int(index)].previous = last
            entries[Int(last)].next = index
            entries[Int(first)].previous = index
        }
    }

    private mutating func unlink(_ index: Int32) {
        let entry = entries[Int(index)]
        entries[Int(index)].list = Self.nowhere
        if entry.next == index {
            heads[entry.list] = Self.none
            if entry.list < Self.overdue {
                occupied[entry.list / Self.slots] &= ~(1 << UInt64(entry.list % Self.slots))
            }
        } else {
            entries[Int(entry.previous)].next = entry.next
            entries[Int(entry.next)].previous = entry.previous
            if heads[entry.list] == index { heads[entry.list] = entry.next }
        }
    }
}
