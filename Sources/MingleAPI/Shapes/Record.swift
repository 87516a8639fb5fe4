// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension API {
    /// A record of any kind; its members besides these follow from the kind's declaration.
    package struct Record: Sendable {
        /// Its id; nil for keyed ones.
        package var id: String?
        package var kind: String
        /// What it hangs on: the id of a record or of a person.
        package var target: String?
        package var targetKind: String?
        /// Whom it is about besides.
        package var subject: Person?
        package var author: Person
        package var posted: Date
        package var mine: Bool
        package var `private`: Bool
        package var hidden: Hidden?
        /// Metres from the position that a list was asked for.
        package var distanceM: Int?
        /// What its fields hold, and what is told of the records that hang on it.
        package var members: [String: JSON]

        package init(
            id: String?,
            kind: String,
            target: String?,
            targetKind: String?,
            subject: Person?,
            author: Person,
            posted: Date,
            private: Bool,
            hidden: Hidden?,
            distanceM: Int?,
            members: [String: JSON]
        ) {
            (self.id, self.kind, self.target, self.targetKind) = (id, kind, target, targetKind)
            (self.subject, self.author, self.posted, self.mine) = (subject, author, posted, author.me)
            (self.private, self.hidden, self.distanceM, self.members) = (`private`, hidden, distanceM, members)
        }
    }

    /// A picture that was uploaded for a record: `id` is what the record's `picture` says.
    package struct Picture: Codable, Sendable {
        package var id: String
        /// Pixels across, as it is looked at.
        package var width: Int
        /// Pixels down, as it is looked at.
        package var height: Int

        package init(id: String, width: Int, height: Int) { (self.id, self.width, self.height) = (id, width, height) }
    }

    /// A file that comes in parts.
    package struct Upload: Codable, Sendable {
        package var id: String
        /// Bytes that have come.
        package var offset: Int
        /// Bytes of the whole file.
        package var length: Int

        package init(id: String, offset: Int, length: Int) {
            (self.id, self.offset, self.length) = (id, offset, length)
        }
    }

    /// One page of records of a kind.
    package struct RecordList: Sendable {
        /// The kind's name for several, which is the member of the list.
        package var plural: String
        package var records: [Record]
        package var next: String?

        package init(plural: String, records: [Record], next: String?) {
            (self.plural, self.records, self.next) = (plural, records, next)
        }
    }
}

/// A member of any name.
private struct Member: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension API.Record: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Member.self)
        for (name, value) in members { try object.encode(value, forKey: Member(name)) }
        try object.encodeIfPresent(id, forKey: Member("id"))
        try object.encode(kind, forKey: Member("kind"))
        try object.encodeIfPresent(target, forKey: Member("target"))
        try object.encodeIfPresent(targetKind, forKey: Member("target_kind"))
        try object.encodeIfPresent(subject, forKey: Member("subject"))
        try object.encode(author, forKey: Member("author"))
        try object.encode(posted, forKey: Member("posted"))
        try object.encode(mine, forKey: Member("mine"))
        try object.encode(self.private, forKey: Member("private"))
        try object.encodeIfPresent(hidden, forKey: Member("hidden"))
        try object.encodeIfPresent(distanceM, forKey: Member("distance_m"))
    }
}

extension API.RecordList: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Member.self)
        try object.encode(records, forKey: Member(plural))
        try object.encodeIfPresent(next, forKey: Member("next"))
    }
}
