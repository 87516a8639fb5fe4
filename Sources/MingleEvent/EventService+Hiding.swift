// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleAPI
package import MingleModel
import MingleReplica

/// Hiding what should not be seen; moderators and above do.
extension EventService {
    /// What is hidden now: all of it for moderators, one's own for others.
    package func hidden() throws -> API.Envelope.HidingLog {
        API.Envelope.HidingLog(log: try replica.hiddenRecords().map(logged))
    }

    /// Who hid and unhid what, when and why: of everything for moderators, of one's own for others.
    package func hidingLog() throws -> API.Envelope.HidingLog {
        API.Envelope.HidingLog(log: try replica.hidings().map(logged))
    }

    /// Hides a record of anybody's from all but its author and moderators; without a reason shows it again.
    ///
    /// - Throws: `.conflict` if the record is this person's own and others hid it, by their word or by reports.
    package func hide(_ reference: Reference, because reason: String?) throws {
        let now = try replica.hiding(of: reference)
        if let now { try requireMayDecide(instead: now) }
        // To leave it as it is, is a word about what was reported.
        let isAsked = try now == nil && replica.awaitsDecision(on: reference)
        if reason == nil, now == nil, !isAsked {
            throw API.Problem(
                .conflict,
                "That is not hidden itself. If others do not see it, the photo or moment that it belongs to is hidden. Show that "
                    + "one again."
            )
        }
        // What is so already is said once.
        if now?.reason != reason || isAsked { try author([.hide(reference, because: reason)]) }
    }

    /// Refuses a word about an own record that others hid.
    private func requireMayDecide(instead hiding: ShownHiding) throws {
        guard hiding.isByReports || hiding.maker.id != me, let kind = Kind.all.first(where: { $0.name == hiding.kind }),
            try replica.author(of: hiding.record, among: [kind]) == me
        else { return }
        throw API.Problem(
            .conflict,
            hiding.isByReports
                ? "That is yours, and people reported it. Only another moderator can show it again."
                : "That is yours, and \(hiding.maker.name) hid it. Only another moderator can show it again."
        )
    }

    /// A line of the log with what it is about, as far as this person sees that.
    private func logged(_ hiding: ShownHiding) -> API.LoggedHiding {
        let about = about(hiding.record, kind: hiding.kind)
        return API.LoggedHiding(
            record: hiding.record.description,
            kind: hiding.kind,
            hides: hiding.reason != nil,
            reason: hiding.words,
            reported: hiding.isByReports,
            by: person(hiding.maker),
            at: Date(milliseconds: hiding.at),
            current: hiding.isCurrent,
            author: about.author,
            photo: about.photo,
            comment: about.comment,
            moment: about.moment
        )
    }

    /// What a record of a kind is, as far as this person sees that.
    func about(_ record: Reference, kind: String) -> (
        author: API.Person?, photo: API.Photo?, comment: API.Comment?, moment: API.Moment?
    ) {
        switch kind {
        case Kind.photo.name:
            let photo = try? photo(record)
            return (photo?.author, photo, nil, nil)
        case Kind.moment.name:
            let moment = try? moment(record)
            return (moment?.author, nil, nil, moment)
        case Kind.comment.name:
            let comment = (try? replica.comment(record)).map { API.Comment($0, here: present) }
            return (comment?.author, nil, comment, nil)
        default: return (nil, nil, nil, nil)
        }
    }
}
