// SPDX-License-Identifier: Apache-2.0

import MingleModel

extension Schema {
    /// The records of a kind that are shown, as views.
    ///
    /// `standing_KIND` has those that are complete and hang on what stands, with a column `concealed` that says whether
    /// a moderator hid them or what they hang on. `visible_KIND` has those that everybody sees who can open them.
    /// `complete_KIND` has those of `standing_KIND` and those that are off, of kinds that are switched on and off.
    /// Whether a record is shown depends on others that may come later or go, so it is asked and never stored.
    static func views(of kind: Kind) -> String {
        let columns = ["id"] + kind.headColumns + kind.fields.map { "\"\($0.name)\"" }
        return """
            CREATE VIEW standing_\(kind.name) AS
                SELECT *, \(concealed(kind)) AS concealed FROM \(kind.name) WHERE \(stands(kind));
            \(kind.isSwitched ? complete(kind) : "")
            CREATE VIEW visible_\(kind.name) AS
                SELECT \(columns.joined(separator: ", ")) FROM standing_\(kind.name) WHERE NOT concealed;
            """
    }

    private static func complete(_ kind: Kind) -> String {
        """
        CREATE VIEW complete_\(kind.name) AS
            SELECT *, \(concealed(kind)) AS concealed FROM \(kind.name) WHERE \(stands(kind, isOn: false));
        """
    }

    /// Whether a record would be shown if nobody had hidden anything.
    ///
    /// - Parameter isOn: Whether it has to be switched on.
    private static func stands(_ kind: Kind, isOn: Bool = true) -> String {
        var conditions = kind.fields.filter(\.isRequired).map { "\"\($0.name)\" IS NOT NULL" }
        if isOn, let onOff = kind.onOff { conditions.append("\"\(onOff)\" = 1") }
        conditions += kind.shownIf.compactMap { condition($0, of: kind) }
        if let hangs = hangs(kind, onThe: "standing") { conditions.append(hangs) }
        return conditions.isEmpty ? "true" : conditions.joined(separator: " AND ")
    }

