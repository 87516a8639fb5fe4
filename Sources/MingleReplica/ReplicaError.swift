// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// Why the replica refused something; the descriptions are for people.
package enum ReplicaError: Error, Equatable, CustomStringConvertible {
    /// The database file is not a database, or damaged.
    case damaged(path: String, detail: String)
    /// Another version of the program made the database.
    case otherVersion(path: String)
    /// The disk is full.
    case noSpace(path: String)
    /// The database did not do what it was asked, for a reason that is neither of these.
    case failed(path: String, detail: String)
    /// There is no record of that id here.
    case notFound(String)
    /// The record is somebody else's.
    case notYours(String)
    /// This person's level is below those who write that.
    case notAtYourLevel(Level)
    /// A host did not let this person in, who waited for that.
    case declined
    /// No host let this person in yet.
    case waiting
    /// This person was removed from the event.
    case removed
    /// This person has left the event.
    case left
    /// This person said on another device that this one is not to be used any more.
    case deviceRetired
    /// Somebody of a higher level said something else about a person.
    case decidedAbove
    /// No key to write with has come yet.
    case locked
    /// Somebody was removed who has all keys at hand, and no new one has come yet.
    case keyOutdated
    /// This person does not belong to those for whom the record is, or not any more.
    case notInvited
    /// This device's key was used on another machine: the data folder was copied.
    case keyUsedElsewhere
    /// The files were closed: the event was left, or is being opened anew.
    case closed
    /// As many people are muted as can be.
    case tooManyMuted
    /// This person has written as much as other nodes keep, in bytes.
    case quotaReached(Int)
    /// This person has written as much as other nodes keep of what is dated within one hour, which goes on for some minutes; nil if
    /// the next one is full as well.
    case rateReached(Int, minutesLeft: Int?)
    /// This person has made keys for private moments, or for reports, as many as other nodes keep, in bytes.
    case keyQuotaReached(Int)
    /// Of a removed person nothing more is held that could count by what was said.
    case nothingToRescue
    /// The values do not fit the kind.
    case invalid(String)

    package var description: String {
        switch self {
        case .damaged(let path, let detail):
            "The event's database \(path) is damaged (\(detail)). Run `mingle repair`: it keeps what is intact and fetches the "
                + "rest from the others. If nobody else has the rest, restore a backup (mingle restore)."
        case .otherVersion(let path):
            "The event's database \(path) was made by another version of Mingle, and this version cannot read it. Its content is "
                + "unchanged. Start the version that made it; or move the data folder away, start again, and join the event by "
                + "a new invitation."
        case .noSpace(let path):
            "The disk that holds \(path) is full. Free some space. The node then continues by itself."
        case .failed(let path, let detail):
            "The event's database \(path) failed (\(detail)). Try again. If that does not help, run `mingle doctor`, which "
                + "checks the folder's owner and the free space, and then `mingle verify`."
        case .notFound(let id): "There is no record \(id) here. It may not have arrived yet, or it was deleted."
        case .notYours(let what): "\(what) belongs to somebody else. Only its author can change or delete it."
        case .notAtYourLevel(let level):
            "You are \(level.phrase) of this event and may not do that. Ask a host of the event to allow it."
        case .declined:
            "You were not let into this event, so others would not receive what you write. A host can still let you in."
        case .waiting: "You wait to be let in. Ask a host of the event to let you in."
        case .removed:
            "You were removed from this event, so others would not receive what you write. A host can let you in again."
        case .left:
            "You have left this event, so others would not receive what you write. A host can let you in again."
        case .deviceRetired:
            "You retired this device on another one of yours, so others would not receive what it writes. To use this device "
                + "again, leave the event here (mingle event leave) and join by a link."
        case .decidedAbove:
            "Somebody with a higher role decided otherwise about that person, or the person is not in the event. Ask the founder."
        case .keyOutdated:
            "Somebody was removed or uninvited, and the new key has not arrived yet. Try again in half a minute."
        case .notInvited: "Only people who are invited can do that. Ask the creator of the moment to invite you."
        case .locked: "The event's key has not arrived yet. Keep this node running near another participant."
        case .keyUsedElsewhere:
            "This data folder was copied and started elsewhere, so this device may not write any more. "
                + "Restart the node. It then continues as a new device of yours."
        case .closed: "The event is closed: it was left, or it is being reopened. Try again in a moment."
        case .tooManyMuted:
            "You have muted \(Replica.mutedLimit) people, which is the limit. Unmute somebody first (mingle people unmute)."
        case .quotaReached(let bytes):
            "This was not saved: you have written as much in this event as others keep of one person "
                + "(\(Quota.text(bytes)), pictures aside). Delete some of your photos, comments or moments, then try again."
        case .rateReached(let count, let minutes):
            "This was not saved: you have shared \(count) items within an hour on all your devices, and others may not keep "
                + "more of one person. " + Self.advice(minutes)
        case .keyQuotaReached(let bytes):
            "This was not saved: you have made as many keys in this event as others keep of one person "
                + "(\(Quota.text(bytes))). Keys cannot be deleted, so you cannot start anything private any more, nor invite "
                + "people to it. You can still share with everybody and uninvite people."
        case .nothingToRescue: "Nothing more that the person wrote until then is on this device."
        case .invalid(let what): what
        }
    }

    /// What helps who has written too much in an hour.
    private static func advice(_ minutesLeft: Int?) -> String {
        guard let minutes = minutesLeft else {
            return
                "The next hour is full as well: the clock of one of your devices was ahead, or somebody else uses that "
                + "device. Delete what it shared, or retire it (mingle devices retire), then try again."
        }
        return "Try again in \(minutes) \(minutes == 1 ? "minute" : "minutes")."
    }
}
