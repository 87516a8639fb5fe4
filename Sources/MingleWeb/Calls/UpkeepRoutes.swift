// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import MingleAPI
import MingleNode

/// What the operator has done to the stored data.
struct UpkeepRoutes {
    let node: Node

    func add(to calls: CallRouter) {
        calls.on(.post, "verify", "Checks everything that is stored.") { request, _ in
            try await node.verify(event: request.event)
        }
        calls.on(.post, "repair", "Repairs what is damaged.") { request, _ in
            try await node.repair(event: request.event)
        }
        calls.on(.get, "missing", "Tells what the node lacks.") { request, _ in try node.missing(event: request.event) }
        for work in ["verify", "repair", "backup"] {
            calls.on(.get, work, "Tells how far this work is.") { _, _ in try node.progress(of: work) }
        }
        calls.on(.post, "backup", "Writes a backup into a folder.") { (body: API.Envelope.NewBackup, _, _) in
            try await node.backUp(BackupTerms(body))
        }
    }
}
