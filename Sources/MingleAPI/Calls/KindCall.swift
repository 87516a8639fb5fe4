// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// What the API offers on the records of a kind, as its declaration says.
package enum KindCall: Int, Sendable, CaseIterable {
    /// Lists records.
    case list
    /// Shows a record.
    case show
    /// Makes a record that a delta names.
    case create
    /// Changes such a record.
    case change
    /// Deletes such a record.
    case delete
    /// Sets this person's record on a target.
    case set
    /// Takes it back.
    case unset
}

extension Kind {
    /// The calls of the API on records of this kind.
    ///
    /// What is written by acts of its own, as joining a moment is, has none.
    package var calls: Set<KindCall> {
        switch self {
        case .event, .profile, .profilePicture, .participation, .invite, .connection, .reading: []
        case .photo: [.list, .show, .change, .delete]
        case .report: [.list, .set]
        case .friendship: [.list]
        // Who voted how is nobody's business.
        case .vote: [.set, .unset]
        // What was said is said: whoever means something else says it anew.
        case .feedback: [.list, .show, .create, .delete]
        default:
            identity == .delta
                ? [.list, .show, .create, .change, .delete] : mayEnd ? [.list, .set, .unset] : [.list, .set]
        }
    }

    /// Whether its author can take a keyed record back: it is switched off, or nothing of it is required.
    private var mayEnd: Bool { onOff != nil || !fields.contains(where: \.isRequired) }

    /// A call on its records, as the description of the API has it.
    package func described(_ call: KindCall) -> API.Call {
        switch call {
        case .list:
            API.Call("GET", plural, "Lists \(nouns).", parameters: listParameters, answer: .json(listSchema))
        case .show: API.Call("GET", "\(plural)/:id", "Shows \(article) \(noun).", answer: .json(recordSchema))
        case .create:
            API.Call(
                "POST",
                plural,
                "Makes \(article) \(noun).",
                details: area.map { "The event needs the area `\($0.word)`." },
                body: .json(newSchema),
                status: 201,
                answer: .json(recordSchema)
            )
        case .change:
            API.Call(
                "PATCH",
                "\(plural)/:id",
                "Changes \(article) \(noun).",
                body: .json(changeSchema),
                answer: .json(recordSchema)
            )
        case .delete:
            API.Call("DELETE", "\(plural)/:id", "Deletes \(article) \(noun).", status: 204, answer: .nothing)
        case .set:
            API.Call(
                "PUT",
                "\(plural)/:id",
                "Sets this person's \(noun); the id is that of \(targetPhrase).",
                body: .json(newSchema),
                answer: .json(recordSchema)
            )
        case .unset:
            API.Call(
                "DELETE",
                "\(plural)/:id",
                "Takes this person's \(noun) back; the id is that of \(targetPhrase).",
                status: 204,
                answer: .nothing
            )
        }
    }

    /// The same call with an answer that is written by hand.
    package func described<Answer: Decodable>(
        _ call: KindCall,
        answering type: Answer.Type,
        adding parameters: [API.Parameter] = []
    ) -> API.Call {
        let usual = described(call)
        return API.Call(
            usual.method,
            usual.path,
            usual.summary,
            details: usual.details,
            parameters: usual.parameters + parameters,
            body: usual.body,
            status: usual.status,
            answer: .json(API.Schema(of: type))
        )
    }

    /// What it can hang on, for a sentence.
    private var targetPhrase: String {
        target == .person ? "a person" : parents.map { "\($0.article) \($0.noun)" }.joined(separator: " or ")
    }

    /// What several are called in a sentence.
    private var nouns: String { plural.replacing("_", with: " ") }

    private var listParameters: [API.Parameter] {
        var parameters: [API.Parameter] = [.before, .limit]
        if trait != nil { parameters.append(.target) }
        parameters.append(API.Parameter("author", .text(limit: 64), "Only those of the person of this id."))
        if !searchedFields.isEmpty {
            parameters.append(API.Parameter("q", .text(limit: 200), "Only those with these words, the best first."))
        }
        if isLocated {
            parameters += [
                API.Parameter("near", .text(limit: 60), "LATITUDE,LONGITUDE: only those near it, the nearest first."),
                API.Parameter("radius_m", .number(1...1_000_000), "How far `near` reaches; without it 5000."),
                API.Parameter("within", .text(limit: 100), "SOUTH,WEST,NORTH,EAST: only those in the rectangle."),
            ]
        }
        if traits.contains(.faveable) {
            parameters.append(API.Parameter("faved", .flag, "Whether only those that this person faves."))
        }
        if self == .photo { parameters.append(API.Parameter("clips", .flag, "Whether only clips.")) }
        if self == .claim {
            parameters.append(API.Parameter("open", .flag, "Whether only those whose author does not own the place."))
        }
        let orders = ["newest"] + orderFields.flatMap { [$0.member, "-\($0.member)"] }
        if orders.count > 1 {
            parameters.append(API.Parameter("order", .word(orders), "The order; with a minus the highest first."))
        }
        return parameters
            + fields.filter(\.isFilter).map { field in
                API.Parameter(field.member, field.filterSchema, "Only those with this value.")
            }
    }

    /// The fields in whose order lists stand.
    package var orderFields: [Field] {
        writableMembers.filter { field in
            switch field.type {
            case .time, .number: !field.isShared
            default: false
            }
        }
    }
}

extension Field {
    /// The schema of a filter by it; of several references one is given.
    fileprivate var filterSchema: API.Schema {
        if case .references = type { .text(limit: 64) } else { type.schema }
    }
}
