// SPDX-License-Identifier: Apache-2.0

extension API {
    /// What changed, for those who look.
    package struct Change: Codable, Sendable {
        package var kinds: [String]
        /// By kind, the ids of the records that changed and of those on which they hang; nil: it may be any.
        package var targets: [String: [String]]?

        package init(kinds: [String], targets: [String: [String]]? = nil) {
            (self.kinds, self.targets) = (kinds, targets)
        }
    }
}
