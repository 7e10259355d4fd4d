import Foundation

/// CPU time of this process that `body` took, in seconds.
///
/// Not wall time: on a shared machine that measures the neighbours.
func cpuSeconds(_ body: () throws -> Void) rethrows -> Double {
    let start = processCPUSeconds()
    try body()
    return processCPUSeconds() - start
}

private func processCPUSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
