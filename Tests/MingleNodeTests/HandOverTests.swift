// SPDX-License-Identifier: Apache-2.0

import MingleModel
import MinglePeering
import Testing

/// What is left to be handed over by a node that leaves.
struct HandOverTests {
    private static let names = (1...4).map { BlobName(Bytes32(at: 0, of: [UInt8](repeating: $0, count: 32).span)) }

    @Test func `others are asked at once, again after a minute while something is left, and then no more`() {
        var handOver = HandOver()
        #expect(handOver.isStale)
        handOver.list(Self.names, whoLeft: [])
        #expect(!handOver.isStale && handOver.question(at: .seconds(5)) == Self.names)
        for second in 6..<65 { #expect(handOver.question(at: .seconds(second)) == nil) }
        handOver.noteHolding([Self.names[0], Self.names[2]])
        #expect(handOver.question(at: .seconds(65)) == [Self.names[1], Self.names[3]])
        handOver.noteHolding(Self.names)
        #expect(handOver.left.isEmpty && handOver.question(at: .seconds(999)) == nil)
    }

    @Test func `what is listed anew leaves out what was handed over, and what was not meant counts for nothing`() {
        var handOver = HandOver()
        handOver.list([Self.names[0]], whoLeft: [])
        // One that holds what is not listed yet is asked once it is.
        handOver.noteHolding([Self.names[0], Self.names[1]])
        handOver.noteChange()
        #expect(handOver.isStale)
        handOver.list(Array(Self.names[0...2]), whoLeft: [])
        #expect(handOver.left == Set(Self.names[1...2]))
        #expect(handOver.question(at: .seconds(1)) == Array(Self.names[1...2]))
    }

    @Test func `what was handed to people of whom one has left is handed over again`() {
        var handOver = HandOver()
        let someone = PersonID(Bytes32(at: 0, of: [UInt8](repeating: 9, count: 32).span))
        handOver.list(Self.names, whoLeft: [])
        handOver.noteHolding(Self.names)
        #expect(handOver.left.isEmpty)
        handOver.list(Self.names, whoLeft: [someone])
        #expect(handOver.left == Set(Self.names) && handOver.question(at: .zero) == Self.names)
        // Nobody else has since.
        handOver.noteHolding(Self.names)
        handOver.list(Self.names, whoLeft: [someone])
        #expect(handOver.left.isEmpty)
    }

    @Test func `with nothing to hand over the others are told so once`() {
        var handOver = HandOver()
        handOver.list([], whoLeft: [])
        #expect(handOver.question(at: .zero)?.isEmpty == true && handOver.question(at: .seconds(600)) == nil)
    }
}
