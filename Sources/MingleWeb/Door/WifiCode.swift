// SPDX-License-Identifier: Apache-2.0

package import MingleAPI

extension API.Wifi {
    /// Refuses what no network has.
    ///
    /// A name has 1 to 32 bytes (IEEE 802.11, 9.4.2.2), a password 8 to 63 characters of ASCII (J.4.1). Without a
    /// password the network is open.
    package func requireValid() throws(API.Problem) {
        guard (1...32).contains(ssid.utf8.count), !ssid.unicodeScalars.contains("\0") else {
            throw API.Problem(.badRequest, "Not a valid name of a Wi-Fi: it has 1 to 32 bytes.")
        }
        guard let password else { return }
        guard (8...63).contains(password.utf8.count), password.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
            throw API.Problem(
                .badRequest,
                "Not a valid Wi-Fi password: it has 8 to 63 letters, digits and signs. For an open Wi-Fi, give none."
            )
        }
    }

    /// The text of a code that phones join by (ZXing, "Barcode Contents", "Wi-Fi Network config").
    ///
    /// Phones understand "WPA" as WPA, WPA2 or WPA3.
    var codeText: String {
        let secret = password.map { "P:\(Self.escaped($0));" } ?? ""
        return "WIFI:T:\(password == nil ? "nopass" : "WPA");S:\(Self.escaped(ssid));\(secret);"
    }

    private static func escaped(_ text: String) -> String {
        String(text.flatMap { #"\;,:""#.contains($0) ? ["\\", $0] : [$0] })
    }
}
