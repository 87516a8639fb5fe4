// SPDX-License-Identifier: Apache-2.0

extension API {
    /// A query parameter of a call.
    package struct Parameter: Hashable, Sendable {
        package let name: String
        package let schema: Schema
        /// What it does.
        package let summary: String
        package let isRequired: Bool

        /// Describes a parameter.
        package init(_ name: String, _ schema: Schema, _ summary: String, isRequired: Bool = false) {
            (self.name, self.schema, self.summary, self.isRequired) = (name, schema, summary, isRequired)
        }
    }

    /// What a request or an answer carries.
    package enum Content: Hashable, Sendable {
        /// Nothing.
        case nothing
        /// A JSON value.
        case json(Schema)
        /// Bytes of one of some media types.
        case bytes([String])
    }

    /// One call of the API, as its description tells of it.
    package struct Call: Sendable {
        /// The HTTP method, in capitals.
        package let method: String
        /// The path below `/api/v1/`, with parameters as `:id`.
        package let path: String
        /// What it does, in one sentence.
        package let summary: String
        /// What else there is to know; nil: nothing.
        package let details: String?
        package let parameters: [Parameter]
        /// Header fields that a request has to have.
        package let headers: [Parameter]
        package let body: Content
        /// The status of success.
        package let status: Int
        /// The status of a request whose result was there already; nil: there is no such request.
        package let repeatedStatus: Int?
        /// The status, without a body, of a request that others must follow; nil: there is no such request.
        package let partialStatus: Int?
        package let answer: Content

        /// Describes a call.
        package init(
            _ method: String,
            _ path: String,
            _ summary: String,
            details: String? = nil,
            parameters: [Parameter] = [],
            headers: [Parameter] = [],
            body: Content = .nothing,
            status: Int = 200,
            repeatedStatus: Int? = nil,
            partialStatus: Int? = nil,
            answer: Content
        ) {
            (self.method, self.path, self.summary, self.details) = (method, path, summary, details)
            (self.parameters, self.headers, self.body, self.answer) = (parameters, headers, body, answer)
            (self.status, self.repeatedStatus, self.partialStatus) = (status, repeatedStatus, partialStatus)
        }
    }
}

extension API.Call {
    /// Whether it is about one event; the stream tells of all of them.
    package var isAboutEvent: Bool { path != "stream" }

    /// All parameters in the query.
    package var query: [API.Parameter] { isAboutEvent ? parameters + [.event] : parameters }
}

extension API.Parameter {
    /// The event that a call is about.
    package static let event = Self("event", .text(limit: 64), "The id of an event; without it the current one.")
    /// The end of the page before.
    package static let before = Self("before", .text(limit: 100), "`next` of the page before.")
    /// The length of a page.
    package static let limit = Self("limit", .integer(1...500), "Records on a page; without it 50.")
    /// What records hang on.
    package static let target = Self("target", .text(limit: 64), "Only what hangs on the record of this id.")
}
