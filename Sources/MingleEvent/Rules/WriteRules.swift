// SPDX-License-Identifier: Apache-2.0

import MingleAPI
package import MingleModel
import MingleReplica

/// What this person's own node demands before it writes a record; other nodes merge what was written in any case.
///
/// The rules that a declaration states follow from it. A rule of time or place of one kind is a case of
/// ``requireKindRules(of:on:about:_:)``, and stands in a file of its own.
extension EventService {
    /// Refuses a new record that nobody would see, or that this person may not write now.
    ///
    /// - Parameter hasPicture: Whether a picture comes with the values.
    func requireMayCreate(
        _ kind: Kind,
        on target: Target,
        about subject: Target = .nothing,
        _ values: [String: Value],
        hasPicture: Bool = false
    ) throws {
        try replica.requireMayWrite(kind)
        try requireOn(kind)
        switch target {
        case .record(let reference): try requireWritable(reference, for: kind)
        case .person(let person): _ = try replica.person(person)
        case .nothing:
            guard kind.mayHangOnEvent else { throw API.Problem(.badRequest, "`target` is missing.") }
        }
        try requireShownRules(of: kind, on: target, values)
        try requirePeople(kind, subject, values)
        try requireKindRules(of: kind, on: target, about: subject, values, hasPicture: hasPicture)
    }

    /// Refuses a target that this person does not see, or of an area that is off.
    func requireWritable(_ target: Reference, for kind: Kind) throws {
        try requireOn(try targetKind(of: target, for: kind))
    }

    /// What is written with a record, so that it means what it says.
    func following(_ draft: Draft) throws -> [Draft] {
        guard case .create(.checkIn, let target, _, _, _) = draft, case .record(let reference) = target,
            try targetKind(of: reference, for: .checkIn) == .moment
        else { return [] }
        return [.checkedIn(at: reference)]
    }

    /// Refuses to name somebody who does not take part.
    private func requirePeople(_ kind: Kind, _ subject: Target, _ values: [String: Value]) throws {
        var people = kind.fields.filter { $0.type == .person }.compactMap { field in
            if case .data(let bytes)? = values[field.name] { PersonID(bytes: bytes) } else { nil }
        }
        if case .person(let person) = subject { people.append(person) }
        for person in people where (try? replica.person(person))?.level?.isPeople != true {
            throw API.Problem(.notFound, "Nobody with the id \(person) takes part in the event.")
        }
    }

    /// Refuses a change after which nobody would see a record, or no map could draw it.
    ///
    /// - Parameter hasPicture: Whether a picture comes with the values.
    func requireMayChange(_ old: ShownRecord, _ values: [String: Value], hasPicture: Bool = false) throws {
        try replica.requireMayWrite(old.kind)
        try requireOn(old.kind)
        let merged = old.values.merging(values) { $1 }
        try requireOrder(old.kind, merged)
        if old.kind == .sitePlan {
            try SitePlanRules.require(merged, hasPicture: hasPicture || merged["preview"] ?? .cleared != .cleared)
        }
        if old.kind == .deal { try requireMayHandOn(old, values) }
        if old.kind == .place, values["categories"] != nil { try requireCategories(values) }
    }

    /// Whether the area of a kind is on.
    package func isOn(_ kind: Kind) throws -> Bool {
        try kind.area.map(replica.settings().areas.contains) ?? true
    }

    func requireOn(_ kind: Kind) throws {
        guard try !isOn(kind), let area = kind.area else { return }
        throw API.Problem(
            .conflict,
            "The area \(area.word) is off in this event. The founder can switch it on: mingle event set --areas \(area.word)"
        )
    }

    /// What the kind is shown for, as far as it follows from what its author says and is.
    private func requireShownRules(of kind: Kind, on target: Target, _ values: [String: Value]) throws {
        try requireOrder(kind, values)
        guard case .record(let reference) = target else { return }
        for rule in kind.shownIf {
            switch rule {
            case .owner where try !owns(reference):
                throw API.Problem(
                    .notAllowed,
                    "You do not own that place. Ask a host of the event to make you its owner."
                )
            case .creator where try replica.author(of: reference, among: kind.parents) != me:
                throw API.Problem(.notAllowed, "Only the person who made it can do this.")
            default: break
            }
        }
    }

    /// Refuses a time that does not come after another, or too late.
    private func requireOrder(_ kind: Kind, _ values: [String: Value]) throws {
        for case .span(let from, let to, let longest) in kind.shownIf {
            guard case .number(let start)? = values[from], case .number(let end)? = values[to] else { continue }
            guard start < end else { throw API.Problem(.badRequest, "`\(to)` must be after `\(from)`.") }
            guard end - start <= longest else {
                throw API.Problem(.badRequest, "`\(to)` must be at most \(longest / 86_400_000) days after `\(from)`.")
            }
        }
    }

    /// Refuses to claim a place that is this person's already.
    private func requireUnowned(_ target: Target, _ values: [String: Value]) throws {
        guard case .record(let place) = target, values["on"] != .number(0), try owns(place) else { return }
        throw API.Problem(.conflict, "You own that place already.")
    }

    private func owns(_ place: Reference) throws -> Bool {
        var query = RecordQuery()
        (query.target, query.limit) = (place, 500)
        return try replica.records(of: .ownership, query).items.contains { ownership in
            ownership.values["on"] == .number(1) && ownership.values["person"] == .data(me.bytes)
        }
    }

    /// The rules of one kind.
    private func requireKindRules(
        of kind: Kind,
        on target: Target,
        about subject: Target,
        _ values: [String: Value],
        hasPicture: Bool
    ) throws {
        switch kind {
        case .photo: try requireMayPost(on: target)
        case .place: try requireCategories(values)
        case .checkIn: try requireMayCheckIn(on: target, values)
        case .deal: try requireOwnDevice(values)
        case .dealUse: try requireOpenDeal(target)
        case .dealConfirmation: try requireMayConfirm(on: target, for: subject)
        case .claim: try requireUnowned(target, values)
        case .sitePlan: try SitePlanRules.require(values, hasPicture: hasPicture)
        case .vote: try requireOthersPhoto(target)
        default: break
        }
    }
}
