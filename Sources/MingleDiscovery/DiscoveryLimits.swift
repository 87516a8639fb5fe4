// SPDX-License-Identifier: Apache-2.0

/// The bounds of what others on the network can make discovery keep, ask or repeat.
package struct DiscoveryLimits: Sendable {
    /// Nodes of one event that are resolved at once; peers tell of the rest.
    package var resolvedPerEvent = 8

    /// Names of our events that are kept, and as many of strangers, which may be ours after joining.
    package var names = 4_096

    /// Of these of one event, so that strangers' take nothing from our own; nil: as many.
    package var namesPerEvent: Int?

    /// Network paths kept for one name.
    package var sightingsPerName = 8

    /// Rejections that are remembered until they are taken: of all that is resolved of an event, for a name of which one is lost
    /// keeps its place for good.
    package var rejections: Int { max(64, resolvedPerEvent) }

    /// Services that we publish.
    package var advertisements = 64

    /// How long a new name rests, so that IPv4 can show up too, and the choice is among many.
    package var settling = Duration.milliseconds(200)

    /// How long an answer to a resolution is waited for; Avahi itself gives up after five seconds.
    package var resolution = Duration.seconds(10)

    /// Pauses before a name that failed is resolved again.
    package var resolveAgain = Backoff(first: .seconds(5), most: .seconds(300))

    /// Pauses before the daemon is looked for again; the longest is what somebody who has just started it waits for.
    package var connectAgain = Backoff(first: .milliseconds(250), most: .seconds(2))

    /// Pauses before publishing again after a failure or a second collision.
    package var publishAgain = Backoff(first: .seconds(1), most: .seconds(60))

    /// How often it is looked at whether others are there who say the same: who shuts a lid says no goodbye, and Avahi believes in them
    /// for 75 minutes.
    package var rest = Duration.seconds(180)

    /// Names that are looked at then; those that do not answer count for nothing, and of the rest the next ones are looked at later.
    package var checks = 8

    /// How often a name is asked for, on one of its paths after the other, before it counts as gone: what is lost on the air is asked again.
    package var checkTries = 2

    /// How long something must have gone well for earlier failures to be forgotten.
    package var recovery = Duration.seconds(60)

    /// The defaults.
    package init() {}

    /// Those for open events, which strangers say: fewer names are kept, of strangers' half as many, and more of them are resolved, one
    /// by one, as long as somebody looks.
    package static var open: DiscoveryLimits {
        var limits = DiscoveryLimits()
        (limits.names, limits.namesPerEvent, limits.resolvedPerEvent) = (512, 256, 128)
        return limits
    }
}

/// Pauses that double up to a maximum.
package struct Backoff: Sendable {
    /// The first pause.
    package var first: Duration

    /// The longest pause.
    package var most: Duration

    /// Describes a sequence of pauses.
    package init(first: Duration, most: Duration) {
        self.first = first
        self.most = most
    }

    /// The pause after so many failures in a row: none after none.
    package func pause(after failures: Int) -> Duration {
        guard failures > 0 else { return .zero }
        return min(most, first * (1 << min(failures - 1, 16)))
    }
}
