// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension API {
    /// What a phone is told of the event at whose door it is.
    package struct Visit: Codable, Sendable {
        package var title: String
        package var people: Int
        package var photos: Int
        package var moments: Int
        /// What the door is called.
        package var door: String
        /// Whether guests may share and write, and not only look.
        package var takesPart: Bool
        /// Whether a moderator looks at what guests send before others see it.
        package var held: Bool
        /// Whether guests see only what they sent themselves.
        package var dropOnly: Bool
        /// Who the guest is; nil for a browser that only looked so far.
        package var me: Person?
        /// Whether the guest said a name.
        package var named: Bool
        /// The areas of the event that are on.
        package var areas: [String]
        /// The IANA time zone in which times are shown; nil: that of the reader.
        package var timeZone: String?
        /// The ISO 4217 currency of prices; nil: nobody said.
        package var currency: String?

        package init(
            title: String,
            people: Int,
            photos: Int,
            moments: Int,
            door: String,
            takesPart: Bool,
            held: Bool,
            dropOnly: Bool,
            me: Person?,
            named: Bool,
            areas: [String],
            timeZone: String?,
            currency: String?
        ) {
            (self.title, self.people, self.photos, self.moments) = (title, people, photos, moments)
            (self.door, self.takesPart, self.held, self.dropOnly) = (door, takesPart, held, dropOnly)
            (self.me, self.named, self.areas) = (me, named, areas)
            (self.timeZone, self.currency) = (timeZone, currency)
        }
    }

    /// A code by which a guest takes part with another phone.
    package struct SignInCode: Codable, Sendable {
        /// Eight digits.
        package var code: String
        package var expires: Date

        package init(code: String, expires: Date) { (self.code, self.expires) = (code, expires) }
    }

    /// What a phone shows that another one made.
    package struct SignIn: Codable, Sendable {
        package var code: String

        package init(code: String) { self.code = code }
    }
}
