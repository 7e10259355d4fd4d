import BelayCore
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPURLResponse {
    /// The status as causes count it.
    var status: UInt16 { UInt16(clamping: statusCode) }

    /// The milliseconds for which the server asks to stay away; `nil` where it does not say.
    ///
    /// A date counts from the response's own `Date`: both are the server's clock, and ours may be
    /// wrong. Source: RFC 9110 §10.2.3.
    var retryDelay: Milliseconds? {
        guard let text = value(forHTTPHeaderField: "Retry-After") else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
            return Self.milliseconds(Int64(text) ?? .max)
        }
        guard let until = Self.seconds(of: text),
            let now = value(forHTTPHeaderField: "Date").flatMap(Self.seconds)
        else { return nil }
        return Self.milliseconds(max(0, until - now))
    }

    private static func milliseconds(_ seconds: Int64) -> Milliseconds {
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        return overflow ? .max : milliseconds
    }

    /// The seconds of an IMF-fixdate, as `Sun, 06 Nov 1994 08:49:37 GMT`. Source: RFC 9110 §5.6.7.
    private static func seconds(of date: String) -> Int64? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.date(from: date).map { Int64($0.timeIntervalSince1970) }
    }
}
