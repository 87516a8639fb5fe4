// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MingleAPI
package import MingleModel
import MingleReplica

/// What concerns this person: derived from the records that the person sees, and never sent.
extension EventService {
    /// People of a notification that are told of.
    private static let toldPeople = 3
    /// Muted things that a list names.
    private static let mutedLimit = 100
    /// Characters of a comment.
    private static let textLimit = 200

    /// One page of what concerns this person, the latest first.
    ///
    /// - Parameter isUnread: Whether only what the person has not read is listed.
    package func notifications(before: String?, limit: Int, isUnread: Bool) throws -> API.Envelope.Notifications {
        let cursor = ListCursor(isUnread ? "notifications unread" : "notifications")
        let start = try cursor.cursor(before)
        let areas = try replica.settings().areas
        return try replica.notices(at: now.milliseconds) { reader in
            let readings = try reader.readings()
            let notices = try reader.notices().filter { $0.thing?.area.map(areas.contains) ?? true }
                .map { (notice: $0, state: State($0, readings)) }.filter { !$0.state.isMuted }
            let listed = notices.filter { !isUnread || !$0.state.isRead }
            let rest = start.map { start in listed.filter { $0.notice.place < start } } ?? listed
            let page = rest.prefix(min(max(limit, 1), 500))
            return API.Envelope.Notifications(
                notifications: try page.compactMap { try notification($0.notice, isRead: $0.state.isRead, reader) },
                unread: notices.count { !$0.state.isRead },
                muted: before == nil ? try muted(readings, reader) : nil,
                next: rest.count > page.count ? cursor.text(page.last?.notice.place) : nil
            )
        }
    }

    /// Says that this person has read what happened at a thing, or everything; the person's other devices learn of it.
    ///
    /// - Parameters:
    ///   - target: The thing; nil: everything.
    ///   - until: Up to when; nil: all that there is.
    package func read(_ target: Reference?, until: Date?) throws {
        if let target { try requireWritable(target, for: .reading) }
        let latest = try replica.notices(at: now.milliseconds) { reader in
            let readings = try reader.readings()
            return try reader.notices().filter { !State($0, readings).isRead }
                .filter { notice in
                    guard let target else { return true }
                    return try notice.thing != nil && reader.reference(of: notice.row) == target
                }.first
        }
        // What is read needs no word that it is.
        guard let latest else { return }
        let all = max(now.milliseconds, latest.at)
        let time = until.map { min(max($0.milliseconds, 0), all) } ?? all
        try author([.set(.reading, on: target.map(Target.record) ?? .nothing, values: ["until": .number(time)])])
    }

    /// Tells this person nothing more of what happens at a thing, or again.
    package func mute(_ target: Reference, _ muted: Bool) throws {
        try requireWritable(target, for: .reading)
        let isMuted = try replica.notices(at: now.milliseconds) { reader in
            try reader.readings().contains { row, reading in
                try row > 0 && reading.isMuted && reader.reference(of: row) == target
            }
        }
        guard isMuted != muted else { return }
        try author([.set(.reading, on: .record(target), values: ["muted": .number(muted ? 1 : 0)])])
    }

    /// How far a notice was read.
    private struct State {
        let isRead: Bool
        let isMuted: Bool

        init(_ notice: Notice, _ readings: [Int64: Reading]) {
            // Persons are rows of another table: nothing was said of them.
            let own = notice.thing == nil ? nil : readings[notice.row]
            isRead = notice.at <= max(readings[0]?.until ?? .min, own?.until ?? .min)
            isMuted = own?.isMuted ?? false
        }
    }

    private func notification(_ notice: Notice, isRead: Bool, _ reader: NoticeReader) throws -> API.Notification? {
        let thing: API.Thing
        var link: String?
        if notice.thing == nil {
            let person = try reader.person(notice.row)
            thing = API.Thing(kind: "person", id: person.id.description, title: person.name)
            link = "/people/\(person.id)"
        } else {
            // Deleted or out of sight meanwhile.
            guard let shown = try reader.thing(of: notice) else { return nil }
            thing = self.thing(shown)
            link = [.report, .feedback].contains(notice.kind) ? "/hidden" : Self.link(shown)
        }
        let comment = try reader.comment(of: notice)
        return API.Notification(
            id: "\(notice.kind.rawValue).\(thing.id ?? "")",
            kind: notice.kind.rawValue,
            thing: thing,
            people: try reader.people(of: notice, limit: Self.toldPeople).map(person),
            count: notice.count,
            time: Date(milliseconds: notice.at),
            read: isRead,
            link: comment.map { comment in link.map { "\($0)#\(comment.id)" } } ?? link,
            text: comment.map { String($0.text.prefix(Self.textLimit)) }
        )
    }

    /// Where the page shows a thing.
    private static func link(_ thing: ShownThing) -> String? {
        let (kind, id) = thing.kind == .comment ? (thing.targetKind, thing.target) : (thing.kind, thing.id)
        guard let kind, let id, [.photo, .moment, .place, .deal].contains(kind) else { return nil }
        let page = "/\(kind.plural)/\(id)"
        return thing.kind == .comment ? thing.id.map { "\(page)#\($0)" } : page
    }

    private func muted(_ readings: [Int64: Reading], _ reader: NoticeReader) throws -> [API.Thing] {
        try readings.filter { $0.key > 0 && $0.value.isMuted }.keys.sorted(by: >).prefix(Self.mutedLimit)
            .compactMap { try reader.thing($0).map(thing) }
    }
}
