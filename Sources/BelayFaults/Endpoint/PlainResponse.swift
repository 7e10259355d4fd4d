import BelayWire

/// Responses that are no stream: a status, and a text or nothing.
enum PlainResponse {
    /// A head with an empty body.
    static func head(status: Int, _ fields: HTTPFields = [:]) -> [UInt8] {
        // 204 has no body, so it has no length either (RFC 9110 §8.6).
        encoded(status: status, status == 204 ? fields : with(fields, length: 0))
    }

    /// A text; `method` decides whether it is sent or, for HEAD, only measured.
    static func text(
        status: Int, _ text: String, method: String = "GET", _ fields: HTTPFields = [:]
    ) -> [UInt8] {
        let body = Array(text.utf8)
        var all = with(fields, length: body.count)
        all.append("Content-Type", "text/plain; charset=utf-8")
        let head = encoded(status: status, all)
        return method == "HEAD" ? head : head + body
    }

    /// What a respondent answers.
    static func answer(_ answer: PlainAnswer, method: String) -> [UInt8] {
        guard answer.status != 204 else { return encoded(status: 204, answer.fields) }
        let fields = with(answer.fields, length: answer.body.count)
        let head = encoded(status: answer.status, fields)
        return method == "HEAD" ? head : head + answer.body
    }

    /// A head as it is given, and the end of the connection after the body.
    static func encoded(status: Int, _ fields: HTTPFields) -> [UInt8] {
        var fields = fields
        fields.append("Connection", "close")
        return encoded(
            HTTPResponseHead(status: status, reason: reason(of: status), fields: fields))
    }

    /// A head that this room or the handshake made.
    static func encoded(_ head: HTTPResponseHead) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            try head.encode(into: &bytes)
        } catch {
            preconditionFailure("a field that would end its line: \(error)")
        }
        return bytes
    }

    private static func with(_ fields: HTTPFields, length: Int) -> HTTPFields {
        var fields = fields
        fields.append("Content-Length", String(length))
        return fields
    }

    /// For people who read the bytes; source: RFC 9110 §15.
    private static func reason(of status: Int) -> String {
        switch status {
        case 100: "Continue"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 307: "Temporary Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        default: ""
        }
    }
}
