import CBaselines
import Foundation

/// What this process holds.
struct Footprint: CustomStringConvertible {
    let heapBytes: Int
    let descriptors: Int
    let threads: Int

    static var now: Footprint {
        Footprint(
            heapBytes: Int(baseline_heap_bytes()), descriptors: entries(of: "/proc/self/fd"),
            threads: entries(of: "/proc/self/task"))
    }

    var description: String {
        "\(heapBytes / 1024) KiB, \(descriptors) descriptors, \(threads) threads"
    }

    private static func entries(of folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }
}
