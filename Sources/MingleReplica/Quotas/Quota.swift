// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleWire

/// How many bytes of payloads are held of one person in one event.
///
/// It never decides what counts: of what goes beyond it the header stays, as if the payload had not come. Headers, deletions and
/// fabric are in no quota.
package struct Quota: Hashable, Sendable {
    /// Bytes of what is sealed: the person's words.
    package let words: Int
    /// Bytes of the keys of private audiences: they are in the clear, and words must not crowd them out.
    package let keys: Int

    /// States a quota; of keys as much as a quarter of the words, unless it is said.
    package init(words: Int, keys: Int? = nil) { (self.words, self.keys) = (words, keys ?? words / 4) }

    /// What nodes hold unless somebody says otherwise, and what nobody writes more than.
    ///
    /// A photo takes some 700 bytes of words and a comment some 300, so it is 90 000 photos or 200 000 comments: nobody shares as much
    /// in one event who does not mean to harm, and a phone has room for a hundred who do.
    package static let customary = Quota(words: 64_000_000)

    /// Bytes as people say them.
    package static func text(_ bytes: Int) -> String {
        bytes < 1_000_000 ? "\(bytes) bytes" : "\(bytes / 1_000_000) MB"
    }

    /// What somebody may have written before no more is begun for a purpose.
    func share(for purpose: Purpose) -> Quota {
        Quota(words: words * purpose.sixteenths / 16, keys: keys * purpose.sixteenths / 16)
    }
}

/// What a device writes something for; the less it is the person's own wish, the less of what others keep it may use up.
///
/// Else somebody who has it hand keys on without end would leave its person no room to say anything.
enum Purpose {
    /// Keys for audiences that somebody else founded, which the device sees to by itself.
    case dutyToOthers
    /// What else the device does by itself: keys for audiences that its person founded, and hiding what people reported.
    case duty
    /// Keys for this person's own devices.
    case dutyToOwnDevices
    /// What the person shares.
    case deed
    /// What takes something back, as who is uninvited, and what helps against others, as reports: it is small, and always possible.
    case takingBack

    fileprivate var sixteenths: Int {
        switch self {
        case .dutyToOthers: 4
        case .duty: 8
        case .dutyToOwnDevices, .deed: 12
        // What others would not keep would be no use as a key; one that was begun may be longer than what is left.
        case .takingBack: 15
        }
    }
}

/// What is held of one device's content journal, or is to be fetched.
struct Usage: Equatable {
    var words = 0
    var keys = 0
    /// Deltas whose payload was let go of.
    var letGo = 0

    /// Whether a payload fits; deletions always do.
    func fits(_ length: Int, isKey: Bool, within quota: Quota?) -> Bool {
        guard let quota, length > 0 else { return true }
        return isKey ? keys + length <= quota.keys : words + length <= quota.words
    }

    /// Whether there is more than the quota.
    func exceeds(_ quota: Quota, inKeys: Bool) -> Bool { inKeys ? keys > quota.keys : words > quota.words }

    /// Counts bytes that came, or less than none for such that went.
    mutating func count(_ length: Int, isKey: Bool) {
        if isKey { keys += length } else { words += length }
    }

    static func + (left: Usage, right: Usage) -> Usage {
        Usage(words: left.words + right.words, keys: left.keys + right.keys, letGo: left.letGo + right.letGo)
    }

    static func - (left: Usage, right: Usage) -> Usage {
        Usage(words: left.words - right.words, keys: left.keys - right.keys, letGo: left.letGo - right.letGo)
    }
}

/// What is held of all devices of one person.
struct Share {
    /// The retired ones that count by themselves.
    let apart: Set<Int64>
    /// What is held of all others together.
    private(set) var used = Usage()
    /// Deltas of any of them whose payload was let go of.
    private(set) var letGo = 0

    init(apart: Set<Int64>) { self.apart = apart }

    /// Counts what came of a device, or less than none for what went.
    mutating func count(_ change: Usage, of device: Int64) {
        letGo += change.letGo
        if !apart.contains(device) { used = used + change }
    }
}

extension Header {
    /// Whether it is of a private audience's key: nothing else in a content journal is in the clear.
    var isOfKey: Bool { epoch == .plaintext }
}
