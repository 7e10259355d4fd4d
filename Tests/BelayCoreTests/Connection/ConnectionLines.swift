import BelayCore

extension ConnectionInput {
    /// The input as tables and counterexamples write it.
    var line: String {
        switch self {
        case .pingHandedOver(let id, let ping), .pong(let id, let ping):
            "\(name) \(id) #\(ping)"
        case .reconnectionTime(let id, let time):
            "\(name) \(id) \(time)"
        case .ended(let id, let cause, let retryAfter):
            "\(name) \(id) \(plain(cause))" + (retryAfter.map { ", after \($0)" } ?? "")
        case .pathHint(let path):
            "\(name) \(path)"
        default:
            "\(name)\(generation.map { " \($0)" } ?? "")"
        }
    }
}

extension ConnectionReaction {
    /// The reaction as tables and counterexamples write it: the verdict, then the orders.
    var line: String {
        var words = ["\(verdict)"]
        if let close { words.append("close \(close)") }
        if let ended { words.append("ended \(ended.generation) \(plain(ended.cause))") }
        if let open { words.append("open \(open)") }
        if let ping { words.append("ping \(ping.generation) #\(ping.number)") }
        if let roundTrip { words.append("round trip \(roundTrip)") }
        return words.joined(separator: ", ")
    }
}
