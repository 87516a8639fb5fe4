// SPDX-License-Identifier: Apache-2.0

import MingleAPI
import MingleMedia
package import MingleModel

extension Node {
    /// Bytes of an original that is made into a JPEG: as many as are imported.
    private static let fullSizeLimit = ImportLimits().pictureBytes

    /// A JPEG with all pixels of a photo, for programs that do not show its format, and the name to save it under.
    ///
    /// It is made anew each time and nothing of it is kept. An original that is a JPEG is the answer itself.
    ///
    /// - Throws: ``API/Problem`` named `unavailable` while the original is not here, and as an import does.
    package func fullSizeJPEG(_ id: Reference, for part: Part) async throws -> (bytes: [UInt8], name: String) {
        let original = try part.openMedia(id, .original)
        guard original.reader.size <= Self.fullSizeLimit else {
            throw API.Problem(.tooLarge, "\(original.name) is too large to be made into a JPEG. Save the original.")
        }
        let name = PhotoFields.jpegName(original.name)
        do {
            return try await importGate.pass {
                let bytes = try original.reader.read(offset: 0, length: Int(original.reader.size))
                if PictureFormat.detect(bytes) == .jpeg { return (bytes, name) }
                return (try await self.importer.fullSize(of: bytes), name)
            }
        } catch {
            throw API.Problem(importing: error, name: original.name)
        }
    }
}
