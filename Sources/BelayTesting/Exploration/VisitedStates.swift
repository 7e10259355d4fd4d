/// The distinct states reached, in the order they were reached, and a table to find them in.
///
/// One open-addressed table of 64-bit slots (half a hash, half an index) beside one array: a
/// lookup of a known state costs one cache line of the table and one comparison.
struct VisitedStates<State: Hashable> {
    private var states: [State] = []
    /// 0 for an empty slot; else the upper half of the hash, and the index plus 1 below it.
    private var slots = [UInt64](repeating: 0, count: 1 << 10)

    var count: Int { states.count }

    subscript(index: Int) -> State { states[index] }

    /// Whether `state` is new; then it has the index `count - 1`.
    mutating func insert(_ state: State) -> Bool {
        if states.count * 2 >= slots.count { grow() }
        let hash = UInt64(truncatingIfNeeded: state.hashValue)
        let mark = hash & ~UInt64(UInt32.max)
        let mask = slots.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while slots[place] != 0 {
            let slot = slots[place]
            if slot & ~UInt64(UInt32.max) == mark,
                states[Int(UInt32(truncatingIfNeeded: slot)) - 1] == state
            {
                return false
            }
            place = (place + 1) & mask
        }
        states.append(state)
        slots[place] = mark | UInt64(states.count)
        return true
    }

    private mutating func grow() {
        slots = [UInt64](repeating: 0, count: slots.count * 2)
        let mask = slots.count - 1
        for (index, state) in states.enumerated() {
            let hash = UInt64(truncatingIfNeeded: state.hashValue)
            var place = Int(truncatingIfNeeded: hash) & mask
            while slots[place] != 0 { place = (place + 1) & mask }
            slots[place] = (hash & ~UInt64(UInt32.max)) | UInt64(index + 1)
        }
    }
}
