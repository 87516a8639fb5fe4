// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleNode
import MinglePeering

extension UploadRoutes {
    /// Serves the uploads of a door's guests; beginning one makes a person of somebody who only looked so far.
    static func guests(of door: Door, _ parts: Parts) -> UploadRoutes {
        let node = door.node
        return UploadRoutes(
            shelf: node.uploads,
            owner: { _, context in try door.uploader(context.knownBrowser) },
            prepare: { upload, request, context in try node.prepare(upload, for: parts.writing(request, context)) },
            finish: { upload, request, context in
                try await node.addPhoto(upload) { try parts.writing(request, context) }
            }
        )
    }
}
