#if os(Linux)
    import BelayCore
    import BelayWire

    /// The content of a response, taken out of its framing and its coding.
    struct EventStreamBody {
        /// Inflated bytes that one report has at most; what is not compressed is as it came.
        static let step = 64 << 10

        /// What says where the content ends.
        enum Framing: Hashable {
            /// The bytes of the body themselves.
            case http1(HTTPBodyFraming)
            /// Frames that libcurl has taken off: its word counts.
            case http2
        }

        private var decoder: HTTPBodyDecoder
        private let framing: Framing
        private let gunzip: Gunzip?
        private var content: [UInt8] = []
        private var fault: CloseCause?

        init(_ framing: Framing, isCompressed: Bool) {
            self.framing = framing
            decoder =
                switch framing {
                case .http1(let framing): HTTPBodyDecoder(framing)
                case .http2: HTTPBodyDecoder(.untilClose)
                }
            gunzip = isCompressed ? Gunzip() : nil
        }

        /// Adds what came. Nothing counts behind a fault, or behind the body's end.
        mutating func append(_ bytes: [UInt8]) {
            guard fault == nil, !decoder.isComplete else { return }
            do {
                _ = try decoder.append(bytes, into: &content)
            } catch {
                fault = Self.cause(of: error)
            }
            guard let gunzip else { return }
            gunzip.append(content)
            content = []
        }

        /// The next bytes of the content; none where more has to come first.
        mutating func next() -> [UInt8] {
            guard let gunzip else {
                defer { content = [] }
                return content
            }
            do {
                return try gunzip.next(atMost: Self.step)
            } catch {
                fault = .peerViolatedProtocol(code: CloseCode.protocolError.rawValue)
                return []
            }
        }

        /// Whether `next` may give something. Malformed content gives nothing more.
        var hasMore: Bool { gunzip.map { $0.hasMore && fault == nil } ?? !content.isEmpty }

        /// The end that follows the content, where its own bytes say so.
        var end: CloseCause? {
            if let fault { return fault }
            return decoder.isComplete ? finished : nil
        }

        /// The end that follows, where the transfer's end is `end`.
        func end(by end: CurlEnd) -> CloseCause {
            if let fault { return fault }
            let close: CurlEnd.Close =
                if framing == .http2 { .isTold } else { decoder.isCutByClose ? .cuts : .ends }
            let cause = end.causeInBody(where: close)
            return cause == .peerFinished ? finished : cause
        }

        /// All came that the framing promised; the coding may have promised more.
        private var finished: CloseCause {
            gunzip.map { $0.isComplete } ?? true ? .peerFinished : .truncated
        }

        private static func cause(of error: ChunkedError) -> CloseCause {
            switch error.fault {
            case .overheadTooLong: .limitExceeded
            case .malformedSize, .sizeTooLarge, .malformedLineEnd:
                .peerViolatedProtocol(code: CloseCode.protocolError.rawValue)
            }
        }
    }
#endif
