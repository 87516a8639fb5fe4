// SPDX-License-Identifier: Apache-2.0

package import MingleModel
package import MingleReplica

/// What of the news belongs together: one thing that people see as one.
package struct NewsEntry: Hashable, Sendable {
    /// Records of one person further apart than this are told apart, in milliseconds.
    package static let apart: Int64 = 45 * 60_000

    /// What it tells of: photos, a moment, check-ins or ratings; or comments, where what they are about is not new.
    package let kind: Kind
    /// The records, newest first.
    package internal(set) var records: [Happening]
    /// What the comments are about, of an entry of comments.
    package internal(set) var thing: Happening?
    /// Comments on what it tells of, newest first.
    package internal(set) var comments: [Happening] = []

    /// Its newest record.
    package var newest: Happening {
        guard let comment = comments.first, comment.place > records[0].place else { return records[0] }
        return comment
    }

    private init(_ record: Happening) { (kind, records) = (record.kind, [record]) }

    /// Gathers what one person shared at one place without a long pause, who came to one place, and what is said of one
    /// thing, in order of time.
    ///
    /// - Parameter happenings: Newest first.
    package static func gathered(_ happenings: [Happening]) -> [NewsEntry] {
        var (entries, last): ([NewsEntry], [Key: Int]) = ([], [:])
        for happening in happenings {
            let key = Key(happening)
            if let key, let place = last[key], let earlier = entries[place].records.last,
                earlier.at - happening.at <= apart
            {
                entries[place].records.append(happening)
            } else {
                if let key { last[key] = entries.count }
                entries.append(NewsEntry(happening))
            }
        }
        return entries
    }

    /// Gathers the same, with all comments beneath what they are about.
    ///
    /// - Parameters:
    ///   - happenings: Newest first.
    ///   - things: What comments are about, by row; comments on anything else are left out.
    package static func gathered(_ happenings: [Happening], about things: [Int64: Happening]) -> [NewsEntry] {
        var entries = gathered(happenings.filter { $0.kind != .comment })
        var places: [Int64: Int] = [:]
        for (place, entry) in entries.enumerated() { for record in entry.records { places[record.row] = place } }
        for comment in happenings where comment.kind == .comment {
            guard let thing = things[comment.target] else { continue }
            if let place = places[thing.row] {
                if entries[place].kind == .comment {
                    entries[place].records.append(comment)
                } else {
                    entries[place].comments.append(comment)
                }
            } else {
                var entry = NewsEntry(comment)
                entry.thing = thing
                places[thing.row] = entries.count
                entries.append(entry)
            }
        }
        return entries
    }

    /// What records share that are told as one.
    private struct Key: Hashable {
        let kind: Kind
        let author: Int64?
        let target: Int64

        /// Nil for a record that stands for itself.
        init?(_ happening: Happening) {
            let isOwn = happening.kind == .photo
            guard isOwn || [.comment, .checkIn, .rating].contains(happening.kind) && happening.target > 0 else {
                return nil
            }
            (kind, target) = (happening.kind, happening.target)
            author = isOwn ? happening.author : nil
        }
    }
}
