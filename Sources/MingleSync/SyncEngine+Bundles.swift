// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MingleModel
import MingleWire

// Whoever comes asks for hundreds of journals, and is sent hundreds of runs and ends, most of a few hundred bytes. What goes to one peer in
// one breath travels as one message, so that it can be merged together, too.
extension SyncEngine {
    /// Messages to one peer that follow each other on one lane.
    private struct OpenBundle {
        /// Which of the actions sends them.
        let place: Int
        let lane: Lane
        var messages: [[UInt8]]
        var byteCount: Int

        init(_ message: [UInt8], on lane: Lane, at place: Int) {
            (self.place, self.lane, messages, byteCount) = (place, lane, [message], message.count)
        }

        /// Takes one more message, if it belongs here and is small enough.
        mutating func take(_ message: [UInt8], on lane: Lane, _ limits: SyncLimits) -> Bool {
            guard lane == self.lane, messages.count < limits.bundledMessages,
                byteCount + message.count <= limits.bundledBytes
            else { return false }
            messages.append(message)
            byteCount += message.count
            return true
        }
    }

    /// The same actions, where what follows each other to one peer on one lane is sent as one message.
    ///
    /// So none overtakes one on another lane; what else is to be done for the peer may come to stand behind. The shell counts what it is given, so
    /// a bundle counts as one message on its lane.
    package mutating func bundled(_ actions: [SyncAction]) -> [SyncAction] {
        guard actions.count > 1 else { return actions }
        var result: [SyncAction] = []
        result.reserveCapacity(actions.count)
        var open: [PeerID: OpenBundle] = [:]
        for action in actions {
            guard case .send(let id, let lane, let bytes) = action else {
                result.append(action)
                continue
            }
            if open[id]?.take(bytes, on: lane, limits) == true {
                peers[id]?.unsent[Int(lane.rawValue)].joinLast()
                continue
            }
            if let bundle = open[id] { close(bundle, to: id, in: &result) }
            open[id] = OpenBundle(bytes, on: lane, at: result.count)
            result.append(action)
        }
        for (id, bundle) in open { close(bundle, to: id, in: &result) }
        return result
    }

    private func close(_ bundle: OpenBundle, to id: PeerID, in actions: inout [SyncAction]) {
        guard bundle.messages.count > 1 else { return }
        var message = ProtoBundle()
        message.messages = bundle.messages.map { Data($0) }
        actions[bundle.place] = .send(id, bundle.lane, encoded(.bundle(message)))
    }
}
