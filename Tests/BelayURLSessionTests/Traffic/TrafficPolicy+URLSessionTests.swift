#if BELAY_APPLE_STUBS
    import BelayCore
    import BelayURLSession
    import Foundation
    import Testing
    import URLLoading

    @Suite struct `A traffic policy, as URLSession is told of it` {
        // P10, P11
        @Test(arguments: [true, false], [true, false])
        func `gives each of its terms to the property of the same meaning`(
            _ allowsExpensive: Bool, _ allowsConstrained: Bool
        ) throws {
            let terms = TrafficPolicy.Terms(
                allowsExpensive: allowsExpensive, allowsConstrained: allowsConstrained)
            var request = URLRequest(url: try #require(URL(string: "https://a.example/")))
            request.apply(terms)
            #expect(request.allowsExpensiveNetworkAccess == allowsExpensive)
            #expect(request.allowsConstrainedNetworkAccess == allowsConstrained)
            let configuration = URLSessionConfiguration.ephemeral
            configuration.apply(terms)
            #expect(configuration.allowsExpensiveNetworkAccess == allowsExpensive)
            #expect(configuration.allowsConstrainedNetworkAccess == allowsConstrained)
            #expect(configuration.waitsForConnectivity == !(allowsExpensive && allowsConstrained))
        }

        // P11
        @Test func `lets what a person asked for use everything`() throws {
            var request = URLRequest(url: try #require(URL(string: "https://a.example/")))
            request.apply(TrafficPolicy().terms(for: .maintenance))
            #expect(!request.allowsExpensiveNetworkAccess)
            request.apply(TrafficPolicy().terms(for: .requested))
            #expect(request.allowsExpensiveNetworkAccess && request.allowsConstrainedNetworkAccess)
        }

        // P11
        @Test(
            arguments: [(0, nil), (1, .expensive), (2, .constrained), (7, nil), (nil, nil)]
                as [(Int?, Deferral?)])
        func `tells a request that was put off from one that failed`(
            _ reason: Int?, _ deferral: Deferral?
        ) {
            let error = URLError(
                .notConnectedToInternet,
                userInfo: reason.map { ["NSURLErrorNetworkUnavailableReasonKey": $0] } ?? [:])
            #expect(Deferral(error) == deferral)
        }
    }
#endif
