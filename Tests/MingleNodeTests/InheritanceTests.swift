// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import Testing

/// Which blobs go that an earlier run left.
struct InheritanceTests {
    private static let names = (1...3).map { BlobName(Bytes32(at: 0, of: [UInt8](repeating: $0, count: 32).span)) }
    private let kept = Set(names.prefix(2))
    private let left = [names[2]]

    private func inheritance(holdsWords: Bool, wereWordsLost: Bool = false) -> Inheritance {
        Inheritance(Self.names, holdsWords: holdsWords, wereWordsLost: wereWordsLost)
    }

    @Test func `what no record speaks of goes at once where the words are here, and nothing does without a key`() {
        let usual = inheritance(holdsWords: true)
        #expect(usual.orphans(besides: kept, isLevel: false) == left)
        #expect(usual.orphans(besides: nil, isLevel: true) == nil)
    }

    @Test func `where the words were lost nothing goes before all that a member holds has come`() {
        let lost = inheritance(holdsWords: false)
        #expect(lost.areWordsLost && lost.orphans(besides: [], isLevel: false) == nil)
        #expect(lost.orphans(besides: kept, isLevel: true) == left)
    }

    @Test func `the first words that come are not taken for all after a further start`() {
        let again = inheritance(holdsWords: true, wereWordsLost: inheritance(holdsWords: false).areWordsLost)
        #expect(again.areWordsLost && again.orphans(besides: [], isLevel: false) == nil)
    }

    @Test func `a node that begins has lost nothing`() {
        #expect(!Inheritance([], holdsWords: false, wereWordsLost: false).areWordsLost)
    }
}
