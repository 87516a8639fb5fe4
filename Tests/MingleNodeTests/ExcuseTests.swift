// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import MingleSync
import Testing

/// What is said where a disk cannot be read, so that nobody waits for ever.
struct ExcuseTests {
    private static let peer = PeerID(1)
    private static let key = JournalKey(device: DeviceName(.zero), journal: .content)
    private static let reference = Reference(device: 1, journal: .content, sequence: 1, hash: 1)

    @Test func `whatever somebody waits for is answered, and as something that is not here`() throws {
        guard
            case .runs(Self.peer, let answers)? = Responder.emptyAnswer(
                to: .loadRuns(Self.peer, [RunsRequest(key: Self.key, held: [], byteLimit: 1000)])
            ), let answer = answers.first, answers.count == 1
        else {
            Issue.record("no end of runs")
            return
        }
        #expect(answer.key == Self.key && answer.runs.isEmpty && !answer.needsOlder)
        guard
            case .payloads(Self.peer, let payloads)? = Responder.emptyAnswer(
                to: .loadPayloads(Self.peer, [Self.reference])
            )
        else {
            Issue.record("no payloads")
            return
        }
        #expect(payloads == [PayloadAnswer(reference: Self.reference, content: .absent)])
        guard case .blobStates(Self.peer, [])? = Responder.emptyAnswer(to: .loadBlobStates(Self.peer, [])) else {
            Issue.record("no states")
            return
        }
        let name = BlobName(.zero)
        guard case .chunk(Self.peer, name, 3, nil)? = Responder.emptyAnswer(to: .loadChunk(Self.peer, name, index: 3))
        else {
            Issue.record("no chunk")
            return
        }
    }

    @Test func `what is offered counts as missing, and what is held as unknown`() throws {
        let points = [JournalPoint(sequence: 1, hash: 1)]
        guard case .missing(Self.key, points)? = Responder.emptyAnswer(to: .findMissing(Self.key, points)),
            case .locator(Self.key, [])? = Responder.emptyAnswer(to: .loadLocator(Self.key))
        else {
            Issue.record("the journal is asked of nobody any more")
            return
        }
    }
}
