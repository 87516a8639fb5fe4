// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// Who reads what is reported about a record, and when reports hide it.
package struct ReportReaders: Hashable, Sendable {
    /// How many people besides the record's author moderate.
    package let count: Int
    /// The lowest level of these people; nil if there is nobody.
    package let level: Level?
    /// How many people's reports hide the record; nil: no number does.
    package let threshold: Int?

    /// Names how many people read reports, the lowest level of them, and how many reports hide the record.
    package init(count: Int, level: Level?, threshold: Int?) {
        (self.count, self.level, self.threshold) = (count, level, threshold)
    }
}

extension Replica {
    /// Who reads a report about a record, as far as this node knows.
    ///
    /// The node of anybody who moderates hides what enough people reported. The author's own node does so only where
    /// nobody else moderates.
    ///
    /// - Throws: `ReplicaError.notFound` if this person does not see the record.
    package func reportReaders(of reference: Reference) throws -> ReportReaders {
        let author = try author(of: reference, among: Kind.report.parents)
        return try view { viewer in
            let sql = """
                SELECT count(*) FILTER (WHERE name <> ?1), max(level) FILTER (WHERE name <> ?1), count(*)
                FROM person WHERE level <= \(Hiding.writers.rawValue)
                """
            let found = try viewer.db.first(sql) {
                $0.add(author.raw)
            } read: {
                (others: Int($0.integer(0)), level: $0.isNull(1) ? nil : $0.integer(1), all: $0.integer(2))
            }
            let threshold = try viewer.reportThreshold()
            return ReportReaders(
                count: found?.others ?? 0,
                level: found?.level.flatMap { UInt32(exactly: $0) }.flatMap(Level.init(rawValue:)),
                threshold: threshold > 0 && (found?.all ?? 0) > 0 ? threshold : nil
            )
        }
    }
}
