// SPDX-License-Identifier: Apache-2.0

package import MingleAPI
import MingleEvent
import Synchronization

/// What a person says of oneself to this node alone: it stands in the node's settings, and in no record.
extension Node {
    /// The person's last name and address.
    package var contact: API.Contact {
        state.withLock { API.Contact(lastName: $0.settings.lastName, email: $0.settings.email) }
    }

    /// Changes the person's last name and address.
    package func changeContact(_ change: API.Envelope.ContactChange) throws -> API.Contact {
        let lastName = try change.lastName.map(RequestValidation.lastName)
        let email = try change.email.map(RequestValidation.email)
        guard lastName != nil || email != nil else {
            throw API.Problem(.badRequest, "Nothing to change. Give `last_name` or `email`.")
        }
        try updateSettings { settings in
            if let lastName { settings.lastName = lastName }
            if let email { settings.email = email }
        }
        return contact
    }
}
