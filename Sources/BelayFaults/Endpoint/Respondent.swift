package import BelayWire

/// Who answers the requests of an endpoint in its stead, all of them, whatever their path.
package struct Respondent: Sendable {
    /// The content of a request, in bytes; more is answered with 413. Default 64 KiB: commands and
    /// their parameters fit.
    package var bodyLimit: Int
    /// Asked off the loop, for any number of requests at once. Cancelled where the client is gone.
    package var answer: @Sendable (PlainRequest) async -> PlainAnswer

    /// A respondent.
    package init(
        bodyLimit: Int = 65_536, _ answer: @escaping @Sendable (PlainRequest) async -> PlainAnswer
    ) {
        (self.bodyLimit, self.answer) = (bodyLimit, answer)
    }
}

/// A whole request.
package struct PlainRequest: Hashable, Sendable {
    /// The method: `POST`.
    package let method: String
    /// The path without the query.
    package let path: String
    /// The fields of its head.
    package let fields: HTTPFields
    /// Its content.
    package let body: [UInt8]

    /// A request with every part given.
    package init(method: String, path: String, fields: HTTPFields = [:], body: [UInt8] = []) {
        (self.method, self.path, self.fields, self.body) = (method, path, fields, body)
    }
}

/// The answer to a request: a status, and a content or none.
package struct PlainAnswer: Sendable {
    /// The status.
    package var status: Int
    /// Further fields of the head.
    package var fields: HTTPFields
    /// The content.
    package var body: [UInt8]
    /// Called on the loop once the answer was handed to the connection; let it return at once.
    package var afterwards: (@Sendable () -> Void)?

    /// An answer. A content names its type in `fields`.
    package init(
        status: Int, fields: HTTPFields = [:], body: [UInt8] = [],
        afterwards: (@Sendable () -> Void)? = nil
    ) {
        (self.status, self.fields, self.body) = (status, fields, body)
        self.afterwards = afterwards
    }
}
