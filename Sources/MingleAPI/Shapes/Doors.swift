// SPDX-License-Identifier: Apache-2.0

extension API {
    /// A door of an event: a machine that lets phones take part.
    package struct Door: Codable, Sendable {
        package var person: Person
        /// Whether phones take part by it; a host may have closed it.
        package var open: Bool
        /// How many people came by it.
        package var guests: Int
        /// How it is, where it runs beside this node.
        package var own: OwnDoor?

        package init(person: Person, open: Bool, guests: Int, own: OwnDoor? = nil) {
            (self.person, self.open, self.guests, self.own) = (person, open, guests, own)
        }
    }

    /// The door that runs beside this node.
    package struct OwnDoor: Codable, Sendable {
        /// Where phones open it, the likeliest first; each has the code.
        package var addresses: [String]
        /// Whether a moderator looks at what guests send before others see it.
        package var held: Bool
        /// Whether guests see only what they sent themselves.
        package var dropOnly: Bool
        /// The name of the Wi-Fi on the poster.
        package var wifi: String?

        package init(addresses: [String], held: Bool, dropOnly: Bool, wifi: String? = nil) {
            (self.addresses, self.held, self.dropOnly, self.wifi) = (addresses, held, dropOnly, wifi)
        }
    }

    /// How a door is to be opened beside this node.
    package struct NewDoor: Codable, Equatable, Sendable {
        /// Where phones reach it, as `HOST:PORT`; without it `0.0.0.0:8080`.
        package var listen: String?
        /// What it is called among the people.
        package var name: String?
        /// Whether a moderator looks at what guests send before others see it.
        package var held: Bool?
        /// Whether guests see only what they sent themselves.
        package var dropOnly: Bool?
        /// The Wi-Fi that the poster leads to.
        package var wifi: Wifi?

        package init(
            listen: String? = nil,
            name: String? = nil,
            held: Bool? = nil,
            dropOnly: Bool? = nil,
            wifi: Wifi? = nil
        ) {
            (self.listen, self.name, self.held, self.dropOnly, self.wifi) = (listen, name, held, dropOnly, wifi)
        }

        /// These terms, and those of `former` where nothing new is said.
        ///
        /// A Wi-Fi without a name takes the former one away; one without a password keeps that of the same name.
        package func over(_ former: NewDoor?) -> NewDoor {
            var terms = self
            terms.listen = listen ?? former?.listen
            terms.name = name ?? former?.name
            terms.held = held ?? former?.held
            terms.dropOnly = dropOnly ?? former?.dropOnly
            terms.wifi = wifi ?? former?.wifi
            if wifi?.ssid.isEmpty == true { terms.wifi = nil }
            if let wifi, wifi.password == nil, wifi.ssid == former?.wifi?.ssid { terms.wifi = former?.wifi }
            return terms
        }
    }

    /// A Wi-Fi, as a poster leads to it.
    package struct Wifi: Codable, Hashable, Sendable {
        package var ssid: String
        /// Nil: it has none.
        package var password: String?

        package init(ssid: String, password: String? = nil) { (self.ssid, self.password) = (ssid, password) }
    }
}

extension API.Envelope {
    package struct Doors: Codable, Sendable {
        package var doors: [API.Door]

        package init(doors: [API.Door]) { self.doors = doors }
    }
}
