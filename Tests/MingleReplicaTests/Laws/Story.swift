// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// What some devices wrote and what of it arrives, without keys and hashes: any part of it can be left out.
struct Story: Hashable {
    /// What keys, salts and so on follow from.
    let seed: UInt64
    /// In the order in which it was written.
    var acts: [Act] = []
    /// Whether the observer opens the slot of the first invitation.
    var observerHasInvitation = false
    /// Epochs whose keys reach the observer by themselves.
    var keys: [Int] = []
    /// The act that each act of the whole story followed: what follows one that was left out follows the one before.
    var parents: [Int: Int] = [:]
}

/// One delta, in words.
struct Act: Hashable {
    enum Deed: Hashable {
        /// The certificate of a device; that of the device itself begins its fabric.
        case certificate(of: Int)
        case invitation(Int, to: Level)
        case grant(to: Int, Level)
        case closing(Int, but: [Int])
        /// Cuts what a device's person wrote behind acts, in place of earlier cuts; a level of nil removes.
        case cut(of: Int, to: Level?, behind: [Int], insteadOf: [Int])
        /// Says that a device is not to be used any more behind acts.
        case retirement(of: Int, behind: [Int])
        case epoch(Int)
        /// A private epoch's key, sealed for the observer.
        case privateEpoch(Int)
        case admission(of: Int, by: Int)
        case record(Saying)
        case deletion(of: Int)
        /// Bytes that no version understands.
        case noise([UInt8], root: Saying.Root)
    }

    /// What of the delta reaches the observer.
    enum Arrival: Hashable { case whole, withoutPayload, never }

    /// How the others of its story mention it.
    let id: Int
    let device: Int
    let deed: Deed
    var time: Int64 = 0
    /// The epoch whose key seals the payload; nil leaves it in the clear.
    var epoch: Int?
    var extensionBytes: [UInt8] = []
    var arrival = Arrival.whole

    /// The journal that it stands in.
    var journal: Journal {
        switch deed {
        case .certificate, .invitation, .grant, .closing, .cut, .retirement, .epoch, .admission: .fabric
        case .record, .deletion, .noise, .privateEpoch: .content
        }
    }
}

/// What a delta says about a record.
struct Saying: Hashable {
    enum Root: Hashable { case itself, none, act(Int) }
    enum Aim: Hashable { case nothing, person(of: Int), act(Int) }
    enum Word: Hashable { case value(Value), reference(to: Int), person(of: Int), ends(behind: [Int]) }

    /// An assertion about one field.
    struct Assertion: Hashable {
        let field: UInt32
        var word: Word
        /// Acts whose change it overwrites, and one that nobody knows where `overwritesUnknown`.
        var overwrites: [Int] = []
        var overwritesUnknown = false
        var isPinned = false
    }

    /// The kind's number, which may be of no kind.
    var kind: UInt32
    var root = Root.none
    var aim = Aim.nothing
    /// Whom it is about besides.
    var subject = Aim.nothing
    var assertions: [Assertion] = []
    /// What the header lists of the media that the assertions mention.
    var listed: [Media] = []
}

extension Story {
    /// The act that one follows in its journal, of those that are left.
    func parent(of act: Act) -> Int? {
        let left = Set(acts.map(\.id))
        var parent = parents[act.id]
        while let id = parent, !left.contains(id) { parent = parents[id] }
        return parent
    }
}
