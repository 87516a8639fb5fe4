// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import MingleMedia
import MingleModel
import MinglePeering
import MingleReplica
import MingleWire

/// A relay holds what everybody holds, as it was sealed, and can read nothing of it: no word, no key and no picture is
/// anywhere on its disk, and no member counts it among people.
struct RelayChecker: Checker {
    let name = "relay"
    /// Pictures of which the first bytes are looked for.
    private let sample = 12
    /// Bytes of a picture that are looked for.
    private let needleLength = 32

    func findings(in world: World) throws -> [String] {
        guard !world.relays.isEmpty else { return [] }
        let founder = world.nodes[0]
        let frontier = try founder.replica.frontier().digest
        let seeds = world.openings.all.map { (what: "what lets in those nearby", bytes: Data($0.named.utf8)) }
        let needles = try needles(of: founder) + privateKeys(in: world) + seeds
        var findings: [String] = []
        var excused: Set<BlobName>?
        for relay in world.relays {
            let name = "node \(relay.number), a relay,"
            if try relay.replica.frontier().digest != frontier { findings.append("\(name) holds other headers") }
            if let lack = try world.firstLack(of: relay, excusing: &excused) {
                findings.append("\(name) lacks \(lack)")
            }
            if try relay.replica.hasKey() || !relay.replica.epochKeys().isEmpty { findings.append("\(name) has a key") }
            if try !relay.replica.dump().isEmpty { findings.append("\(name) shows records") }
            // Of all that is sealed three bytes may be the mark by chance; words have numbers from 1 on.
            if let word = relay.disk?.numbers(behind: String(Ledger.mark)).filter({ $0 > 0 }).min() {
                findings.append("\(name) has the word \(word) on its disk")
            }
            findings += try secrets(needles, on: relay).map { "\(name) has \($0) on its disk" }
            let strays = try Set(relay.blobs.list().map(\.name)).subtracting(relay.replica.listedNames())
            if let stray = strays.min() { findings.append("\(name) holds \(stray), which nothing lists") }
        }
        return findings + (try people(in: world))
    }

    /// What nobody without a key may have: the keys themselves, and pictures as they look.
    private func needles(of member: SimulatedNode) throws -> [(what: String, bytes: Data)] {
        var needles = try member.replica.epochKeys().map { (what: "an epoch's key", bytes: Data($0.1.exposed())) }
        var mentions: [MediaMention] = []
        try member.responder.mentions { mentions += $0 }
        for mention in mentions.suffix(sample) {
            needles.append(("a picture's key", Data(mention.media.key)))
            guard member.blobs.isComplete(mention.name),
                let descriptor = BlobDescriptor(
                    root: mention.media.root,
                    size: Int64(mention.media.size),
                    key: mention.media.key
                )
            else { continue }
            let reader = try member.blobs.open(descriptor, owner: mention.owner)
            let start = try reader.read(offset: 0, length: min(needleLength, Int(mention.media.size)))
            if start.count == needleLength { needles.append(("a picture", Data(start))) }
        }
        return needles
    }

    /// The keys of private moments, which their owners hold.
    private func privateKeys(in world: World) throws -> [(what: String, bytes: Data)] {
        try world.privacy.moments.flatMap { moment in
            let owner = world.honest.first { $0.secrets.person == moment.owner }
            return try owner?.replica.epochKeys(of: moment.audience)
                .map { (what: "a private moment's key", bytes: Data($0.1.exposed())) } ?? []
        }
    }

    private func secrets(_ needles: [(what: String, bytes: Data)], on relay: SimulatedNode) throws -> [String] {
        let blobs = try FileManager.default.contentsOfDirectory(atPath: relay.path)
            .compactMap { FileManager.default.contents(atPath: relay.path + "/" + $0) }
        let files = (relay.disk?.contents ?? []).map { Data($0) } + blobs
        return needles.filter { needle in files.contains { $0.contains(bytes: needle.bytes) } }.map(\.what)
    }

    /// Members know all relays as such; that none is among the people is what ``PeopleChecker`` sees.
    private func people(in world: World) throws -> [String] {
        let expected = Set(world.relays.map(\.secrets.person))
        return try world.honest.compactMap { node in
            let listed = try Set(node.replica.relays().map(\.id))
            return listed == expected ? nil : "node \(node.number) knows \(listed.count) relays, not \(expected.count)"
        }
    }
}
