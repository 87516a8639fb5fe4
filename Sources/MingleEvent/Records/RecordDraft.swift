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

    /// Reads a body.
    ///
    /// - Throws: ``API/Problem`` named `badRequest`, which names the member, or `notFound` for an id of nothing.
    init(_ kind: Kind, _ body: API.JSON, isNew: Bool) throws {
        guard let members = body.members else { throw API.Problem(.badRequest, "The body is not a JSON object.") }
        self.kind = kind
        var values: [String: Value] = [:]
        for field in kind.writableMembers {
            guard let json = members[field.member] else { continue }
            let value = try field.value(from: json)
            if isNew, value == .cleared { continue }
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
        picture = members["picture"]?.text
        if case .null? = members["picture"], !isNew {
            for name in ["thumbnail", "preview", "width", "height"] where kind.field(named: name) != nil {
                values[name] = .cleared
            }
        }
        self.values = values
        if isNew { try requireOneOfEach() }
    }

    /// Refuses a record that says nothing of what its kind is shown for.
    private func requireOneOfEach() throws {
        for case .anyOf(let names) in kind.shownIf where picture == nil && names.allSatisfy({ values[$0] == nil }) {
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
