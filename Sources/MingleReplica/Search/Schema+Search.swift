// SPDX-License-Identifier: Apache-2.0

/// The tables by which records are found by their words.
extension Schema {
    /// The folded words of all searched fields, and which records have them.
    ///
    /// A word is there while a posting names it, so nothing of a text stays after the last record that has it. The
    /// index over `text` answers by exact words, beginnings and words with an error. `posting` has the records of one
    /// word and kind in a row, the newest at the end; `record` is the record's local row.
    static let search = """
        CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE posting (
            word INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            record INTEGER NOT NULL,
            PRIMARY KEY (word, kind, record)
        ) STRICT, WITHOUT ROWID;
        """
}
