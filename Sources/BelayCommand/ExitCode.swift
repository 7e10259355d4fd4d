/// What `belay` ends with: the whole contract, for scripts and pipelines.
enum ExitCode: Int32 {
    /// All scenarios passed; what was asked for was done.
    case passed = 0
    /// A scenario failed; or what was asked for cannot be done: a port is taken, a file cannot be
    /// written.
    case failed = 1
    /// The command line cannot be understood.
    case usage = 2
    /// No scenario failed, and one was inconclusive.
    case inconclusive = 3
    /// A bug of Belay's own.
    case internalError = 70
    /// Interrupted by SIGINT or SIGTERM before all was done.
    case interrupted = 130
}
