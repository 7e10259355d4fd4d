import BelayCore

/// The entries of a record in as few bytes as they take: what an endpoint keeps until somebody
/// asks.
///
/// Three entries are left by a connection that then says nothing. As values they take 200 bytes,
/// as much as what serves it; here they take twelve. An entry is how far its moment and its
/// connection are from those of the entry before, its case, and the numbers of that.
struct EntryLog {
    /// Goes through the entries from the first, and on when more were appended.
    struct Reader {
        fileprivate var place = 0
        fileprivate var previous = Coordinates()
    }

    fileprivate struct Coordinates {
        var at: Milliseconds = 0
        var connection = 0
    }

    /// How many entries it holds.
    private(set) var count = 0
    private var bytes: [UInt8] = []
    private var newest = Coordinates()
    /// Each request once: most clients ask for the same.
    private var requests: [RequestSummary] = []
    private var requestPlaces: [RequestSummary: Int] = [:]

    /// Appends an entry. Moments and connections may go back.
    mutating func append(_ entry: EndpointEntry) {
        append(Int(entry.at - newest.at))
        append(entry.connection - newest.connection)
        encode(entry.event)
        newest = Coordinates(at: entry.at, connection: entry.connection)
        count += 1
    }

    /// The next entry, or `nil` behind the last.
    func next(_ reader: inout Reader) -> EndpointEntry? {
        guard reader.place < bytes.count else { return nil }
        reader.previous.at += Milliseconds(number(at: &reader.place))
        reader.previous.connection += number(at: &reader.place)
        let event = event(at: &reader.place)
        return EndpointEntry(
            at: reader.previous.at, connection: reader.previous.connection, event)
    }

    // MARK: Numbers

    /// Seven bits a byte, the lowest first; the sign stands in the lowest bit of all.
    private mutating func append(_ number: Int) {
        var rest = UInt(bitPattern: number << 1 ^ number >> (Int.bitWidth - 1))
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private func number(at place: inout Int) -> Int {
        var folded: UInt = 0
        var shift: UInt = 0
        while true {
            let byte = bytes[place]
            place += 1
            folded |= UInt(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { break }
        }
        return Int(bitPattern: folded >> 1) ^ -Int(folded & 1)
    }

    // MARK: Events

    private enum Code: UInt8 {
        case accepted, overLimit, request, bodyReceived, requestRefused, response, eventSent
        case pingReceived, pongSent, pongReceived, messageReceived, messageSent
        case closeReceived, closeSent, violation, faultStruck
        case finReceived, resetReceived, finSent, resetSent, ended
    }

    private mutating func encode(_ event: EndpointEntry.Event) {
        switch event {
        case .accepted: begin(.accepted)
        case .overLimit: begin(.overLimit)
        case .request(let summary): begin(.request, place(of: summary))
        case .bodyReceived(let byteCount): begin(.bodyReceived, byteCount)
        case .requestRefused(let status): begin(.requestRefused, status)
        case .response(let status): begin(.response, status)
        case .eventSent(let id): begin(.eventSent, id)
        case .pingReceived(let number): begin(.pingReceived, number)
        case .pongSent(let number): begin(.pongSent, number)
        case .pongReceived(let number): begin(.pongReceived, number)
        case .messageReceived(let byteCount): begin(.messageReceived, byteCount)
        case .messageSent(let byteCount): begin(.messageSent, byteCount)
        case .closeReceived(let code): begin(.closeReceived, code.map(Int.init) ?? -1)
        case .closeSent(let code): begin(.closeSent, code.map(Int.init) ?? -1)
        case .violation(let code): begin(.violation, Int(code))
        case .faultStruck(let moment):
            begin(.faultStruck, moment.kind.place)
            append(moment.number)
        case .finReceived: begin(.finReceived)
        case .resetReceived: begin(.resetReceived)
        case .finSent: begin(.finSent)
        case .resetSent: begin(.resetSent)
        case .ended: begin(.ended)
        }
    }

    private mutating func begin(_ code: Code) {
        bytes.append(code.rawValue)
    }

    private mutating func begin(_ code: Code, _ number: Int) {
        begin(code)
        append(number)
    }

    private func event(at place: inout Int) -> EndpointEntry.Event {
        guard let code = Code(rawValue: bytes[place]) else {
            preconditionFailure("byte \(place) is no case of an entry")
        }
        place += 1
        return switch code {
        case .accepted: .accepted
        case .overLimit: .overLimit
        case .request: .request(requests[number(at: &place)])
        case .bodyReceived: .bodyReceived(byteCount: number(at: &place))
        case .requestRefused: .requestRefused(status: number(at: &place))
        case .response: .response(status: number(at: &place))
        case .eventSent: .eventSent(id: number(at: &place))
        case .pingReceived: .pingReceived(number(at: &place))
        case .pongSent: .pongSent(number(at: &place))
        case .pongReceived: .pongReceived(number(at: &place))
        case .messageReceived: .messageReceived(byteCount: number(at: &place))
        case .messageSent: .messageSent(byteCount: number(at: &place))
        case .closeReceived: .closeReceived(code: UInt16(exactly: number(at: &place)))
        case .closeSent: .closeSent(code: UInt16(exactly: number(at: &place)))
        case .violation: .violation(code: UInt16(truncatingIfNeeded: number(at: &place)))
        case .faultStruck:
            .faultStruck(Moment(Moment.Kind.allCases[number(at: &place)], number(at: &place)))
        case .finReceived: .finReceived
        case .resetReceived: .resetReceived
        case .finSent: .finSent
        case .resetSent: .resetSent
        case .ended: .ended
        }
    }

    private mutating func place(of summary: RequestSummary) -> Int {
        if let place = requestPlaces[summary] { return place }
        requests.append(summary)
        requestPlaces[summary] = requests.count - 1
        return requests.count - 1
    }
}
