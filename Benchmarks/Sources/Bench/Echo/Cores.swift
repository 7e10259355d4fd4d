import Foundation

/// Which cores the server and its load run on: one each where there are two.
struct Cores {
    let server: Int
    let load: Int

    /// The first two that this process may use, as `taskset` counts them.
    static func available() -> Cores {
        let cores = (0..<ProcessInfo.processInfo.processorCount).filter(mayUse)
        return Cores(server: cores.first ?? 0, load: cores.dropFirst().first ?? cores.first ?? 0)
    }

    private static func mayUse(_ core: Int) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: taskset)
        process.arguments = ["-c", "\(core)", "true"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }  // No taskset, no servers.
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

/// What pins a program to a core; Linux has it.
let taskset = "/usr/bin/taskset"

/// A command line that runs on one core.
func pinned(_ command: [String], to core: Int) -> [String] {
    [taskset, "-c", "\(core)"] + command
}
