// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica

/// What an event is called, and what is so in it.
extension Node {
    /// Changes an event for everybody; its founder alone can.
    ///
    /// - Throws: `API.Problem`: `notAllowed` for anybody else, `badRequest` where nothing is to change or a value is none.
    package func changeEvent(_ id: String, _ change: API.Envelope.EventChange) throws -> API.Event {
        let session = try session(id)
        guard try session.ownLevel() == .founder else {
            throw API.Problem(.notAllowed, "Only who founded the event changes its title and settings.")
        }
        var values: [String: Value] = [:]
        if let title = change.title { values["title"] = .text(try Wording.title(title)) }
        if let threshold = change.reportThreshold {
            values["report_threshold"] = .number(try Wording.threshold(threshold))
        }
        guard !values.isEmpty else {
            throw API.Problem(.badRequest, "Say what is to change: title or report_threshold.")
        }
        try session.author([.set(.event, on: .nothing, values: values)])
        changes.publish(kinds: ["status"])
        return try show(session)
    }
}
