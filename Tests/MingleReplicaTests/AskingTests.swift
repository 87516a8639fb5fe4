// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MingleReplica
import MingleWire
import Testing

/// Invitations by which nobody is let in without a grant.
struct AskingTests {
    private let world: TestEvent
    private let link: InvitationKeys
    private var founder: Replica { world.founder }

    init() throws {
        world = try TestEvent(seed: 78)
        link = InvitationKeys(seed: world.randomness.secret())
    }

    /// Opens an invitation that asks, and returns how many deltas that took.
    private func open(as level: Level) throws -> Int {
        let terms = InvitationTerms(id: link.id, agreementKey: link.agreement.publicKey, level: level, asks: true)
        return try write(.open(terms))
    }

    private func write(_ drafts: Draft...) throws -> Int {
        let authored = try founder.author(drafts, at: Timestamp(milliseconds: 5000), randomness: world.randomness)
        return authored.runs.flatMap(\.deltas).count
    }

    private var need: KeyNeed? { get throws { try founder.keyNeed(at: Timestamp(milliseconds: 6000)) } }

    @Test func `no key is sealed to it, none is due when it is closed, and who comes by it waits for a grant`() throws {
        let before = try need
        #expect(try open(as: .attendee) == 1)
        _ = try founder.merge([Run(try world.scribe().introduction(by: link))])
        #expect(try founder.people().count == 1 && founder.waitingPeople().count == 1)
        #expect(try need == before)
        let person = try #require(try founder.waitingPeople().first).id
        _ = try write(.setLevel(person, .attendee))
        #expect(try founder.people().count == 2)
        // The newcomer lacks the key.
        #expect(try need != before)
        _ = try write(.close(link.id))
        #expect(try founder.people().count == 2 && !founder.isKeyOutdated())
    }

    @Test func `a closing raises nobody who asked by it and stands lower`() throws {
        _ = try open(as: .host)
        let scribe = world.scribe()
        _ = try founder.merge([Run(try scribe.introduction(by: link))])
        let person = scribe.keys.person
        _ = try write(.setLevel(person, .attendee), .close(link.id))
        #expect(try founder.level(of: person) == .attendee)
    }

    @Test func `a closing of an open link raises nobody whom an earlier one left out`() throws {
        let terms = InvitationTerms(id: link.id, agreementKey: link.agreement.publicKey, level: .host)
        _ = try write(.open(terms), .close(link.id))
        let scribe = world.scribe()
        _ = try founder.merge([Run(try scribe.introduction(by: link))])
        _ = try write(.setLevel(scribe.keys.person, .attendee), .close(link.id))
        #expect(try founder.level(of: scribe.keys.person) == .attendee)
    }
}
