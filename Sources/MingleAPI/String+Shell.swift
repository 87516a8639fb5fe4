// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The same as one word of a shell's: in commands that people are told to type.
    package var shellQuoted: String { "'" + replacing("'", with: "'\\''") + "'" }
}
