import Foundation

/// Why a request of a harness is not carried out.
enum ContractRefusal: Error, Hashable {
    /// The content is no JSON object, or a number in it does not fit: the system tells no more.
    case notJSON
    /// A member that must be there is missing.
    case missing(String)
    /// A member has a value of another type.
    case wrongType(String)
    /// A member's value cannot be used, and why.
    case unusable(String, String)
    /// No such command.
    case unknownCommand(String)
    /// As many streams run as may.
    case tooManyStreams(limit: Int)
    /// No such stream, or no such path.
    case notFound(String)
    /// The path takes other methods: these.
    case wrongMethod(allowed: String)

    /// The status that says so.
    var status: Int {
        switch self {
        case .notJSON, .missing, .wrongType, .unusable, .unknownCommand: 400
        case .notFound: 404
        case .wrongMethod: 405
        case .tooManyStreams: 503
        }
    }
}

extension ContractRefusal: CustomStringConvertible {
    /// One line without a full stop.
    var description: String {
        switch self {
        case .notJSON: "the content is no JSON object, or a number in it does not fit"
        case .missing(let member): "\(member) is missing"
        case .wrongType(let member): "\(member) has a value of another type"
        case .unusable(let member, let reason): "\(member): \(reason)"
        case .unknownCommand(let name): "no command \(name): known are listen and restart"
        case .tooManyStreams(let limit): "\(limit) streams run; delete one first"
        case .notFound(let path): "nothing is at \(path)"
        case .wrongMethod(let allowed): "this takes \(allowed)"
        }
    }
}

extension ContractRefusal {
    /// Reads a content, or says what is wrong with it.
    static func reading<Content: Decodable>(
        _ type: Content.Type, from body: [UInt8]
    ) throws(ContractRefusal) -> Content {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch DecodingError.keyNotFound(let key, _) {
            throw .missing(key.stringValue)
        } catch DecodingError.valueNotFound(_, let context) where !context.codingPath.isEmpty {
            throw .missing(name(context))
        } catch DecodingError.typeMismatch(_, let context) where !context.codingPath.isEmpty {
            throw .wrongType(name(context))
        } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
            throw .wrongType(name(context))
        } catch {
            throw .notJSON
        }
    }

    private static func name(_ context: DecodingError.Context) -> String {
        context.codingPath.map(\.stringValue).joined(separator: ".")
    }
}
