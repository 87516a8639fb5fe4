// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MingleReplica

extension Replica {
    /// The newest of what happened, as this person sees it.
    func happenings(limit: Int) throws -> [Happening] { try news { try $0.happenings(limit: limit).items } }

    /// What concerns this person, the latest first, as "KIND COUNT TITLE".
    func told() throws -> [String] {
        try notices(at: 100_000) { reader in
            try reader.notices().map { notice in
                let title = try reader.thing(of: notice)?.title ?? reader.person(notice.row).name
                return "\(notice.kind.rawValue) \(notice.count) \(title)"
            }
        }
    }
}
