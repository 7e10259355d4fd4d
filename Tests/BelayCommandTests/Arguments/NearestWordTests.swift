import Testing

@testable import BelayCommand

@Suite struct `The nearest word` {
    @Test(arguments: [
        ("verfy", "verify"), ("srve", "serve"), ("VERIFY", "verify"), ("helpp", "help"),
    ])
    func `is what was meant`(word: String, meant: String) {
        #expect(NearestWord.of(word, among: ["verify", "serve", "help"]) == meant)
    }

    @Test(arguments: [("ver", "verify"), ("erv", "serve"), ("HEL", "help")])
    func `is the one that was cut short`(word: String, meant: String) {
        #expect(NearestWord.of(word, among: ["verify-all", "verify", "serve", "help"]) == meant)
    }

    @Test(arguments: ["", "x", "proxying", "judge"])
    func `is not guessed where nothing is near`(word: String) {
        #expect(NearestWord.of(word, among: ["verify", "serve", "help"]) == nil)
    }

    @Test(arguments: [("", "abc", 3), ("abc", "abc", 0), ("kitten", "sitting", 3), ("ab", "ba", 2)])
    func `counts letters put in, left out and changed`(a: String, b: String, distance: Int) {
        #expect(NearestWord.distance(a, b) == distance)
        #expect(NearestWord.distance(b, a) == distance)
    }
}