    private static func condition(_ rule: ShownRule, of kind: Kind) -> String? {
        switch rule {
        case .anyOf(let fields): "(\(fields.map { "\"\($0)\" IS NOT NULL" }.joined(separator: " OR ")))"
        case .span(let start, let end, let longest):
            "\"\(end)\" > \"\(start)\" AND \"\(end)\" - \"\(start)\" <= \(longest)"
        case .owner: owns(kind, inThe: "standing")
        case .mutual:
            """
            EXISTS (
                SELECT 1 FROM \(kind.name) AS other WHERE \(kind.name).target <> \(kind.name).author
                    AND other.target = \(kind.name).author
                    AND other.author = \(kind.name).target\(kind.onOff.map { " AND other.\"\($0)\" = 1" } ?? "")
            )
            """
        // A condition of what it hangs on.
        case .creator: nil
        }
    }

    /// That the author of a record owns what it hangs on: a host says so, and the person takes part.
    private static func owns(_ kind: Kind, inThe view: String) -> String {
        """
        EXISTS (
            SELECT 1 FROM \(view)_ownership AS owned JOIN person ON person.name = owned.person
            WHERE owned.target = \(kind.name).target AND person.id = \(kind.name).author
                AND person.level <= \(Level.attendee.rawValue)
        )
        """
    }

    /// Whether what a record of `kind` hangs on is in the views of that name; nil where it hangs on no record.
    ///
    /// The kind of what it hangs on says in which table to look. A moment that continues something shows what hangs on
    /// that, of whatever kind it was: of what was deleted before its key came, nobody knows the kind.
    static func hangs(_ kind: Kind, onThe view: String) -> String? {
        guard kind.trait != nil else { return nil }
        var cases = kind.parents.map { "WHEN \($0.number) THEN \(condition(of: kind, under: $0, inThe: view))" }
        if kind.mayHangOnEvent { cases.append("WHEN \(TargetColumn.noKind) THEN target = \(TargetColumn.nothing)") }
        let direct = "CASE target_kind \(cases.joined(separator: " ")) ELSE false END"
        // A report is about that one record, which everybody can look at, whatever continues it.
        guard kind.parents.contains(.moment), kind.audience != .moderators else { return direct }
        let inherited =
            kind.participation.map { inheritedTaking(kind, $0, inThe: view) } ?? inherited(kind, inThe: view)
        return "(\(direct) OR \(anyLineage) AND \(inherited))"
    }

    private static func condition(of kind: Kind, under parent: Kind, inThe view: String) -> String {
        let name = kind.name
        let taking =
            parent == .moment
            ? kind.participation.map { least in
                """
                JOIN participation AS part ON part.target = parent.id AND part.author = \(name).author
                    AND part.state >= \(least.rawValue) AND \(within("part", "parent"))
                """
            } : nil
        return """
            EXISTS (
                SELECT 1 FROM \(view)_\(parent.name) AS parent \(taking ?? "")
                WHERE parent.id = \(name).target\(creator(kind))\(audience(of: kind, under: "parent"))
            )
            """
    }

    private static func creator(_ kind: Kind) -> String {
        kind.shownIf.contains(.creator) ? " AND parent.author = \(kind.name).author" : ""
    }

    /// A record that hangs on something that a moment continues.
    private static func inherited(_ kind: Kind, inThe view: String) -> String {
        """
        EXISTS (
            SELECT 1 FROM lineage AS old JOIN \(view)_moment AS parent ON parent.id = old.moment
            WHERE old.ancestor = \(kind.name).target\(creator(kind))\(audience(of: kind, under: "old"))
        )
        """
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
        case .inherited, .everybody: " AND \(within(kind.name, parent))"
        case .moderators: " AND \(parent).audience = 0"
        case .chosen, .own, .pair: ""
        }
    }

    // MARK: - Hidden

    /// Whether a moderator hid the record in a row of `kind`, or what it hangs on, or whether one has to look at it
    /// first.
    private static func concealed(_ kind: Kind) -> String {
        var itself = kind.identity == .delta ? hidden("\(kind.name).id") : "false"
        if kind.shownIf.contains(.owner) { itself += " OR NOT \(owns(kind, inThe: "visible"))" }
        if let held = kind.heldBack { itself += " OR ifnull(\"\(held)\" = 1, false)" }
        guard let hangs = hangs(kind, onThe: "visible") else {
            return kind == .moment ? "(\(itself) OR \(anyLineage) AND \(hiddenBefore))" : "(\(itself))"
        }
        // Of several moments that show it one may be hidden; without such, looking upwards is quicker.
        return "(\(itself) OR CASE WHEN \(anyLineage) THEN NOT \(hangs) ELSE \(concealedAbove(kind, kind.name)) END)"
    }

    /// Whether an earlier moment is hidden that a moment continues, for all who can open this one: nobody brings back by a
    /// new moment what hangs on a hidden one.
    private static let hiddenBefore = """
        EXISTS (
            SELECT 1 FROM lineage AS old JOIN hiding ON hiding.record = old.ancestor AND hiding.hides = 1
            WHERE old.moment = moment.id AND \(within("moment", "old"))
        )
        """

    /// Whether what a record in a row of `kind` hangs on is concealed, or what that hangs on.
    private static func concealedAbove(_ kind: Kind, _ row: String) -> String {
        let further = kind.parents.compactMap { parent -> String? in
            let (alias, held) = ("above_\(row)", parent.heldBack)
            var conditions = held.map { ["\(alias).\"\($0)\" = 1"] } ?? []
            if parent.trait != nil { conditions.append(concealedAbove(parent, alias)) }
            guard !conditions.isEmpty else { return nil }
            return """
                WHEN \(parent.number) THEN EXISTS (
                    SELECT 1 FROM \(parent.name) AS \(alias)
                    WHERE \(alias).id = \(row).target AND (\(conditions.joined(separator: " OR ")))
                )
                """
        }
        let itself = hidden("\(row).target")
        guard !further.isEmpty else { return itself }
        return "(\(itself) OR CASE \(row).target_kind \(further.joined(separator: " ")) ELSE false END)"
    }

    private static func hidden(_ record: String) -> String {
        "EXISTS (SELECT 1 FROM hiding WHERE hiding.hides = 1 AND hiding.record = \(record))"
    }
}
