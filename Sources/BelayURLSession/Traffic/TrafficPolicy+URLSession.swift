#if canImport(Darwin) || BELAY_APPLE_STUBS
    public import BelayCore
    public import Foundation

    #if BELAY_APPLE_STUBS
        public import URLLoading
    #endif

    extension URLRequest {
        /// Lets the request use what `terms` allow: `TrafficPolicy.terms(for:)` of its kind.
        ///
        /// The system holds it to them, whatever any hint says. On a session that does not wait for
        /// connectivity it fails at once where it may not go: `Deferral(_:)` tells that from other
        /// failures. See `URLSessionConfiguration.apply(_:)`.
        public mutating func apply(_ terms: TrafficPolicy.Terms) {
            allowsExpensiveNetworkAccess = terms.allowsExpensive
            allowsConstrainedNetworkAccess = terms.allowsConstrained
        }
    }

    extension URLSessionConfiguration {
        /// Lets the session's requests use what `terms` allow, before the session is made.
        ///
        /// Where they do not allow everything, the session waits for connectivity as well: a task
        /// that may not go yet waits for a path that it may use, and is not dropped. How long is
        /// the session's `timeoutIntervalForResource`, a week unless it is set.
        public func apply(_ terms: TrafficPolicy.Terms) {
            allowsExpensiveNetworkAccess = terms.allowsExpensive
            allowsConstrainedNetworkAccess = terms.allowsConstrained
            if terms != TrafficPolicy.Terms() { waitsForConnectivity = true }
        }
    }

    extension Deferral {
        /// Why the system put a request off that failed with this; `nil` where it failed for
        /// another reason, cellular being switched off among them. Keep the operation, and show it.
        public init?(_ error: URLError) {
            switch error.networkUnavailableReason {
            case .expensive: self = .expensive
            case .constrained: self = .constrained
            case .cellular, nil: return nil
            @unknown default: return nil
            }
        }
    }
#endif
