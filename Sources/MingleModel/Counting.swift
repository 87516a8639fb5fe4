// SPDX-License-Identifier: Apache-2.0

extension BinaryInteger {
    /// So many of something, in words: `1 event`, `2 events`; `many` where that is no "s" behind the one.
    package func counted(_ one: String, _ many: String? = nil) -> String {
        "\(self) \(self == 1 ? one : many ?? one + "s")"
    }
}
