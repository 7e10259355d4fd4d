/// One input of the fuzzer: a byte of settings, how to cut, and the bytes to parse.
///
/// The cuts are a count (0 to 15) and so many sizes of chunks, used in turn; size 0 is an empty
/// chunk. They stand in front, so that the fuzzer learns them as it learns everything else.
struct FuzzInput {
    let settings: UInt8
    let bytes: [UInt8]
    private let sizes: [Int]

    /// The input as the fuzzer made it; what is missing of it counts as 0.
    init(_ input: [UInt8]) {
        settings = input.first ?? 0
        let count = Int((input.count > 1 ? input[1] : 0) & 15)
        let behind = min(2 + count, input.count)
        sizes = input.dropFirst(2).prefix(count).map { Int($0) }
        bytes = Array(input[behind...])
    }

    /// The input that reads as these parts: how seeds are made.
    static func seed(
        _ bytes: [UInt8], settings: UInt8 = 0, cutBy sizes: [UInt8] = [3, 1]
    ) -> [UInt8] {
        [settings, UInt8(sizes.count)] + sizes + bytes
    }

    /// The same of a text.
    static func seed(
        _ text: String, settings: UInt8 = 0, cutBy sizes: [UInt8] = [3, 1]
    ) -> [UInt8] {
        seed(Array(text.utf8), settings: settings, cutBy: sizes)
    }

    /// Whether the bit is set in the settings.
    func isSet(_ bit: UInt8) -> Bool { settings & bit != 0 }

    /// A choice that two bits of the settings make.
    func choice<Value>(_ shift: UInt8, _ values: (Value, Value, Value, Value)) -> Value {
        switch settings >> shift & 3 {
        case 0: values.0
        case 1: values.1
        case 2: values.2
        default: values.3
        }
    }

    /// The ways to cut these bytes that must all give the same outcome as one chunk.
    var chunkings: [[[UInt8]]] { [cut, bytes.map { [$0] }] }

    private var cut: [[UInt8]] {
        guard sizes.contains(where: { $0 > 0 }) else { return [[], bytes, []] }
        var chunks: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let end = min(start + sizes[chunks.count % sizes.count], bytes.count)
            chunks.append(Array(bytes[start..<end]))
            start = end
        }
        return chunks
    }
}
