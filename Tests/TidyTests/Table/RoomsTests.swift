import Testing

@Suite struct `The table of rooms` {
    @Test(arguments: Room.all.indices)
    func `lets a room import only rooms above it`(place: Int) {
        let above = Set(Room.all[..<place].map(\.name))
        let rooms = Room.all[place].imports.filter { $0.hasPrefix("Belay") }
        #expect(above.isSuperset(of: rooms))
    }

    @Test(arguments: ["BelayCore", "BelayWire"])
    func `keeps the pure rooms without any import`(name: String) {
        #expect(Room.named(name)?.imports == [])
    }
}
