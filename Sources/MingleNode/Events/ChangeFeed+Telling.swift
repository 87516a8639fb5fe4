// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleModel
import MingleReplica

extension API.Change {
    /// Tells all of a change.
    package init(_ entry: ChangeFeed.Entry) { self.init(entry.kinds, entry.records) }

    /// Tells guests of a door of a change, as far as it is of these kinds: nothing of what is for some people only.
    package init(forGuests entry: ChangeFeed.Entry, of kinds: Set<String>) {
        self.init(
            entry.kinds.filter(kinds.contains),
            entry.records?.filter { $0.isForAll && kinds.contains($0.kind) }
        )
    }

    private init(_ kinds: [String], _ records: [ChangedRecord]?) {
        let targets = records.map { records in
            Dictionary(grouping: records, by: \.kind).mapValues { $0.map(\.id.description) }
        }
        self.init(kinds: kinds, targets: targets)
    }
}
