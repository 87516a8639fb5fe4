// SPDX-License-Identifier: Apache-2.0

import MingleModel

extension Schema {
    /// The records of a kind that are shown, as views.
    ///
    /// `standing_KIND` has those that are complete and hang on what stands, with a column `concealed` that says whether a
    /// moderator hid them or what they hang on. `visible_KIND` has those that everybody sees who can open them. Whether a
    /// record is shown depends on others that may come later or go, so it is asked and never stored.
    static func views(of kind: Kind) -> String {
        let columns = ["id", "author", "target", "made", "audience"] + kind.fields.map { "\"\($0.name)\"" }
        return """
            CREATE VIEW standing_\(kind.name) AS
                SELECT *, \(concealed(kind)) AS concealed FROM \(kind.name) WHERE \(stands(kind));
            CREATE VIEW visible_\(kind.name) AS
                SELECT \(columns.joined(separator: ", ")) FROM standing_\(kind.name) WHERE NOT concealed;
            """
    }

    /// Whether a record would be shown if nobody had hidden anything.
    private static func stands(_ kind: Kind) -> String {
        var conditions = kind.fields.filter(\.isRequired).map { "\"\($0.name)\" IS NOT NULL" }
        if let onOff = kind.onOff { conditions.append("\"\(onOff)\" = 1") }
        if let hangs = hangs(kind, onThe: "standing") { conditions.append(hangs) }
        return conditions.isEmpty ? "true" : conditions.joined(separator: " AND ")
    }

    /// Whether what a record of `kind` hangs on is in the views of that name; nil where it hangs on nothing.
    private static func hangs(_ kind: Kind, onThe view: String) -> String? {
        guard case .record(let kinds, let orNothing) = kind.target else { return nil }
        var parents = kinds.compactMap { Kind.numbered($0) }.map { condition(of: kind, under: $0, inThe: view) }
        if orNothing { parents.append("target = \(TargetColumn.nothing)") }
        return "(\(parents.joined(separator: " OR ")))"
    }

    private static func condition(of kind: Kind, under parent: Kind, inThe view: String) -> String {
        let name = kind.name
        let author = kind.isCreators ? " AND parent.author = \(name).author" : ""
        let direct = """
            EXISTS (
                SELECT 1 FROM \(view)_\(parent.name) AS parent
                WHERE parent.id = \(name).target\(author)\(audience(of: kind, under: "parent"))
            )
            """
        // A report is about that one record, which everybody can look at, whatever continues it.
        guard parent == .moment, kind.audience != .moderators else { return direct }
        let inherited = """
            EXISTS (
                SELECT 1 FROM lineage AS old JOIN \(view)_moment AS parent ON parent.id = old.moment
                WHERE old.ancestor = \(name).target\(author)\(audience(of: kind, under: "old"))
            )
            """
        guard let least = kind.participation else { return "(\(direct) OR \(anyLineage) AND \(inherited))" }
        let taking = """
            EXISTS (
                SELECT 1 FROM \(view)_moment AS parent
                JOIN participation AS part ON part.target = parent.id AND part.author = \(name).author
                WHERE parent.id = \(name).target AND part.state >= \(least.rawValue)
                    AND \(within("part", "parent"))\(audience(of: kind, under: "parent"))
            )
            """
        return "(\(taking) OR \(anyLineage) AND \(inheritedTaking(kind, least, inThe: view)))"
    }

    /// A record that hangs on a moment which another one continues, or on that other one, of somebody who takes part in either.
    private static func inheritedTaking(_ kind: Kind, _ least: ParticipationState, inThe view: String) -> String {
        """
        EXISTS (
            SELECT 1 FROM lineage AS old JOIN \(view)_moment AS parent ON parent.id = old.moment
            JOIN lineage AS other ON other.moment = old.moment
            JOIN participation AS part ON part.target = other.ancestor AND part.author = \(kind.name).author
            WHERE old.ancestor = \(kind.name).target AND part.state >= \(least.rawValue)
                AND \(within("part", "other"))\(audience(of: kind, under: "old"))
        )
        """
    }

    /// Most events have no moment that continues another; where there is none this is asked once.
    private static let anyLineage = "EXISTS (SELECT 1 FROM lineage)"

    // MARK: - For whom

    /// What hangs on a record is sealed for its audience, or for fewer of those who read what is for everybody.
    static func within(_ child: String, _ parent: String) -> String {
        "(\(child).audience = \(parent).audience OR \(parent).audience = 0)"
    }

    private static func audience(of kind: Kind, under parent: String) -> String {
        switch kind.audience {
        case .inherited: " AND \(within(kind.name, parent))"
        case .moderators: " AND \(parent).audience = 0"
        case .chosen, .own, .pair: ""
        }
    }

    // MARK: - Hidden

    /// Whether a moderator hid the record in a row of `kind`, or what it hangs on.
    private static func concealed(_ kind: Kind) -> String {
        let itself = kind.identity == .delta ? hidden("\(kind.name).id") : "false"
        guard let hangs = hangs(kind, onThe: "visible") else {
            return kind == .moment ? "(\(itself) OR \(anyLineage) AND \(hiddenBefore))" : itself
        }
        // Of several moments that show it one may be hidden; without such, looking upwards is quicker.
        let above = hidings(above: kind, target: "\(kind.name).target").joined(separator: " OR ")
        return "(\(itself) OR CASE WHEN \(anyLineage) THEN NOT \(hangs) ELSE \(above) END)"
    }

    /// Whether an earlier moment is hidden that a moment continues, for all who can open this one: nobody brings back by a
    /// new moment what hangs on a hidden one.
    private static let hiddenBefore = """
        EXISTS (
            SELECT 1 FROM lineage AS old JOIN hiding ON hiding.record = old.ancestor AND hiding.hides = 1
            WHERE old.moment = moment.id AND \(within("moment", "old"))
        )
        """

    /// Whether somebody hid what a record of `kind` hangs on, or what that hangs on.
    private static func hidings(above kind: Kind, target: String) -> [String] {
        guard case .record(let kinds, _) = kind.target else { return [] }
        let further = kinds.compactMap { Kind.numbered($0) }.flatMap { parent in
            let above = "(SELECT parent.target FROM \(parent.name) AS parent WHERE parent.id = \(target))"
            return hidings(above: parent, target: above)
        }
        return [hidden(target)] + further
    }

    private static func hidden(_ record: String) -> String {
        "EXISTS (SELECT 1 FROM hiding WHERE hiding.hides = 1 AND hiding.record = \(record))"
    }
}
