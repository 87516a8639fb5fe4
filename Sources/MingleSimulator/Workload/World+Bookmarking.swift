// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleReplica

/// What people marked for themselves, which the ledger, being of what everybody sees, knows nothing of.
struct Bookmarking {
    /// That one person marked a record.
    struct Mark {
        let record: Reference
        let kind: Kind
        let person: PersonID
        /// The delta that said it.
        let delta: Reference
    }

    var marks: [Mark] = []
}

extension World {
    /// Somebody marks something; nobody takes a mark away, so what is marked once is marked in the end.
    func bookmark(_ node: SimulatedNode) throws {
        guard let entry = someRecord([.moment, .photo], seenBy: node), let record = entry.reference else { return }
        let draft = Draft.set(.bookmark, on: .record(record), values: ["on": .number(1)])
        guard let written = try author([draft], by: node) else { return }
        coverage.bookmarks += 1
        let person = node.secrets.person
        bookmarking.marks.append(.init(record: record, kind: entry.kind, person: person, delta: written.references[0]))
    }
}
