// SPDX-License-Identifier: Apache-2.0

import MingleAPI
package import MingleModel
import MingleReplica

/// When photos can be posted.
extension EventService {
    /// Refuses a photo of a moment in which this person may not post now.
    ///
    /// - Throws: ``API/Problem`` named `notAllowed`.
    package func requireMayPost(on target: Target) throws {
        guard try replica.hasKey() else { throw ReplicaError.locked }
        try replica.requireMayWrite(.photo)
        if case .record(let reference) = target { try requireWritable(reference, for: .photo) }
        guard case .record(let reference) = target, try targetKind(of: reference, for: .photo) == .moment else {
            return
        }
        let moment = try replica.seenMoment(reference)
        let status = moment.status(at: now)
        guard !MomentRules.mayPost(moment.participation, status) else { return }
        let reason =
            switch MomentRules.button(moment.participation, status) {
            case .join: "join it first"
            case .checkIn: "it has started, so check in first"
            default: "it has ended and you did not check in"
            }
        throw API.Problem(.notAllowed, "You cannot post photos to \(moment.title): \(reason).")
    }

    /// The kind of what a record of `kind` is to hang on.
    ///
    /// - Throws: ``API/Problem`` named `notFound` unless this person sees a record that `kind` can hang on.
    package func targetKind(of target: Reference, for kind: Kind) throws -> Kind {
        do {
            return try replica.requireSeen(target, among: kind.parents)
        } catch ReplicaError.notFound {
            let parents = kind.parents.map(\.noun).joined(separator: " or ")
            throw API.Problem(.notFound, "There is no \(parents) with the id \(target) here.")
        }
    }
}
