// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// Blobs that could not be written for a reason of their own, as one for which there is no room: they are left alone for a while, and
/// keep no others waiting.
extension SyncEngine {
    /// Leaves a blob alone, twice as long each time.
    mutating func putOff(_ name: BlobName) {
        guard let blob = blobs.table[name], blob.putOffUntil == nil else { return }
        let end = now + limits.stallPause * (1 << min(blob.putOffs, limits.stallDoublings))
        change(name) { ($0.putOffUntil, $0.putOffs) = (end, $0.putOffs + 1) }
        blobs.putOff.append(name)
        blobs.putOffEnd = min(end, blobs.putOffEnd ?? end)
        blobs.pass.lookAtAll()
    }

    /// Fetches again what was to be left alone until some time, or all that is, and forgets what is wanted no more.
    mutating func takeUpPutOff(until time: Duration? = nil) {
        var left: [BlobName] = []
        blobs.putOffEnd = nil
        for name in blobs.putOff {
            guard let end = blobs.table[name]?.putOffUntil else { continue }
            if let time, end > time {
                left.append(name)
                blobs.putOffEnd = min(end, blobs.putOffEnd ?? end)
            } else {
                change(name) { $0.putOffUntil = nil }
                queue(name)
            }
        }
        blobs.putOff = left
        blobs.pass.lookAtAll()
    }
}
