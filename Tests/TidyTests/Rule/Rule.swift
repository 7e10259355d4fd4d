/// A rule about single files: pure, so that a test can show that it can fail.
struct FileRule: Sendable {
    let check: @Sendable (SourceFile) -> [Finding]

    static let all: [FileRule] = [
        .imports, .purity, .conditionals, .fileLength, .lineLength, .functionLength, .typeNames,
        .folderNames, .leftovers, .spellings, .locks, .tasks, .exhaustiveMachines,
        .hintsForbidNothing,
    ]
}

/// A rule about how files stand to each other.
struct TreeRule: Sendable {
    let check: @Sendable ([SourceFile]) -> [Finding]

    static let all: [TreeRule] = [
        .mirror, .proofOfMachines, .caseClashes, .exceptionsInUse,
    ]
}
