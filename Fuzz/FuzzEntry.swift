import Glibc

/// What libFuzzer calls with one input after another, in the process of one target.
///
/// The target's name comes from the environment: one program, built once, serves all of them.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    chosenTarget.judge(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// What libFuzzer calls first. With a folder in the environment, the program only writes the seeds
/// of its target there and ends.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<Int32>, _ arguments: UnsafeMutableRawPointer
) -> Int32 {
    guard let folder = environment("BELAY_FUZZ_SEEDS") else { return 0 }
    for (number, seed) in chosenTarget.seeds.enumerated() {
        save(seed, as: "\(folder)/seed-\(number)")
    }
    exit(0)
}

private let chosenTarget: any FuzzTarget.Type = {
    let name = environment("BELAY_FUZZ_TARGET") ?? ""
    guard let target = allTargets.first(where: { $0.name == name }) else {
        stop("there is no target \(name)")
    }
    return target
}()

private func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}

private func save(_ bytes: [UInt8], as path: String) {
    guard let file = fopen(path, "wb") else { stop("cannot write \(path)") }
    // An empty seed is an empty file.
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count, fclose(file) == 0 else {
        stop("cannot write \(path)")
    }
}

private func stop(_ message: String) -> Never {
    say("error: \(message)")
    exit(2)
}
