// SPDX-License-Identifier: Apache-2.0

package import MingleAPI

/// What a door tells its guests.
extension API.Problem {
    static let onlyLooking = API.Problem(.notAllowed, "You can only look at this page.")
    static let noNewcomers = API.Problem(
        .notAllowed,
        "A host has closed this page to newcomers. You can look on. To take part, ask a host for another code."
    )
    static let noGuest = API.Problem(.conflict, "Share or say something first. Then you can go on with another phone.")
    package static let wrongSignInCode = API.Problem(
        .notFound,
        "This code is not valid. Make a new one on your other phone: it is good once, for ten minutes."
    )
    static let someoneElse = API.Problem(
        .conflict,
        "This phone takes part already. Leave the event on it first, or go on as you are."
    )

    static func wrongClock(_ complaint: String) -> API.Problem {
        API.Problem(.unavailable, "Nothing can be shared just now: \(complaint)")
    }

    static let guestLeft = API.Problem(.notAllowed, "You have left this event. To take part again, scan the code.")
    static let guestRemoved = API.Problem(
        .notAllowed,
        "A host removed you from this event. To take part again, scan the code."
    )
}
