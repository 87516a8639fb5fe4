// SPDX-License-Identifier: Apache-2.0

import MingleModel

extension Schema {
    /// The records of a kind that are shown, as views.
    ///
    /// `standing_KIND` has those that are complete and hang on what stands, with a column `concealed` that says whether a
    /// moderator hid them or what they hang on. `visible_KIND` has those that everybody sees. Whether a record is shown
    /// depends on others that may come later or go, so it is asked and never stored.
    static func views(of kind: Kind) -> String {
        let columns = ["id", "author", "target", "made"] + kind.fields.map { "\"\($0.name)\"" }
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
        if case .record(let kinds, let orNothing) = kind.target {
            var parents = kinds.compactMap { Kind.numbered($0) }.map { condition(of: kind, under: $0) }
            if orNothing { parents.append("target = \(TargetColumn.nothing)") }
            conditions.append("(\(parents.joined(separator: " OR ")))")
        }
        return conditions.isEmpty ? "true" : conditions.joined(separator: " AND ")
    }

    private static func condition(of kind: Kind, under parent: Kind) -> String {
        let exists = "EXISTS (SELECT 1 FROM standing_\(parent.name) AS parent WHERE parent.id = \(kind.name).target)"
        guard parent == .moment, let least = kind.participation else { return exists }
        return """
            (\(exists) AND EXISTS (
                SELECT 1 FROM participation
                WHERE participation.target = \(kind.name).target AND participation.author = \(kind.name).author
                    AND participation.state >= \(least.rawValue)
            ))
            """
    }

    /// Whether a moderator hid the record in a row of `kind`, or what it hangs on.
    private static func concealed(_ kind: Kind) -> String {
        let itself = kind.identity == .delta ? [hidden("\(kind.name).id")] : []
        let hidings = itself + hidings(above: kind, target: "\(kind.name).target")
        return hidings.isEmpty ? "false" : "(\(hidings.joined(separator: " OR ")))"
    }

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
