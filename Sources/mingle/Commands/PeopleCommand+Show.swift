// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleNode

extension PeopleCommand {
    /// Shows one person's profile.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a person's profile.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "Person, by fingerprint or name.", completion: Offers.people) var person: String

        func run() async throws {
            let id = try await options.person(person).id
            let profile: API.Profile = try await options.client.get(options.path("people/\(id)"))
            try options.show(profile) { profile in
                let (person, counts) = (profile.person, profile.counts)
                let seen = profile.lastSeen.map { seen in
                    When.text(seen.at) + (seen.title.map { ", \($0)" } ?? "")
                }
                let rows: [(String, String?)] = [
                    ("name", person.name), ("last name", profile.own?.lastName), ("e-mail", profile.own?.email),
                    ("level", person.level), ("came by", person.byDoor.map { "phone, by \($0)" }),
                    ("fingerprint", person.fingerprint), ("connection", profile.connection), ("last seen", seen),
                    ("photos", "\(counts.photos)"),
                    ("moments", "\(counts.made) made, \(counts.joined) joined, \(counts.checkedIn) checked in"),
                    (
                        "in common",
                        person.me
                            ? nil
                            : "\(counts.commonMoments) moments, \(counts.crossedPaths) check-ins, "
                                + "\(counts.commonConnections) connections"
                    ),
                ]
                return Table.text(rows.compactMap { name, value in value.map { [name, $0] } })
            }
        }
    }
}
