import Glibc

/// A parser under test, with the oracle that says what is right for any bytes.
protocol FuzzTarget: SendableMetatype {
    /// The name on the command line and in front of each finding.
    static var name: String { get }

    /// Valid inputs to begin from, made by Belay's own writers or from the vectors of its tests.
    static var seeds: [[UInt8]] { get }

    /// Judges one input; what is wrong goes to `finding`, which does not return.
    static func judge(_ input: [UInt8])
}

/// Every target, in the order in which they run.
let allTargets: [any FuzzTarget.Type] = [
    FramesTarget.self, HandshakeTarget.self, DeflateTarget.self, EventStreamTarget.self,
    ChunkedTarget.self, NetlinkTarget.self,
]

/// Ends the process with the reason; libFuzzer writes the input to a file.
func finding(_ reason: String) -> Never {
    // Cut: an outcome may be as long as the input allows.
    say("FINDING: \(reason.prefix(1500))")
    abort()
}

/// A line on the error output, which goes out before the process ends.
func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

/// Two ways that must agree.
func agree<Outcome: Equatable>(_ left: Outcome, _ right: Outcome, _ rule: String) {
    guard left != right else { return }
    finding("\(rule): \(left) is not \(right)")
}

/// A fact that must hold.
func hold(_ fact: Bool, _ rule: @autoclosure () -> String) {
    guard !fact else { return }
    finding(rule())
}
