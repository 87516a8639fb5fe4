// SPDX-License-Identifier: Apache-2.0

package import MingleModel
package import MingleSync

/// What is next for a device whose person leaves an event: all that the person shared reaches somebody, then that the person has
/// left, and once somebody has said to know it, the event's folder goes.
///
/// It is a value without clocks and I/O. It is asked about once a second, and told of what is served and heard in between.
package struct Departure: Sendable {
    /// What is to be done now.
    package enum Step: Hashable, Sendable {
        /// Nothing.
        case wait
        /// Ask those who are linked whether they hold the same.
        case reconcile
        /// The same, and take nobody to hold it who said so before.
        case compareAnew
        /// Delete what the person shared, or a part of it.
        case erase
        /// Say that the person has left.
        case say
        /// Delete the event's folder.
        case forget
        /// Leave no more, as a host let the person in again before anybody was known to have heard.
        case stay
    }

    /// A linked device of somebody else's who was let in.
    package struct Other: Hashable, Sendable {
        /// Whether it has told that it holds the same, since something was written here last.
        package var isInSync: Bool
        /// Whether it is owed something, or something is on its way to it.
        package var isAwaiting: Bool

        /// Describes one.
        package init(isInSync: Bool, isAwaiting: Bool) { (self.isInSync, self.isAwaiting) = (isInSync, isAwaiting) }
    }

    /// What is the case when it is asked.
    package struct Scene: Sendable {
        /// The linked devices of others who were let in, relays' as well; not those of the person.
        package var others: [Other] = []
        /// Whether the person was let in, and so may have shared something.
        package var hasPart = true
        /// Whether the person has left, by what is held here.
        package var isSaid = false
        /// Whether the person wants everything that they shared to be deleted first.
        package var erases = false
        /// Whether that is done.
        package var isErased = true
        /// How many blobs of what is handed over nobody else is known to hold whole: peers fetch them when it is their turn.
        package var unhanded = 0
        /// Whether there is nobody to be told, or nobody was reached for too long.
        package var isOver = false

        /// Nobody is linked, and the person, who was let in, has said nothing yet.
        package init() {}
    }

    /// How long nothing may have been on its way before nobody is taken to want any more.
    package static let quiet = Duration.seconds(2)
    /// How long somebody else is linked who fetches nothing and does not come to hold the same, before that one is told without.
    package static let patience = Duration.seconds(60)
    /// The same for those who go on fetching, or lack pictures and fetch none; counted anew whenever a picture has arrived.
    package static let longestPatience = Duration.seconds(600)
    /// How long nobody has looked where the machine is taken to have slept: of the links there were then some may be gone.
    package static let gap = Duration.seconds(10)
    /// Connections of which something is remembered.
    private static let rememberedPeers = 256

    /// Devices of others that have said that they know.
    package private(set) var receipts: Set<DeviceName> = []
    /// Whether somebody knows what was said here, so that the folder goes.
    package var isHeard: Bool { isSaid && !receipts.isEmpty }
    private var isSaid: Bool
    /// Since when somebody else has been linked without a break.
    private var accompaniedSince: Duration?
    private var lastServed: Duration
    /// When the fewest blobs were left that nobody else held, and how many these are.
    private var lastHanded: (at: Duration, left: Int)
    /// When it was asked last, and whether it had not been for so long that links have to prove themselves anew.
    private var lastAsked: Duration?
    private var wasAsleep = false
    /// Since when some have said that the person has left already, and none has let the person in.
    private var deniedSince: Duration?
    /// Connections that said that they know, and others' devices that connections have proved to be: either may come first.
    private var claims: Set<PeerID> = []
    private var known: [PeerID: DeviceName] = [:]

    /// Looks at links before anybody leaves, or goes on after a restart, where the person may have said it already.
    package init(isSaid: Bool = false, at now: Duration) {
        (self.isSaid, lastServed, lastHanded) = (isSaid, now, (now, .max))
    }

    /// The person begins to leave: nothing that was claimed before counts, and who is linked has all the time still.
    package mutating func begin(at now: Duration) {
        (receipts, claims, accompaniedSince, lastServed, isSaid) = ([], [], nil, now, false)
        (lastAsked, wasAsleep, lastHanded, deniedSince) = (nil, false, (now, .max), nil)
    }

    /// A peer was sent something that it had asked for.
    package mutating func noteServing(at now: Duration) { lastServed = now }

    /// The person has said to have left: what was heard before was of another device's word.
    package mutating func noteSaid() { (isSaid, receipts, claims) = (true, [], []) }

    /// A peer has proved that it is a device of somebody else's who was let in.
    package mutating func meet(_ peer: PeerID, _ device: DeviceName) {
        if claims.remove(peer) != nil { receipts.insert(device) }
        known[peer] = device
        if known.count > Self.rememberedPeers, let oldest = known.keys.min() { known[oldest] = nil }
    }

    /// A peer says that it knows that the person has left: on this device, once that was said here, else on another one.
    package mutating func hear(_ peer: PeerID) {
        if let device = known[peer] {
            receipts.insert(device)
        } else {
            claims.insert(peer)
            if claims.count > Self.rememberedPeers, let oldest = claims.min() { claims.remove(oldest) }
        }
    }

    /// What is to be done, about once a second.
    package mutating func next(_ scene: Scene, at now: Duration) -> Step {
        noteAsking(at: now)
        if scene.isOver { return .forget }
        // Others may lift it, and then let the person in again.
        if isSaid, !scene.isSaid { return .stay }
        isSaid = scene.isSaid
        guard !isSaid else { return receipts.isEmpty ? .wait : .forget }
        if isDenied(scene, now) { return .forget }
        guard scene.isErased else { return .erase }
        guard scene.hasPart else { return .say }
        guard !scene.others.isEmpty else {
            accompaniedSince = nil
            return .wait
        }
        let since = accompaniedSince ?? now
        accompaniedSince = since
        if wasAsleep {
            wasAsleep = false
            return .compareAnew
        }
        if scene.others.contains(where: \.isAwaiting) { lastServed = now }
        if scene.unhanded < lastHanded.left { lastHanded = (now, scene.unhanded) }
        return isHandedOver(scene, since, now) ? .say : .reconcile
    }

    private mutating func noteAsking(at now: Duration) {
        if let lastAsked, now - lastAsked > Self.gap {
            (wasAsleep, accompaniedSince, lastServed, deniedSince) = (true, nil, now, nil)
        }
        lastAsked = now
    }

    /// Whether the person left on another device, as all say who are in reach: nothing that is held here alone counts any more.
    private mutating func isDenied(_ scene: Scene, _ now: Duration) -> Bool {
        if !scene.others.isEmpty { (receipts, claims) = ([], []) }
        guard !receipts.isEmpty else {
            deniedSince = nil
            return false
        }
        let since = deniedSince ?? now
        deniedSince = since
        // One who is behind says the same; what would be lost with it is waited for longer.
        return now - since > (scene.unhanded == 0 ? Self.patience : Self.longestPatience)
    }

    /// Whether somebody holds all that the person shared, or those who are linked have had their time.
    private func isHandedOver(_ scene: Scene, _ since: Duration, _ now: Duration) -> Bool {
        let (isInSync, idle) = (scene.others.contains(where: \.isInSync), now - max(since, lastServed))
        if isInSync, scene.unhanded == 0, idle > Self.quiet { return true }
        // What is to be deleted has to reach somebody; but nobody keeps others waiting for ever by fetching.
        guard isInSync || !scene.erases else { return false }
        // Who lacks pictures may be busy with others', or have paused: that nothing is fetched says little.
        return scene.unhanded == 0 && idle > Self.patience || now - max(since, lastHanded.at) > Self.longestPatience
    }
}
