// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// How much is held of one person in one event: bytes of payloads, and how many words that the person dates within one hour.
///
/// It never decides what counts: of what goes beyond it the header stays, as if the payload had not come. Headers, deletions and
/// fabric are in no quota.
package struct Quota: Hashable, Sendable {
    /// Bytes of what is sealed: the person's words.
    package let words: Int
    /// Bytes of the keys of private audiences: they are in the clear, and words must not crowd them out.
    package let keys: Int
    /// Deltas with words that carry times of the same hour, by the author's clock.
    ///
    /// It goes by that and not by when they come, so a newcomer gets all that is old at once; who spreads false times over the past meets
    /// the bytes instead. Keys are not among them, as who lacks one reads nothing.
    package let hourly: Int

    /// States a quota; of keys as much as a quarter of the words, unless it is said.
    package init(words: Int = Quota.customary.words, keys: Int? = nil, hourly: Int = Quota.customaryHourly) {
        (self.words, self.keys, self.hourly) = (words, keys ?? words / 4, hourly)
    }

    /// What nodes hold unless somebody says otherwise, and what nobody writes more than.
    ///
    /// A photo takes some 700 bytes of words and a comment some 300, so it is 90 000 photos or 200 000 comments: nobody shares as much
    /// in one event who does not mean to harm, and a phone has room for a hundred who do.
    package static let customary = Quota(words: 64_000_000)

    /// More than two things a second, for an hour: three devices that bring in an album of 2000 photos each do not come as far.
    package static let customaryHourly = 8000

    /// What is kept of a person who is at a level, or would be if nobody had put the person lower.
    ///
    /// A host brings in the places of a fair at once. It goes by what was granted and not by what was taken, so that a
    /// newcomer keeps as much of a former host as those who were there.
    package func raised(for base: Level?) -> Quota {
        guard let base, base >= .host else { return self }
        let (times, overflows) = hourly.multipliedReportingOverflow(by: Self.hostFactor.numerator)
        return Quota(words: words, keys: keys, hourly: overflows ? .max : times / Self.hostFactor.denominator)
    }

    /// Of a host two and a half times as much is kept of an hour: 20 000 words.
    private static let hostFactor = (numerator: 5, denominator: 2)

    /// Bytes as people say them.
    package static func text(_ bytes: Int) -> String {
        bytes < 1_000_000 ? "\(bytes) bytes" : "\(bytes / 1_000_000) MB"
    }

    /// What somebody may have written before no more is begun for a purpose.
    func share(for purpose: Purpose) -> Quota {
        Quota(
            words: words * purpose.sixteenths / 16,
            keys: keys * purpose.sixteenths / 16,
            hourly: hourly * purpose.sixteenths / 16
        )
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
