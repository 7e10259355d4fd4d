import CBaselines
import Foundation

/// What this process holds.
public struct Footprint: CustomStringConvertible, Sendable {
    /// Bytes that were allocated and not freed.
    public let heapBytes: Int
    /// Bytes of memory that the system counts as this process's.
    public let residentBytes: Int
    /// Open descriptors.
    public let descriptors: Int
    /// Threads.
    public let threads: Int

    /// What it holds at this moment.
    public static var now: Footprint {
        Footprint(
            heapBytes: Int(baseline_heap_bytes()), residentBytes: resident,
            descriptors: entries(of: "/proc/self/fd"), threads: entries(of: "/proc/self/task"))
    }

    /// One line.
    public var description: String {
        "\(heapBytes / 1024) KiB of \(residentBytes / 1024) KiB resident, "
            + "\(descriptors) descriptors, \(threads) threads"
    }

    /// What grew between the middle and the end of ten moments, the least of three moments each: a
    /// byte for each of `count` things is a leak, and what is just under way is none.
    ///
    /// Of descriptors that is both ends of a few connections, however many there were in all.
    public static func growth(of footprints: [Footprint], over count: Int) -> String? {
        func growth(_ held: (Footprint) -> Int) -> Int {
            let (middle, end) = (footprints.prefix(6).suffix(3), footprints.suffix(3))
            return (end.map(held).min() ?? 0) - (middle.map(held).min() ?? 0)
        }
        let (bytes, descriptors) = (growth(\.heapBytes), growth(\.descriptors))
        if growth(\.threads) > 0 { return "the threads grow" }
        if descriptors > descriptorsUnderWay { return "the descriptors grow by \(descriptors)" }
        if bytes > count { return "the heap grows by \(bytes) bytes" }
        // The allocator returns nothing at once: a MiB and a byte for each thing is its own.
        if growth(\.residentBytes) > count + 1 << 20 { return "the resident memory grows" }
        return nil
    }

    private static let descriptorsUnderWay = 8

    private static var resident: Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (fields.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
    }

    private static func entries(of folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }
}
