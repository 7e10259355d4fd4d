import BelayCore

/// The events that the endpoint has to tell: numbered from 1, the number being the id.
struct NumberedEvents {
    /// The three of the seed's fixture.
    static let fixture = NumberedEvents(
        texts: ["queued", "building", "finished"].map { Array($0.utf8) }, count: 3)

    /// How many there are; the last id.
    let count: Int
    /// Milliseconds from one to the next.
    var interval: Milliseconds = 0
    /// The data of each, or one text for all of them.
    private let texts: [[UInt8]]

    private init(texts: [[UInt8]], count: Int) {
        self.texts = texts
        self.count = count
    }

    /// Events of one size, for volume.
    init(count: Int, dataBytes: Int) {
        let letters = (0..<dataBytes).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        self.init(texts: [letters], count: count)
    }

    /// Where an event can be cut, in bytes from its start.
    struct Marks {
        var afterID: Int
        var insideData: Int
        var blankLine: Int
    }

    /// Appends the event with this id, as `id: 1\ndata: queued\n\n`.
    @discardableResult
    func append(_ id: Int, to bytes: inout [UInt8]) -> Marks {
        let start = bytes.count
        let text = texts.count == 1 ? texts[0] : texts[id - 1]
        bytes.append(contentsOf: "id: ".utf8)
        Self.append(id, to: &bytes)
        bytes.append(0x0A)
        let afterID = bytes.count - start
        bytes.append(contentsOf: "data: ".utf8)
        let insideData = bytes.count - start + text.count / 2
        bytes.append(contentsOf: text)
        bytes.append(0x0A)
        let blankLine = bytes.count - start
        bytes.append(0x0A)
        return Marks(afterID: afterID, insideData: insideData, blankLine: blankLine)
    }

    /// Decimal digits without a `String` for each.
    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        let start = bytes.count
        var rest = number
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }
}
