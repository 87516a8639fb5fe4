// SPDX-License-Identifier: Apache-2.0

import MingleModel

// The words that texts of the API's shapes can be.

extension API.Envelope.NewEvent: WordedMembers {
    package static let words = [
        "preset": EventPreset.allCases.map(\.rawValue), "areas": Area.allCases.map(\.word),
    ]
}

extension API.Envelope.EventChange: WordedMembers {
    package static let words = [
        "areas": Area.allCases.map(\.word), "who_invites": WhoInvites.allCases.map(\.word),
    ]
}

extension API.Event: WordedMembers {
    package static let words = [
        "areas": Area.allCases.map(\.word), "who_invites": WhoInvites.allCases.map(\.word),
    ]
}

extension API.NewReport: WordedMembers {
    package static let words = ["reason": ReportReason.allCases.map(\.word)]
}

extension API.Envelope.Connected: WordedMembers {
    package static let words = ["connection": ConnectionState.allCases.map(\.rawValue)]
}

extension API.Connection: WordedMembers {
    package static let words = ["state": ConnectionState.allCases.map(\.rawValue)]
}
