// SPDX-License-Identifier: Apache-2.0

import MingleAPI
package import MinglePeering

extension Door {
    /// Whose uploads a browser may go on with.
    ///
    /// - Throws: `API.Problem` named `notFound` for a browser that has no guest yet.
    package func uploader(_ browser: Browser) throws -> String {
        guard let guest = guests[browser] else {
            throw API.Problem(.notFound, "There is no such upload. It ended or is older than a day: begin a new one.")
        }
        return guest.person
    }
}
