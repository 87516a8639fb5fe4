// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleWire

extension API.DeviceLink {
    /// Whether a text begins as such a link does.
    package static func isOne(_ text: String) -> Bool {
        text.drop { $0.isWhitespace }.lowercased().hasPrefix(InvitationLink.deviceScheme)
    }
}
