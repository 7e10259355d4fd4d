import Testing

@Suite struct `The rule of imports` {
    @Test(arguments: [
        RuleCase("a room above", "Sources/BelayTCP/A.swift", "import BelayCore\nimport Glibc"),
        RuleCase("a room below", "Sources/BelayCore/A.swift", "import Belay", finds: [1]),
        RuleCase(
            "any import in Wire", "Sources/BelayWire/A.swift", "import Foundation", finds: [1]),
        RuleCase(
            "an access word", "Sources/BelayWire/A.swift", "\npublic import Belay", finds: [2]),
        RuleCase("an attribute", "Sources/Belay/A.swift", "@testable import Darwin", finds: [1]),
        RuleCase("one declaration", "Sources/Belay/A.swift", "import struct Network.A", finds: [1]),
        RuleCase("an import in a comment", "Sources/BelayCore/A.swift", "// import Belay"),
        RuleCase("an import in a string", "Sources/BelayCore/A.swift", "let a = \"import Belay\""),
        RuleCase(
            "an adapter in its file", "Sources/Belay/DefaultTransport.swift", "import BelayTCP"),
        RuleCase("an adapter elsewhere", "Sources/Belay/A.swift", "import BelayTCP", finds: [1]),
        RuleCase("a room nobody knows", "Sources/BelayCloud/A.swift", "let a = 1", finds: [1]),
        RuleCase("a C target", "Sources/CLinux/A.h", "#include <sys/epoll.h>"),
        RuleCase("the exports", "Sources/Belay/Exports.swift", "@_exported import BelayCore"),
        RuleCase("an export", "Sources/Belay/A.swift", "@_exported import BelayCore", finds: [1]),
        RuleCase("a test's room", "Tests/BelayTCPTests/A.swift", "import BelayTCP\nimport Glibc"),
        RuleCase("a test's reach", "Tests/BelayFaultsTests/A.swift", "import BelayTransport"),
        RuleCase("beyond reach", "Tests/BelayCoreTests/A.swift", "import BelayWire", finds: [1]),
        RuleCase("zlib in a fuzzer", "Fuzz/Targets/A.swift", "import CZlib\nimport Glibc"),
        RuleCase("TLS in a fuzzer", "Fuzz/A.swift", "import COpenSSL", finds: [1]),
        RuleCase("a baseline in C", "Benchmarks/Sources/Bench/A.swift", "import CBaselines"),
        RuleCase("a footprint", "Benchmarks/Sources/Events/A.swift", "import Footprint"),
        RuleCase("a baseline in a room", "Sources/Belay/A.swift", "import CBaselines", finds: [1]),
        RuleCase("a suite of all rooms", "Tests/BelaySimulationTests/A.swift", "import BelayTCP"),
    ])
    func `finds what the table does not list`(example: RuleCase) {
        #expect(example.found(by: .imports) == example.lines)
    }
}
