import Foundation

/// A certificate that signs itself, made for one test: as a server's, and as what a client trusts.
struct Certificate {
    private let folder: URL

    var file: String { folder.appending(path: "certificate.pem").path }
    var keyFile: String { folder.appending(path: "key.pem").path }

    /// Makes one for a subject as OpenSSL writes it, such as `IP:127.0.0.1`, as long as `body`.
    static func make<Result>(
        for subject: String, _ body: (Certificate) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory
            .appending(component: "belay-interop-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let made = Certificate(folder: folder)
        try await Program.openssl.run([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=belay", "-addext", "subjectAltName=\(subject)",
            "-keyout", made.keyFile, "-out", made.file,
        ]) { _ in }
        return try await body(made)
    }
}
