extension PermessageDeflate {
    /// What one side wants of compression: for its memory, its processor and the network.
    public struct Policy: Hashable, Sendable {
        /// How this side compresses. Default a window of 12 bits, kept.
        ///
        /// 12 bits cost 32 KiB while a connection compresses, 15 would cost 256 KiB, and messages
        /// of an app are alike within 4 KiB.
        public var own: Sender

        /// What this side is ready to inflate. Default a window of 15 bits, kept: 39 KiB.
        ///
        /// A shorter one must be asked for, and a server that cannot do it then compresses
        /// nothing.
        public var peer: Sender

        /// The shortest message that is compressed, in bytes. Default 64, at least 1.
        ///
        /// Below that, the headers of the packet are most of what is sent.
        public var shortestMessage: Int

        /// What a client wants: to save what its radio sends and receives.
        public static let client = Policy()

        /// What a server wants: as a client, and 12 bits each way, 43 KiB for a busy connection.
        public static let server = Policy(peer: Sender(windowBits: 12))

        /// A policy; a value outside its range is a bug of the caller and traps.
        public init(
            own: Sender = Sender(windowBits: 12), peer: Sender = Sender(),
            shortestMessage: Int = 64
        ) {
            for sender in [own, peer] {
                precondition(
                    PermessageDeflate.windowRange.contains(sender.windowBits),
                    "windowBits outside PermessageDeflate.windowRange")
            }
            precondition(shortestMessage >= 1, "shortestMessage must be 1 or more")
            self.own = own
            self.peer = peer
            self.shortestMessage = shortestMessage
        }

        /// What a client offers.
        ///
        /// Its own window is left to the server without a value, as browsers do: what every
        /// server understands.
        public var offer: Parameters {
            let isLongest = peer.windowBits == PermessageDeflate.longestWindow
            return Parameters(
                serverTakeover: peer.takeover, clientTakeover: own.takeover,
                serverWindowBits: isLongest ? nil : peer.windowBits, clientWindow: .any)
        }

        /// What a server answers: the first offer that it can keep, nil if there is none.
        ///
        /// An offer at fault is passed over (RFC 7692 §7.1).
        /// - Parameter extensions: Every extension that the client offered.
        public func answer(
            to extensions: [WebSocketExtension]
        ) -> (answer: Parameters, agreement: PermessageDeflate)? {
            for member in PermessageDeflate.members(of: extensions) {
                guard let offer = try? Parameters(member) else { continue }
                return answer(to: offer)
            }
            return nil
        }

        private func answer(to offer: Parameters) -> (Parameters, PermessageDeflate) {
            var answer = Parameters()
            var agreement = PermessageDeflate(server: own)
            if own.takeover == .none || offer.serverTakeover == .none {
                answer.serverTakeover = .none
                agreement.server.takeover = .none
            }
            if let bits = offer.serverWindowBits {
                agreement.server.windowBits = min(bits, own.windowBits)
                answer.serverWindowBits = agreement.server.windowBits
            }
            if peer.takeover == .none || offer.clientTakeover == .none {
                answer.clientTakeover = .none
                agreement.client.takeover = .none
            }
            switch offer.clientWindow {
            case .unnamed: break
            case .any:
                agreement.client.windowBits = peer.windowBits
            case .atMost(let bits):
                agreement.client.windowBits = min(bits, peer.windowBits)
            }
            if agreement.client.windowBits < PermessageDeflate.longestWindow {
                answer.clientWindow = .atMost(agreement.client.windowBits)
            }
            return (answer, agreement)
        }
    }
}
