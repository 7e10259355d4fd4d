import Testing

@Suite struct `The rule of hints` {
    private static let source = "Sources/Belay/A.swift"

    // P3, P11
    @Test(arguments: [
        RuleCase(
            "a question with a truth value", source,
            "extension A {\n  public func mayRequest(on hint: NetworkHint) -> Bool { true }\n}",
            finds: [2]),
        RuleCase(
            "a question to the path itself", source,
            "extension NetworkPath {\n  public var isOnline: Bool {\n    true\n  }\n}", finds: [2]),
        RuleCase(
            "a stored answer of a hint", "Sources/BelayCore/A.swift",
            "public struct PathUpdate {\n  public var isUsable = false\n  public let ok: Bool?\n}",
            finds: [2, 3]),
        RuleCase(
            "an answer that is awaited", source,
            "extension NetworkPath {\n  public func ready() async -> Bool { true }\n}", finds: [2]),
        RuleCase(
            "answers in a row", source,
            "extension NetworkPath {\n  public var onlines: LatestValues<Bool> { a }\n}",
            finds: [2]),
        RuleCase(
            "a permission by its name", source,
            "public func ask(_ state: PathState, for a: A) -> SendPermission { .yes }", finds: [1]),
        RuleCase(
            "one that is made of a hint", source,
            "extension Allowance {\n  public init(_ hint: NetworkHint) {}\n}", finds: [2]),
        RuleCase(
            "a request that a hint can keep from being made", source,
            "extension WebSocketRequest {\n  public init?(_ a: A, on state: PathState) {}\n}",
            finds: [2]),
        RuleCase(
            "an error by a hint", source,
            "public func connect(on path: NetworkPath) async throws(BelayError) -> A { a }",
            finds: [1]),
        RuleCase(
            "a result that may be missing", source,
            "public func request(for banner: Banner) -> URLRequest? { nil }", finds: [1]),
        RuleCase(
            "a closure that is asked", source,
            "public struct A {\n  public init(if a: @Sendable (NetworkHint) -> Bool) {}\n"
                + "  public var gate: (PathState) async -> Bool\n}", finds: [2, 3]),
        RuleCase(
            "a closure that throws", source,
            "public func a(_ check: (NetworkHint) throws -> Void) {}", finds: [1]),
        RuleCase(
            "a requirement of a public protocol", source,
            "public protocol A {\n  func mayGo(_ state: PathState) -> Bool\n  func b()\n}",
            finds: [2]),
        RuleCase(
            "a public extension", source,
            "public extension NetworkHint {\n  var allows: Bool { true }\n}", finds: [2]),
        RuleCase(
            "a setter of its own", source,
            "public class NetworkPath {\n  public private(set) var isUp: Bool = true\n}",
            finds: [2]),
        RuleCase(
            "equality", source,
            "extension NetworkHint {\n  public static func == (a: NetworkHint, b: NetworkHint) -> "
                + "Bool { true }\n}"),
        RuleCase(
            "what the articles name", source,
            "extension NetworkHint {\n  public var expensive: Bool { newest.cost == .yes }\n}"),
        RuleCase(
            "news without an answer", source,
            "public protocol PathHintReceiver: AnyObject {\n"
                + "  func pathChanged(_ state: PathState)\n  func b(_ a: Int) -> Bool\n}",
            finds: [3]),
        RuleCase(
            "a state, a reason and a text", source,
            "extension NetworkHint {\n  public var state: PathState { newest.state }\n"
                + "  public var reason: PathReason? { newest.reason }\n}"),
        RuleCase(
            "a banner of a hint and a truth value", source,
            "extension Banner {\n  public init(path: PathState, isTrue: Bool = false) {}\n}"),
        RuleCase(
            "a path that is made of what may be none", source,
            "extension NetworkPath {\n  public convenience init?(towards address: String) {}\n}"),
        RuleCase(
            "work that a hint begins", source,
            "public struct A {\n  public func b(_ hint: NetworkHint) -> [Operation] { [] }\n}"),
        RuleCase(
            "a body", source,
            "extension A {\n  public func b() -> Int {\n    let d: (PathState) -> Bool = e\n"
                + "    func f(_ g: PathState) -> Bool { d(g) }\n    return c\n  }\n}"),
        RuleCase(
            "what only its module sees", source,
            "struct A {\n  private func isAnother(_ a: PathUpdate) -> Bool { true }\n}"),
        RuleCase(
            "a cost, which may put work off", "Sources/BelayCore/A.swift",
            "public struct A {\n  public func b(on cost: PathCost) -> Deferral? { nil }\n}"),
        RuleCase(
            "a test", "Tests/BelayTests/A.swift",
            "public func mayRequest(on hint: NetworkHint) -> Bool { true }"),
    ])
    func `finds a public call that takes a hint and answers with permission`(example: RuleCase) {
        #expect(example.found(by: .hintsForbidNothing) == example.lines)
    }

    // P3
    @Test func `sees the calls that there are, and needs each of its exceptions`() throws {
        let files = try Tree.checkout().files.filter { $0.room != nil && $0.isSwift }
        let declarations = files.flatMap { SwiftDeclaration.all(in: $0.tokens) }
            .filter(\.isPublic)
        let paths = Set(declarations.map(\.path))
        for path in [
            "NetworkHint.accept", "NetworkHint.state", "NetworkPath.hints", "NetworkPath.inform",
            "PathHintReceiver.pathChanged", "Banner.init", "DeferredWork.hintChanged",
            "WebSocketConnection.pathChanged",
        ] {
            #expect(paths.contains(path), "the scanner does not see \(path)")
        }
        let answering = Set(declarations.filter { $0.permissionByHint != nil }.map(\.path))
        #expect(answering == Set(HintAnswers.allowed.keys))
    }
}
