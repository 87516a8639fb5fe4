// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel

/// That a person leaves an event, until somebody has heard of it: a small file in the event's folder.
struct Farewell: Codable, Hashable, Sendable {
    /// How long an event is kept in which nobody hears of it.
    private static let patience: Int64 = 7 * day
    private static let day: Int64 = 24 * 3600 * 1000
    /// How much of it may be forgotten by a node that ends, as not each second is written down.
    private static let precision: Int64 = 600 * 1000

    /// Whether all that the person shared is deleted first.
    var erases: Bool
    /// What the clock said last, in milliseconds since 1970.
    private(set) var seen: Int64
    /// For how long it has waited, in milliseconds.
    private(set) var waited: Int64 = 0

    /// When nobody is told any more, in milliseconds since 1970, if the node runs and its clock goes right.
    var end: Int64 { seen + Self.patience - waited }

    /// Whether nobody is told any more.
    var isOver: Bool { waited >= Self.patience }

    /// Says since when somebody leaves, in milliseconds since 1970, and how.
    init(began: Int64, erases: Bool) { (seen, self.erases) = (began, erases) }

    /// Looks at the clock.
    ///
    /// One that was set, or a node that was off, counts for at most a day.
    ///
    /// - Returns: whether that is to be written down.
    mutating func look(at now: Int64) -> Bool {
        let before = waited / Self.precision
        waited += min(max(now &- seen, 0), Self.day)
        seen = now
        return waited / Self.precision > before
    }

    /// Reads what stands in an event's folder; nil where nobody leaves.
    init?(in folder: String) throws {
        guard let data = FileManager.default.contents(atPath: Self.path(in: folder)) else { return nil }
        self = try JSONDecoder().decode(Self.self, from: data)
    }

    /// Writes it to an event's folder.
    func write(in folder: String) throws {
        try SafeFile.write([UInt8](JSONEncoder().encode(self)), to: Self.path(in: folder))
    }

    /// Forgets that somebody leaves.
    static func erase(in folder: String) throws { try FileManager.default.removeItem(atPath: path(in: folder)) }

    private static func path(in folder: String) -> String { folder + "/leaving.json" }
}
