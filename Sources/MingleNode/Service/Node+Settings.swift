// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire

/// What an event is called, and what is so in it.
extension Node {
    /// Changes an event for everybody; its founder alone can, but for what a host may do as well: let nobody nearby in any more.
    ///
    /// - Throws: `API.Problem`: `notAllowed` for anybody else, `badRequest` where nothing is to change or a value is none.
    package func changeEvent(_ id: String, _ change: API.Envelope.EventChange) throws -> API.Event {
        let session = try session(id)
        let isFounder = try session.ownLevel() == .founder
        guard isFounder || change.nearby == false && change.title == nil && change.reportThreshold == nil else {
            throw API.Problem(.notAllowed, "Only the founder can change the event's title and settings.")
        }
        var values: [String: Value] = [:]
        if let title = change.title { values["title"] = .text(try Wording.title(title)) }
        if let threshold = change.reportThreshold {
            values["report_threshold"] = .number(try Wording.threshold(threshold))
        }
        var drafts: [Draft] = []
        if let nearby = change.nearby {
            if !nearby { try session.requireGoverning(.attendee, "close the event to those nearby") }
            let now = clock.now()
            let step = try session.shown {
                try nearby
                    ? session.replica.openingToNearby(at: now, randomness: .system)
                    : session.replica.closingToNearby(at: now)
            }
            drafts = step.drafts
            values["nearby"] = step.named
        }
        guard !values.isEmpty || change.nearby != nil else {
            throw API.Problem(.badRequest, "Nothing to change. Give a title, a report_threshold or nearby.")
        }
        if !values.isEmpty { drafts.append(.set(.event, on: .nothing, values: values)) }
        if !drafts.isEmpty { try session.author(drafts) }
        changes.publish(kinds: ["status"])
        return try show(session)
    }
}
