// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleClient
import MingleModel
import MingleNode

/// Words that a shell offers for an argument, from the running node.
///
/// A node that does not answer in time, or does not run, offers nothing.
enum Offers {
    /// How long the shell waits.
    private static let patience = Duration.milliseconds(700)

    static let photos = asking { try await $0.photos() }
    static let moments = asking { try await $0.moments() }
    /// Photos and moments.
    static let posts = asking { try await $0.photos() + $0.moments() }
    /// Photos, moments and comments.
    static let everything = asking { try await $0.photos() + $0.moments() + $0.comments() }
    static let hidden = asking { try await $0.hidden() }
    static let people = asking { try await $0.people() }
    static let devices = asking { try await $0.devices() }
    static let invitations = asking { try await $0.invitations() }
    static let events = asking { try await $0.events() }
    static let levels = CompletionKind.list(["successor", "host", "moderator", "attendee", "guest", "relay"])

    private static func asking(_ find: @escaping @Sendable (Asked) async throws -> [Offer]) -> CompletionKind {
        .custom { words, _, prefix in
            guard let asked = try? Asked(words, patience: patience) else { return [] }
            let offers = (try? await find(asked)) ?? []
            return offers.filter { $0.word.hasPrefix(prefix) }.map { $0.text(for: CompletionShell.requesting) }
        }
    }
}

/// A word that a shell offers, and what it stands for.
struct Offer {
    /// A word without characters that a shell would interpret.
    let word: String
    let meaning: String

    /// The word in the form of a shell, with its meaning where the shell can show it.
    func text(for shell: CompletionShell?) -> String {
        switch shell {
        case .zsh: "\(word):\(meaning.visible)"
        case .fish: "\(word)\t\(meaning.visible)"
        default: word
        }
    }

    /// An offer for a person: the name if only this person has it and it is one plain word, else the fingerprint.
    static func person(_ person: API.Person, among people: [API.Person]) -> Offer {
        let isPlain = person.name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let isUnique = people.filter { $0.name.visible == person.name.visible }.count == 1
        let print = person.fingerprint.filter { !$0.isWhitespace }
        return isPlain && isUnique && !person.name.isEmpty
            ? Offer(word: person.name, meaning: "\(person.level), \(person.fingerprint)")
            : Offer(word: print, meaning: "\(person.name), \(person.level)")
    }
}

/// The node and event of a command line that is not complete yet.
private struct Asked {
    let client: NodeClient
    let event: String?

    /// Reads the options of a command line, whose words stand as they were typed.
    init(_ words: [String], patience: Duration) throws {
        let option = { (name: String) in Self.value(of: name, in: words) }
        client = NodeClient(
            dataPath: try DataOption.nodePath(data: option("--data"), config: option("--config")),
            patience: patience
        )
        event = option("--event")
    }

    private static func value(of option: String, in words: [String]) -> String? {
        let next = words.firstIndex(of: option).map { words.index(after: $0) }
        let value =
            next.flatMap { words.indices.contains($0) ? words[$0] : nil }
            ?? words.first { $0.hasPrefix("\(option)=") }.map { String($0.dropFirst(option.count + 1)) }
        guard let plain = value?.filter({ !"\"'\\".contains($0) }), !plain.isEmpty else { return nil }
        // The shell expands this only when the command runs.
        return plain.hasPrefix("~/") ? BaseFolders().home + plain.dropFirst() : plain
    }

    private func get<Value: Decodable>(_ path: String, _ parameters: [String: String?] = [:]) async throws -> Value {
        try await client.get(Query.path(path, parameters.merging(["event": event]) { $1 }))
    }

    func photos() async throws -> [Offer] {
        let list: API.Envelope.Photos = try await get("photos", ["limit": "100"])
        return list.photos.map { Offer(word: $0.id, meaning: NewsText.subject($0)) }
    }

    func moments() async throws -> [Offer] {
        let list: API.Envelope.Moments = try await get("moments")
        return list.moments.map { Offer(word: $0.id, meaning: NewsText.subject($0)) }
    }

    func comments() async throws -> [Offer] {
        let news: API.Envelope.News = try await get("news", ["order": "newest"])
        return news.items.flatMap(\.comments).map {
            Offer(word: $0.id, meaning: API.subject("comment", of: $0.author, named: $0.text ?? ""))
        }
    }

    func hidden() async throws -> [Offer] {
        let list: API.Envelope.HidingLog = try await get("hidden")
        return list.log.map { Offer(word: $0.record, meaning: $0.subject) }
    }

    func people() async throws -> [Offer] {
        let list: API.Envelope.People = try await get("people")
        let everybody = list.people + list.relays
        return everybody.map { Offer.person($0, among: everybody) }
    }

    func devices() async throws -> [Offer] {
        let list: API.Envelope.Devices = try await get("devices")
        return list.devices.map { Offer(word: $0.name, meaning: $0.this ? "this device" : $0.state) }
    }

    func invitations() async throws -> [Offer] {
        let list: API.Envelope.Invitations = try await get("invitations")
        return list.invitations.filter { !$0.closed }.map {
            Offer(word: $0.id, meaning: "\($0.level), by \($0.maker.name)")
        }
    }

    func events() async throws -> [Offer] {
        let list: API.Envelope.Events = try await client.get("events")
        return list.events.map { Offer(word: $0.id, meaning: $0.title) }
    }
}
