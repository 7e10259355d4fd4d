package import BelayCore

/// Why a request is refused before any peer is asked: a part of it can never be sent.
///
/// `Belay` asks before each attempt, whichever transport there is, and ends it for good with
/// `CloseCause.requestInvalid`. What cannot be built in the first place, such as a field whose
/// value would end its line, is refused there: `RequestField`, `RequestMethod`, `ConnectionURL`.
package struct UnsendableRequest: Error, Hashable {
    /// The first part that cannot be sent.
    package let part: RequestPart

    /// A refusal for this part.
    package init(_ part: RequestPart) {
        self.part = part
    }
}

extension EventStreamRequest {
    /// Throws where no transport could send it.
    package func check() throws(UnsendableRequest) {
        switch url.scheme {
        case .http, .https: break
        case .ws, .wss: throw UnsendableRequest(.url)
        }
        guard lastEventID.flatMap({ EventID($0) })?.canBeAskedFor ?? true else {
            throw UnsendableRequest(.lastEventID)
        }
    }
}

extension WebSocketRequest {
    /// Throws where no transport could send it.
    package func check() throws(UnsendableRequest) {
        switch url.scheme {
        case .ws, .wss: break
        case .http, .https: throw UnsendableRequest(.url)
        }
        // As bytes: a token is ASCII, and a String compares canonical equivalents as equal.
        let names = subprotocols.map { Array($0.utf8) }
        guard names.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isTokenByte) }),
            Set(names).count == names.count
        else { throw UnsendableRequest(.subprotocol) }
    }
}
