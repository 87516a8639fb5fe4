// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleCrypto
import MingleEvent
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire

/// What an event is called, and what is so in it.
extension Node {
    /// Changes an event for everybody; its founder alone can, but for what a host may do as well: let nobody nearby in any more.
    ///
    /// - Throws: `API.Problem`: `notAllowed` for anybody else, `badRequest` where nothing is to change or a value is none.
    package func changeEvent(_ id: String, _ change: API.Envelope.EventChange) async throws -> API.Event {
        let session = try session(id)
        let isFounder = try session.ownLevel() == .founder
        guard isFounder || change.closesOnly else {
            throw API.Problem(.notAllowed, "Only the founder can change the event's title and settings.")
        }
        var values = try RequestValidation.event(change)
        var drafts: [Draft] = []
        if let nearby = change.nearby {
            if !nearby { try session.requireGoverning(.attendee, "close the event to those nearby") }
            let now = clock.now()
            let step =
                try nearby
                ? session.replica.openingToNearby(at: now, randomness: .system)
                : session.replica.closingToNearby(at: now)
            drafts = step.drafts
            values["nearby"] = step.named
        }
        guard !values.isEmpty || change.nearby != nil else {
            throw API.Problem(.badRequest, "Nothing to change. Name at least one member of the event.")
        }
        if !values.isEmpty { drafts.append(.set(.event, on: .nothing, values: values)) }
        if !drafts.isEmpty { try await session.write { [drafts] in _ = try $0.author(drafts) } }
        changes.publish(kinds: ["status"])
        return try show(session)
    }
}

extension API.Envelope.EventChange {
    /// Whether it only lets nobody nearby in any more, which hosts may say as well.
    fileprivate var closesOnly: Bool {
        nearby == false && title == nil && reportThreshold == nil && areas == nil && timeZone == nil && currency == nil
            && whoInvites == nil
    }
}
