// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
import MingleModel
import MinglePeering
import MingleReplica
import MingleSync
import MingleWire

// What hostile nodes write that is not theirs to write.
extension World {
    /// Edits, deletes and hides what others made, or shows what is hidden, and does what is the founder's.
    func usurp(_ node: SimulatedNode, _ forger: Forger) throws -> Bool {
        let time = node.clock(at: now)
        var words = [try Forger.Words(.event, [.init(name: "title", value: .text("Mine"))], at: time)]
        if let target = someTarget(for: node) {
            words.append(Forger.Words(time: time, root: .reference(target), isDeletion: true))
            let kind = ledger[target]?.kind ?? .comment
            var edit = try Forger.Words(kind, foreignFields(of: kind, in: target, by: node), at: time)
            edit.root = .reference(target)
            words.append(edit)
            let reason: Value = ledger[target]?.hiding == nil ? .text("Mine") : .cleared
            var hide = try Forger.Words(kind, [.init(name: Hiding.field.name, value: reason)], at: time)
            hide.root = .reference(target)
            words.append(hide)
        }
        if node.draw({ $0.chance(30) }) { words.append(try privateKey(of: node, at: time)) }
        try grant(node, forger, at: time)
        return try say(words, by: node, forger)
    }

    /// Something for a field that is not the node's to write; or now and then for one that everybody writes.
    private func foreignFields(of kind: Kind, in target: Reference, by node: SimulatedNode) -> [Forger.Words.Field] {
        let isForeign = !node.draw { $0.chance(20) }
        let field = kind.fields.first { field in
            field.type.isWords && isForeign != field.writers.admit(.attendee, isAuthor: false, isMaking: false)
        }
        guard let field else { return kind.onOff.map { [.init(name: $0, value: .number(0))] } ?? [] }
        if !isForeign { ledger.doubtful.insert(target) }
        return [.init(name: field.name, value: .text("Mine"))]
    }

    /// Opens an invitation, makes an epoch, puts somebody at a level, closes the way by which all came or lets somebody in, as
    /// only the founder or a host may.
    private func grant(_ node: SimulatedNode, _ forger: Forger, at time: Timestamp) throws {
        let own = node.replica.own
        guard node.draw({ $0.chance(20) }), let parent = try lastDelta(of: own.name, .fabric, at: node) else { return }
        if node.draw({ $0.chance(30) }) { return try smuggle(node, at: time) }
        let payload: FabricPayload =
            switch node.draw({ $0.number(0...5) }) {
            case 0: invitation(of: node)
            case 1: epoch(of: node)
            case 4: claim(of: try foreignEpoch(for: node), by: node)
            case 5: try wrongSlots(by: node)
            case 2: .closing(invitation: InvitationKeys(seed: invitations[0]).id, admitted: [])
            default: .grant(person: someHonest(for: node)?.secrets.person ?? node.secrets.person, level: .host)
            }
        let words = Forger.Words(journal: .fabric, time: time, plain: try payload.encoded())
        let delta = forger.write(words, after: parent, salt: node.draw { $0.next() })
        let outcome = try node.replica.merge([Run([delta])])
        try tell(node, outcome, own: [Run([delta])])
    }

    /// A slot that does not open, of any key, for whoever may come to lack it.
    private func wrongSlots(by node: SimulatedNode) throws -> FabricPayload {
        let keys = try node.replica.epochKeys().map(\.0)
        guard let victim = someHonest(for: node), !keys.isEmpty else { return epoch(of: node) }
        return wrongSlots(of: node.draw { $0.pick(keys) }, for: victim.replica.own.name, by: node)
    }

    /// Passes on somebody new, who has heard of an invitation and does not hold it.
    private func smuggle(_ node: SimulatedNode, at time: Timestamp) throws {
        let seed = node.randomness.secret()
        let link = InvitationLink(event: node.event, psk: node.secrets.psk, seed: seed, hints: [])
        let secrets = Secrets.joining(link, node.randomness)
        let replica = try Replica(path: nil, event: node.event, own: secrets.ownDevice(in: node.event))
        let statement = FabricPayload.admissionStatement(event: node.event, person: replica.own.person)
        let admission = FabricPayload.admission(
            invitation: InvitationKeys(seed: invitations[0]).id,
            signature: InvitationKeys(seed: seed).signing.sign(statement)
        )
        let certificate = FabricPayload.certificate(try secrets.certificate(in: node.event))
        let drafts = [Draft.fabric(certificate), .fabric(admission)]
        let authored = try replica.author(drafts, at: time, randomness: node.randomness)
        try tell(node, try node.replica.merge(authored.runs), own: authored.runs)
    }

    private func invitation(of node: SimulatedNode) -> FabricPayload {
        let seed = node.randomness.secret()
        guestList.forged.append(seed)
        let keys = InvitationKeys(seed: seed)
        return .invitation(
            InvitationTerms(id: keys.id, agreementKey: keys.agreement.publicKey, expires: nil, uses: nil)
        )
    }

    /// An epoch that nobody else can read.
    private func epoch(of node: SimulatedNode) -> FabricPayload {
        let audience = EpochSlots.eventAudience(node.event)
        let id = EpochSlots.id(key: node.randomness.secret(), event: node.event, audience: audience)
        return .epoch(EpochSlots(id: id, audience: audience, slots: []))
    }

    /// Writes in the name of an honest device, behind what that one wrote, and certifies itself as its person's.
    func impersonate(_ node: SimulatedNode) throws -> Bool {
        guard let forger = try Forger(node), let peer = somePeer(of: node), let victim = someHonest(for: node),
            let last = try lastDelta(of: victim.replica.own.name, .content, at: node)
        else { return false }
        let name = Forger.Words.Field(name: "name", value: .text("Not I"))
        let words = try Forger.Words(.profile, [name], at: node.clock(at: now))
        let place = (sequence: last.header.sequence + 1, previous: last.hash)
        let salt = node.draw { $0.next() }
        let delta = forger.write(words, as: last.header.device, sequence: place.sequence, after: place.previous, salt)
        slip(.run(.init(Run([delta]).encoded())), on: .deltas, to: peer, from: node)
        if node.draw({ $0.chance(30) }) {
            let run = try falseCertificate(for: victim.secrets.person, node, forger)
            slip(.run(.init(run.encoded())), on: .control, to: peer, from: node)
        }
        return true
    }

    private func falseCertificate(for person: PersonID, _ node: SimulatedNode, _ forger: Forger) throws -> Run {
        let own = node.replica.own
        let (key, agreement) = (own.signing.publicKey, own.agreement.publicKey)
        let name = Certificate.deviceName(
            event: node.event,
            person: person,
            signingKey: key,
            agreementKey: agreement
        )
        let certificate = Certificate(
            person: person,
            signingKey: key,
            agreementKey: agreement,
            signature: own.signing.sign(name.bytes),
            foundingSalt: nil
        )
        let plain = try FabricPayload.certificate(certificate).encoded()
        let words = Forger.Words(journal: .fabric, time: node.clock(at: now), plain: plain)
        return Run([forger.write(words, as: name, sequence: 1, after: .none, 1)])
    }
}
