import BelayCore
import Testing

@Suite struct `A round trip` {
    @Test func `begins with its first answer`() {
        let roundTrip = RoundTrip(generation: Generation(1), first: 40)
        #expect(roundTrip.last == 40)
        #expect(roundTrip.smoothed == 40)
    }

    @Test func `is smoothed by an eighth for each answer, and small changes are not lost`() {
        var roundTrip = RoundTrip(generation: Generation(1), first: 40)
        roundTrip.add(120)
        #expect(roundTrip.last == 120)
        #expect(roundTrip.smoothed == 50)
        for _ in 0..<100 { roundTrip.add(44) }
        #expect(roundTrip.smoothed == 44)
    }

    @Test(arguments: [Milliseconds.min, -1, .max])
    func `never traps on a clock's extremes`(_ sample: Milliseconds) {
        var roundTrip = RoundTrip(generation: Generation(1), first: sample)
        for _ in 0..<50 { roundTrip.add(sample) }
        #expect(roundTrip.smoothed >= 0)
    }
}
