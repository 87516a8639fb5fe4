// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel
import MingleReplica

/// Hiding what should not be seen; moderators and above do.
extension Node {
    /// Hides a record of anybody's from all but its author and moderators.
    package func hide(_ id: String, because reason: String?, event: String?) throws {
        let session = try session(event)
        try session.hide(Wording.reference(id), because: Wording.reason(reason ?? ""))
    }

    /// Shows a record again.
    package func unhide(_ id: String, event: String?) throws {
        try session(event).hide(Wording.reference(id), because: nil)
    }

    /// What is hidden now: all of it for moderators, one's own for others.
    package func hidden(event: String?) throws -> API.Envelope.HidingLog {
        let session = try session(event)
        return API.Envelope.HidingLog(
            log: try session.shown { try session.replica.hiddenRecords() }.map(session.logged)
        )
    }

    /// Who hid and unhid what, when and why: of everything for moderators, of one's own for others.
    package func hidingLog(event: String?) throws -> API.Envelope.HidingLog {
        let session = try session(event)
        return API.Envelope.HidingLog(log: try session.shown { try session.replica.hidings() }.map(session.logged))
    }
}

extension EventSession {
    fileprivate func hide(_ reference: Reference, because reason: String?) throws {
        let now = try shown { try replica.hiding(of: reference) }
        if reason == nil, now == nil {
            throw API.Problem(
                .conflict,
                "That is not hidden itself. If others do not see it, what it belongs to is hidden: show that again."
            )
        }
        // What is so already is said once.
        if now?.reason != reason { try author([.hide(reference, because: reason)]) }
    }

    /// A line of the log with what it is about, as far as this person sees that.
    fileprivate func logged(_ hiding: ShownHiding) -> API.LoggedHiding {
        let photo = hiding.kind == Kind.photo.name ? try? photo(hiding.record) : nil
        let moment = hiding.kind == Kind.moment.name ? try? moment(hiding.record) : nil
        let isComment = hiding.kind == Kind.comment.name
        let comment =
            isComment ? (try? replica.comment(hiding.record)).map { API.Comment($0, here: roster.present) } : nil
        return API.LoggedHiding(
            record: hiding.record.description,
            kind: hiding.kind,
            hides: hiding.reason != nil,
            reason: hiding.reason,
            by: API.Person(hiding.maker, here: roster.present),
            at: Date(milliseconds: hiding.at),
            current: hiding.isCurrent,
            author: photo?.author ?? moment?.author ?? comment?.author,
            photo: photo,
            comment: comment,
            moment: moment
        )
    }
}
