// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica

// Where records from the future stand in the lists of each node.
extension World {
    /// The kinds of which there are lists in the order of time.
    static let listedKinds: [Kind] = [.photo, .comment, .moment]

    /// Remembers where the records stand that came from the future, which is not to change any more.
    func notePlaces() throws {
        for node in nodes where node.isHere && node.hostility == nil && !node.isRelay && node.disk?.hasFailed != true {
            for kind in Self.listedKinds {
                for (record, time) in try node.replica.late(kind) where node.places[record] == nil {
                    node.places[record] = time
                    coverage.late += 1
                }
            }
        }
    }
}

extension SimulatedNode {
    /// Forgets where records stood of which the headers are gone: they stand where they come once more.
    func forgetLostPlaces() {
        guard !places.isEmpty else { return }
        let records = places.keys.sorted()
        let payloads = (try? replica.payloads(records)) ?? []
        for (record, payload) in zip(records, payloads) where payload == .absent { places[record] = nil }
    }
}
