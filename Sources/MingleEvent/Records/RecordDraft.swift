// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleModel

/// What a request's body says of a record.
struct RecordDraft {
    let kind: Kind
    /// Values of fields, by name.
    var values: [String: Value]
    /// What it hangs on.
    let target: Target
    /// Whom it is about besides.
    let subject: Target
    /// The id of an uploaded picture; nil: the body names none.
    let picture: String?

    /// Whether it says nothing.
    var isEmpty: Bool { values.isEmpty && picture == nil }

    /// What is done with a record.
    enum Act {
        /// It is made.
        case create
        /// Some of its fields change.
        case change
        /// It is set, where a person has one at most.
        case set
    }

    /// Reads a body.
    ///
    /// - Throws: ``API/Problem`` named `badRequest`, which names the member, or `notFound` for an id of nothing.
    init(_ kind: Kind, _ body: API.JSON, for act: Act) throws {
        let isNew = act != .change
        guard let members = body.members else { throw API.Problem(.badRequest, "The body is not a JSON object.") }
        self.kind = kind
        var values: [String: Value] = [:]
        for field in kind.writableMembers {
            guard let json = members[field.member] else { continue }
            let value = try field.value(from: json)
            if act == .create, value == .cleared { continue }
            if act == .set, field.isRequired, value == .cleared { continue }
            guard !(field.isRequired && value == .cleared) else {
                throw API.Problem(.badRequest, "`\(field.member)` cannot be empty.")
            }
            values[field.name] = value
        }
        if isNew {
            for field in kind.fields {
                values[field.name] = field.type.onlyNumber.map(Value.number) ?? values[field.name]
            }
        }
        // An ownership holds from the beginning.
        if isNew, let on = kind.onOff, values[on] == nil { values[on] = .number(1) }
        if isNew {
            for field in kind.writableMembers where field.isRequired && values[field.name] == nil {
                throw API.Problem(.badRequest, "`\(field.member)` is missing.")
            }
        }
        target =
            try members["target"].flatMap(\.given).map { text in
                kind.target == .person
                    ? .person(try RequestValidation.person(text)) : .record(try RequestValidation.reference(text))
            } ?? .nothing
        subject = try members["subject"].flatMap(\.given).map { .person(try RequestValidation.person($0)) } ?? .nothing
        if let given = members["picture"], given != .null, given.text == nil {
            throw API.Problem(.badRequest, "`picture` must be the id of an uploaded picture.")
        }
        guard (subject == .nothing) == (kind.subject == .nothing) || !isNew else {
            throw API.Problem(.badRequest, "`subject` is missing.")
        }
        picture = members["picture"]?.text
        if case .null? = members["picture"], act != .create {
            for name in ["thumbnail", "preview", "width", "height"] where kind.field(named: name) != nil {
                values[name] = .cleared
            }
        }
        self.values = values
        if isNew { try requireOneOfEach() }
    }

    /// Refuses a record that says nothing of what its kind is shown for.
    ///
    /// - Parameter old: What a record says that is changed.
    func requireOneOfEach(after old: [String: Value] = [:]) throws {
        let values = old.merging(values) { $1 }
        for case .anyOf(let names) in kind.shownIf
        where picture == nil && names.allSatisfy({ values[$0] ?? .cleared == .cleared }) {
            let members = names.map { $0 == "preview" ? "`picture`" : "`\($0)`" }.joined(separator: " or ")
            throw API.Problem(.badRequest, "The \(kind.noun) is empty. Give it \(members).")
        }
    }
}

extension API.JSON {
    /// The words of a text; of any other value words that are not the id of anything.
    fileprivate var given: String? {
        switch self {
        case .null: nil
        case .text(let text): text
        default: ""
        }
    }
}
