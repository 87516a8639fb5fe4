// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleMedia

/// Every chunk of every blob that a peer says it holds is there and is the author's, and nothing else is in its folder.
struct MediaChecker: Checker {
    let name = "media"

    func findings(in world: World) throws -> [String] {
        try world.loyal.flatMap { node in
            let blobs = node.blobs.list()
            let files = try FileManager.default.contentsOfDirectory(atPath: node.path)
            let strays = Set(files).subtracting(blobs.flatMap { ["\($0.name)", "\($0.name).part"] })
            let damaged = blobs.filter { $0.isComplete && (try? node.blobs.verify($0.name)) != [] }
            return damaged.map { "node \(node.number) holds \($0.name) damaged" }
                + strays.sorted().map { "node \(node.number) has \($0) in its folder" }
        }
    }
}
