import Testing

@Suite struct `The rules of names` {
    @Test(arguments: [
        RuleCase("a manager", "Sources/A/A.swift", "\nstruct SocketManager {}", finds: [2]),
        RuleCase("a helper", "Sources/A/A.swift", "private enum ParsingHelper {}", finds: [1]),
        RuleCase("an implementation", "Sources/A/A.swift", "final class FrameImpl {}", finds: [1]),
        RuleCase("a possession", "Sources/A/A.swift", "actor MyClient {}", finds: [1]),
        RuleCase(
            "a handler of nothing", "Sources/A/A.swift", "typealias Handler = () -> Void",
            finds: [1]),
        RuleCase("a handler of events", "Sources/A/A.swift", "typealias EventHandler = () -> Void"),
        RuleCase("a word that begins like a banned one", "Sources/A/A.swift", "struct Myriad {}"),
        RuleCase("a use", "Sources/A/A.swift", "let files = FileManager.default"),
        RuleCase("a type's metatype", "Sources/A/A.swift", "a.protocol SocketManager"),
    ])
    func `find a type that is named for nothing`(example: RuleCase) {
        #expect(example.found(by: .typeNames) == example.lines)
    }

    @Test(arguments: [
        RuleCase("a drawer", "Sources/BelayCore/Utils/Time.swift", "", finds: [1]),
        RuleCase("a kind", "Sources/BelayCore/Protocols/Port.swift", "", finds: [1]),
        RuleCase("a file", "Sources/BelayCore/TimeUtils.swift", "", finds: [1]),
        RuleCase("a concern", "Sources/BelayCore/Heartbeat/Heartbeat.swift", ""),
    ])
    func `find a folder or file that is named for nothing`(example: RuleCase) {
        #expect(example.found(by: .folderNames) == example.lines)
    }
}
