// swift-tools-version: 6.2
import PackageDescription

// The assertion scripts of the articles as they were printed, with only `import BelayCore` put in
// front. Scripts/check-articles builds and runs them: they end in silence, or trap.
let articles = ["ArticleHeartbeat", "ArticleNetworkHint"]

let package = Package(
    name: "Articles",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Belay", path: "../..")],
    targets: articles.map { article in
        .executableTarget(
            name: article,
            dependencies: [.product(name: "BelayCore", package: "Belay")]
        )
    }
)
