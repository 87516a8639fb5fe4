// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials

/// When a picture was taken, as its camera tells it.
package struct CaptureTime: Hashable, Sendable {
    /// What the camera's clock showed, in milliseconds since 1970-01-01 00:00 of that same clock.
    package let clockMilliseconds: Int64
    /// Minutes by which that clock was ahead of UTC; nil where the camera does not say.
    package let offsetMinutes: Int?

    /// Milliseconds since 1970, UTC; a camera that does not say its offset is taken to be set to `timeZone`.
    package func milliseconds(assuming timeZone: TimeZone) -> Int64 {
        if let offsetMinutes { return clockMilliseconds - Int64(offsetMinutes) * 60_000 }
        let clock = Date(timeIntervalSince1970: Double(clockMilliseconds) / 1000)
        // The zone's offset depends on the moment, which depends on the offset: the second look is the right one.
        let guess = clock.addingTimeInterval(-Double(timeZone.secondsFromGMT(for: clock)))
        return clockMilliseconds - Int64(timeZone.secondsFromGMT(for: guess)) * 1000
    }
}
