import BelayTransport

@testable import BelayTCP

extension DialSettings {
    /// Settings for a test that is not about the dial's deadline, which a busy machine must not
    /// come to.
    static func patient(tls: TLSPolicy = .standard, proxy: HTTPProxy? = nil) -> DialSettings {
        var settings = DialSettings(tls: tls, proxy: proxy)
        settings.timeout = 60_000
        return settings
    }
}
