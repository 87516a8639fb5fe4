// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleModel
import MinglePeering
import Synchronization

/// The guests of a door by what their browsers keep: a file for each in the folder `guests`, and all of them at hand.
///
/// A file holds nothing that opens without the browser.
final class GuestList: Sendable {
    /// Guests that a door has at most.
    static let limit = 5_000
    /// Phones with which one guest takes part at most: each is a file, and codes for more of them are free.
    static let phones = 8

    private let folder: String
    private let guests: Mutex<[String: StoredGuest]>

    /// Reads the folder; files that are not whole are left out.
    init(in folder: String) throws {
        self.folder = folder
        try SafeFile.makeFolder(folder)
        var guests: [String: StoredGuest] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) where file.hasSuffix(".json") {
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(file)"),
                let guest = try? JSONDecoder().decode(StoredGuest.self, from: data)
            else { continue }
            guests[String(file.dropLast(".json".count))] = guest
        }
        self.guests = Mutex(guests)
    }

    /// What is kept of a browser's guest; nil for a browser that only looked so far.
    subscript(browser: Browser) -> StoredGuest? {
        let name = browser.name
        return guests.withLock { $0[name] }
    }

    /// Every guest.
    var all: [StoredGuest] { guests.withLock { Array($0.values) } }

    /// Keeps a guest, on the disk first.
    ///
    /// - Throws: `API.Problem` where there are too many.
    func keep(_ guest: StoredGuest, of browser: Browser) throws {
        let name = browser.name
        try guests.withLock { guests in
            guard guests[name] != nil || guests.count < Self.limit else {
                throw API.Problem(.unavailable, "So many people came by this code that nobody else can. Tell the host.")
            }
            guard guests[name] != nil || guests.values.count(where: { $0.person == guest.person }) < Self.phones else {
                throw API.Problem(
                    .conflict,
                    "You take part with \(Self.phones) phones already, and no more can be added."
                )
            }
            try SafeFile.write([UInt8](JSONEncoder().encode(guest)), to: path(name))
            guests[name] = guest
        }
    }

    /// Forgets all that is kept of a person, on whichever browser.
    func forget(_ person: PersonID) throws {
        try guests.withLock { guests in
            for (name, guest) in guests where guest.person == person.description {
                try SafeFile.removeIfThere(path(name))
                guests[name] = nil
            }
        }
    }

    private func path(_ name: String) -> String { "\(folder)/\(name).json" }
}
