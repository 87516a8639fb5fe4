// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MingleCrypto
import MingleModel
package import MinglePeering

/// What lets people in at a door: a code in its address, and a key by which the door knows the browsers that showed it.
///
/// Whoever has the code sees the event, so both stay out of logs. Only their owner reads `door.json`, which holds them.
package struct DoorCode: Codable, Equatable, Sendable {
    /// Letters of a code, of five bits each: short enough to type, and too many to try at the rate that is allowed.
    package static let codeLength = 8
    private static let keyLength = 32
    private static let idLength = 8

    /// Tells this door from others on the machine, also after a new code.
    package let id: String
    /// What stands in the address.
    package let code: String
    /// What the door signs with that a browser showed the code; base32.
    private let key: String
    /// The event that both let people into; another one has its own.
    let event: String

    /// Draws all of it.
    ///
    /// - Parameter id: That of the door, where there was one before.
    package init(for event: String, id: String? = nil, _ randomness: Randomness = .system) {
        self.event = event
        self.id = id ?? Self.letters(Self.idLength, randomness)
        code = Self.letters(Self.codeLength, randomness)
        key = Base32.encode(randomness.bytes(Self.keyLength))
    }

    private static func letters(_ count: Int, _ randomness: Randomness) -> String {
        String(Base32.encode(randomness.bytes(count)).prefix(count))
    }

    /// Whether all is as this version draws it.
    private var isWhole: Bool {
        id.utf8.count == Self.idLength && code.utf8.count == Self.codeLength
            && Base32.decode(key)?.count == Self.keyLength
    }

    /// Reads the file at a path, or draws all and writes it where there is none for this event or a new code is wanted.
    package init(for event: String, at path: String, isNew: Bool = false) throws {
        let stored = FileManager.default.contents(atPath: path).flatMap { data in
            try? JSONDecoder().decode(Self.self, from: data)
        }
        let known = stored.flatMap { $0.isWhole && $0.event == event ? $0 : nil }
        if let known, !isNew {
            self = known
            return
        }
        self.init(for: event, id: known?.id)
        try SafeFile.write([UInt8](JSONEncoder().encode(self)), to: path)
    }

    /// What shows that a browser, by what it keeps, was let in by this code.
    package func mark(of browser: Browser) -> String {
        var hash = Blake2b(.browser, key: Secret(Base32.decode(key) ?? []))
        hash.update(Array("code".utf8) + browser.secret.exposed())
        return Base32.encode(hash.finalize().prefix(16))
    }
}

/// Nothing that is made of a code prints it, in a log or elsewhere.
extension DoorCode: CustomStringConvertible {
    package var description: String { "a door's code" }
}

extension Node {
    /// What lets people in at this door.
    ///
    /// - Parameter isNew: Whether the one of last time lets nobody in any more.
    package func doorCode(isNew: Bool = false) throws -> DoorCode {
        let session = try openedSession()
        return try DoorCode(for: session.event.description, at: session.files.door, isNew: isNew)
    }

    /// The picture of where people scan, and the words of it.
    package var posterFiles: [String] { ["door.svg", "door.txt"].map { "\(folder.path)/\($0)" } }

    /// Removes both.
    package func takeDownPoster() {
        for path in posterFiles { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Writes down where people scan, and the picture of it, for their owner's eyes only.
    package func note(address: String, picture: String) throws {
        try SafeFile.write(Array("\(address)\n".utf8), to: folder.path + "/door.txt")
        try SafeFile.write(Array(picture.utf8), to: folder.path + "/door.svg")
    }

    /// Hosts at which others on the LAN may reach this machine, the likeliest first.
    package static func localHosts() -> [String] { LocalAddresses.hosts() }
}
