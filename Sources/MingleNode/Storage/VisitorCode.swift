// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleModel

/// What lets people look at a showcase: a code in its address, and a longer word that their browsers keep instead.
///
/// Whoever has either sees the event, so both stay out of logs, and `visitors.json`, which holds them, is for its owner's eyes
/// only.
package struct VisitorCode: Codable, Equatable, Sendable {
    /// Letters of a code, of five bits each: short enough to type, and far more than anybody tries at the rate that is allowed.
    package static let codeLength = 12
    private static let tokenLength = 52

    /// What stands in the address.
    package let code: String
    /// What a browser keeps, which nobody guesses.
    package let token: String
    /// The event that both let people look at; another one has its own.
    let event: String

    /// Draws both.
    package init(for event: String) {
        self.event = event
        code = String(Base32.encode(Randomness.system.bytes(8)).prefix(Self.codeLength))
        token = String(Base32.encode(Randomness.system.bytes(33)).prefix(Self.tokenLength))
    }

    /// Whether both are as this version draws them.
    private var isWhole: Bool { code.utf8.count == Self.codeLength && token.utf8.count == Self.tokenLength }

    /// Reads the file in a data folder, or draws both and writes it: where there is none for this event, or a new code is wanted.
    package init(for event: String, in folder: String, isNew: Bool = false) throws {
        let path = folder + "/visitors.json"
        if !isNew, let data = FileManager.default.contents(atPath: path),
            let stored = try? JSONDecoder().decode(Self.self, from: data), stored.isWhole,
            stored.event == event
        {
            self = stored
            return
        }
        self.init(for: event)
        do {
            try SafeFile.write([UInt8](JSONEncoder().encode(self)), to: path)
        } catch {
            throw error
        }
    }
}

/// Nothing that is made of a code prints it, in a log or elsewhere.
extension VisitorCode: CustomStringConvertible {
    package var description: String { "a visitors' code" }
}

extension Node {
    /// What lets people look at this showcase.
    ///
    /// - Parameter isNew: Whether the one of last time lets nobody look any more.
    package func visitorCode(isNew: Bool = false) throws -> VisitorCode {
        try VisitorCode(for: showcaseEvent ?? "", in: folder.path, isNew: isNew)
    }

    /// Forgets who might look, and where: their code and their browsers' word let nobody in any more.
    func forgetVisitors() {
        try? FileManager.default.removeItem(atPath: folder.path + "/visitors.json")
        takeDownPoster()
    }

    /// The picture of where visitors look, and the words of it.
    package var posterFiles: [String] { ["showcase.svg", "showcase.txt"].map { "\(folder.path)/\($0)" } }

    /// Removes both.
    package func takeDownPoster() {
        for path in posterFiles { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Writes down where visitors look, and the picture of it, for their owner's eyes only.
    package func note(address: String, picture: String) throws {
        do {
            try SafeFile.write(Array("\(address)\n".utf8), to: folder.path + "/showcase.txt")
            try SafeFile.write(Array(picture.utf8), to: folder.path + "/showcase.svg")
        } catch {
            throw error
        }
    }

    /// Hosts at which others on the LAN may reach this machine, the likeliest first.
    package static func localHosts() -> [String] { LocalAddresses.hosts() }
}
