// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MinglePeering

/// What a door tells its guests.
extension API.Problem {
    /// Why a guest is refused.
    init(_ refusal: GuestRefusal) {
        let detail =
            switch refusal {
            case .onlyLooking: "You can only look at this page."
            case .noNewcomers:
                "A host has closed this page to newcomers. You can look on. To take part, ask a host for another code."
            case .left: "You have left this event. To take part again, scan the code."
            case .removed: "A host removed you from this event. To take part again, scan the code."
            }
        self.init(.notAllowed, detail)
    }

    static let noGuest = API.Problem(.conflict, "Share or say something first. Then you can go on with another phone.")
    package static let wrongSignInCode = API.Problem(
        .notFound,
        "This code is not valid. Make a new one on your other phone: it is good once, for ten minutes."
    )
    static let someoneElse = API.Problem(
        .conflict,
        "This phone takes part already. Leave the event on it first, or go on as you are."
    )

    static let shutOut = API.Problem(
        .unavailable,
        "Nothing can be shared by this page just now: the others do not let it in. Ask the host for the newest code."
    )

    static func wrongClock(_ complaint: String) -> API.Problem {
        API.Problem(.unavailable, "Nothing can be shared just now: \(complaint)")
    }
}
