// SPDX-License-Identifier: Apache-2.0

import MingleNode

/// What is to be done about a door's poster, and to be said to its operator, as things change: a value without any I/O.
struct PosterNotices: Sendable {
    /// One thing to do.
    enum Step: Equatable {
        /// Writes the poster, and says so.
        case putUp(title: String, addresses: [String])
        /// Writes it for another address, and says that the one that hangs somewhere leads nowhere.
        case move(addresses: [String])
        /// Writes the addresses, of which the best is as before.
        case amend(addresses: [String])
        /// Takes it down, as it leads to a page that shows nothing any more.
        case takeDown
        case say(String)
    }

    let place: PosterPlace
    /// What stands behind the host in the address.
    let path: String
    /// The addresses on the poster; none while there is no poster.
    private var shown: [String] = []
    /// The address that was printed first, which a Wi-Fi that was away for a moment brings back.
    private var printed = ""
    /// What was said last that is wrong; nil while all is well.
    private var said: String?

    init(_ place: PosterPlace, path: String) { (self.place, self.path) = (place, path) }

    /// What to do now that the door is in this state, on a machine that has these addresses.
    mutating func steps(for state: DoorState, machine: [String]) -> [Step] {
        guard case .open(let title) = state else { return steps(against: state) }
        let isBack = said != nil && !shown.isEmpty
        said = nil
        let moved = isBack ? [.say("This door shows the event again.")] : [Step]()
        return moved + steps(title, machine)
    }

    private mutating func steps(_ title: String, _ machine: [String]) -> [Step] {
        let all = place.addresses(path, machine: machine)
        guard let best = shown.first else {
            (shown, printed) = (all, all.first ?? "")
            return [.putUp(title: title, addresses: all)]
        }
        // A machine that has lost its network may find it again, as it was.
        guard !place.listen.isEverywhere || !machine.isEmpty else { return [] }
        // What hangs on a wall is left in use as long as it leads somewhere, and is the best again once it does.
        guard let kept = [printed, best].first(where: all.contains) else {
            shown = all
            return [.move(addresses: all)]
        }
        let others = shown
        shown = [kept] + all.filter { $0 != kept }
        guard shown != others else { return [] }
        guard kept != best else { return [.amend(addresses: shown)] }
        return [.amend(addresses: shown), .say("The code that was printed first works again.")]
    }

    private mutating func steps(against state: DoorState) -> [Step] {
        guard let words = Self.words(for: state), words != said else { return [] }
        said = words
        guard state == .out else { return [.say(words)] }
        shown = []
        return [.takeDown, .say(words)]
    }

    /// What keeps it from being shown; nil for what ends by itself.
    private static func words(for state: DoorState) -> String? {
        switch state {
        case .raised(let level, _):
            "This door shows nothing because it is \(level) now. A host can put it back: mingle people demote."
        case .out:
            "A host removed this door from the event. It shows nothing any more, and the page says so. Stop the door, or "
                + "start it again with a new link: mingle invite --door."
        case .refused(let reason):
            "This door shows nothing because the event's members do not let it in: \(reason)."
        case .looking, .asking, .nameless, .open: nil
        }
    }
}
