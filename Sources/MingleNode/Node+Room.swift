// SPDX-License-Identifier: Apache-2.0

import MingleModel
import Synchronization

/// Events that could not be opened, as the disk was full.
extension Node {
    /// Opens them once there is room again, as their warning promises.
    func openWhatHasRoom() async {
        let events = state.withLock { state -> Set<EventID> in
            guard !state.roomless.isEmpty, let free = SafeFile.freeBytes(at: folder.path),
                case .hasRoom = state.room.look(freeBytes: free, at: clock.uptime())
            else { return [] }
            return state.roomless
        }
        for event in events.sorted() { try? await apart { [self] in try openAgain(event) } }
    }

    private func openAgain(_ event: EventID) throws {
        // Or it is being repaired or left.
        guard state.withLock({ $0.reopening.insert(event).inserted }) else { return }
        defer {
            state.withLock { _ = $0.reopening.remove(event) }
            changes.publish(kinds: ["status", "peers"])
        }
        try takeUp(event)
    }

    /// Opens an event while this node runs.
    func takeUp(_ event: EventID) throws {
        forgetWarning(of: event)
        openKnown(event)
        guard let session = state.withLock({ $0.sessions[event] }) else { return }
        resume(session)
        try serveEvents()
        advertise()
    }
}
