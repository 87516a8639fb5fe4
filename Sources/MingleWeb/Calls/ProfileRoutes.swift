// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import MingleAPI
import MingleEvent
import MingleModel
import MingleNode
import NIOCore

/// What is told of one person, and what only the own node knows of its person.
struct ProfileRoutes {
    private static let part = API.Parameter(
        "in",
        .word(MomentPart.allCases.map(\.rawValue)),
        "The person's part in them: `common` are those that both made, joined or are invited to, and `crossed` those "
            + "at which both checked in. Without it `joined`."
    )

    let node: Node
    let parts: Parts

    func add(to calls: CallRouter) {
        calls.on(.get, "people/:id", "Shows a person's profile.") { request, context in
            let part = try parts.reading(request, context)
            var profile = try part.service.profile(of: context.person)
            // A guest of a door is another person than the door's own.
            if profile.person.me, try profile.person.id == node.service(request.event).me.description {
                profile.own = node.contact
            }
            return profile
        }
        addLists(to: calls)
        calls.on(.get, "profile", "Shows what only this node knows of its person.") { _, _ in node.contact }
        calls.on(.patch, "profile", "Changes what only this node knows of its person.") {
            (change: API.Envelope.ContactChange, _, _) in
            try node.changeContact(change)
        }
        let card = API.Call(
            "POST",
            "profile/card",
            "Reads a contact file (vCard 3.0 or 4.0); nothing of it is stored.",
            body: .bytes(["text/vcard", "application/octet-stream"]),
            answer: .json(API.Schema(of: API.Card.self))
        )
        calls.on(card) { request, _ in try Response.json(API.Card(try await Self.card(request))) }
    }

    private func addLists(to calls: CallRouter) {
        calls.on(
            .get,
            "people/:id/moments",
            "Lists moments of a person, those that start last first.",
            Self.part,
            .before,
            .limit
        ) { request, context in
            let word = request.query("in") ?? MomentPart.joined.rawValue
            guard let part = MomentPart(rawValue: word) else {
                let words = MomentPart.allCases.map(\.rawValue).joined(separator: ", ")
                throw API.Problem(.badRequest, "`in` must be one of: \(words).")
            }
            let (before, limit) = (request.query("before"), try request.pageLength)
            return try parts.service(request, context)
                .moments(of: context.person, in: part, before: before, limit: limit)
        }
        calls.on(.get, "people/:id/pictures", "Lists a person's profile pictures.", .before, .limit) {
            request,
            context in
            let (before, limit) = (request.query("before"), try request.pageLength)
            return try parts.service(request, context)
                .profilePictures(of: context.person, before: before, limit: limit)
        }
        calls.on(
            .get,
            "people/:id/connections",
            "Lists the people who are connected both with a person and with this one.",
            .before,
            .limit
        ) { request, context in
            let (before, limit) = (request.query("before"), try request.pageLength)
            return try parts.service(request, context)
                .commonConnections(with: context.person, before: before, limit: limit)
        }
    }

    private static func card(_ request: Request) async throws -> VCard {
        let buffer: ByteBuffer
        do {
            buffer = try await request.body.collect(upTo: VCard.sizeLimit)
        } catch is NIOTooManyBytesError {
            throw API.Problem(VCard.Failure.tooLarge)
        } catch {
            throw API.Problem.brokenOff
        }
        do {
            return try VCard(Array(buffer.readableBytesView))
        } catch {
            throw API.Problem(error)
        }
    }
}

extension Request {
    /// How many records a page has.
    fileprivate var pageLength: Int { get throws { try number("limit", in: 1...500, otherwise: 50) } }
}

extension API.Card {
    fileprivate init(_ card: VCard) {
        self.init(
            name: card.name,
            lastName: card.lastName,
            email: card.email,
            picture: card.picture.map { Data($0).base64EncodedString() }
        )
    }
}

extension API.Problem {
    /// Why a contact file cannot be read.
    fileprivate init(_ failure: VCard.Failure) {
        switch failure {
        case .tooLarge:
            self.init(
                .tooLarge,
                "The contact file is larger than \(VCard.sizeLimit >> 20) MiB. Export it without its picture."
            )
        case .notCard: self.init(.badRequest, "This is no contact file. Choose one that ends in .vcf.")
        case .version(let version):
            let found = version.isEmpty ? "It names no version" : "It has version \(version)"
            self.init(.badRequest, "The contact file cannot be read. \(found). Export it as vCard 3.0 or 4.0.")
        case .several: self.init(.badRequest, "The file has several contacts. Export your own alone.")
        case .picture:
            self.init(
                .badRequest,
                "The picture in the contact file is damaged or too large. Export the file without it."
            )
        case .empty: self.init(.badRequest, "The contact file has no name, no e-mail address and no picture.")
        }
    }
}
