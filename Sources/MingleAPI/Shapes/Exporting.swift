// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension API {
    /// A file of an export, or a piece of one, as a line of `GET export`.
    package struct ExportedFile: Codable, Sendable {
        /// Where the file is in the export.
        package var path: String
        /// The next piece of a text; the pieces of a file follow each other.
        package var text: String?
        /// The call that sends the file, below `/api/v1/`; nil for a text.
        package var call: String?
        /// Bytes of the file; nil for a text.
        package var size: Int?
        /// When a photo was taken, or else shared; of a text when it was made.
        package var time: Date

        package init(path: String, text: String? = nil, call: String? = nil, size: Int? = nil, time: Date) {
            (self.path, self.text, self.call, self.size, self.time) = (path, text, call, size, time)
        }
    }
}
