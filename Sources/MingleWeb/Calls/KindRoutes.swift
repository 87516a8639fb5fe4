// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MingleAPI
import MingleEvent
import MingleModel
import MingleNode

/// The calls that follow from the declarations of kinds, where none is written by hand.
struct KindRoutes {
    let parts: Parts

    func add(to calls: CallRouter) {
        calls.on(.get, "kinds", "Lists the kinds of records, with their fields.") { _, _ in
            API.Envelope.Kinds(kinds: Kind.all.filter { !$0.calls.isEmpty }.map { API.DeclaredKind($0) })
        }
        for kind in Kind.all {
            for call in kind.calls.sorted(by: { $0.rawValue < $1.rawValue }) { add(call, of: kind, to: calls) }
            if kind.hasPicture, kind.calls.contains(.list), kind != .photo { addPictures(of: kind, to: calls) }
        }
    }

    private func add(_ call: KindCall, of kind: Kind, to calls: CallRouter) {
        let described = kind.described(call)
        guard let method = HTTPRequest.Method(rawValue: described.method), !calls.has(method, described.path) else {
            return
        }
        switch call {
        case .list:
            calls.on(described) { request, context in
                let query = ListQuery(kind, request.parameters)
                return try Response.json(parts.service(request, context).records(of: kind, query))
            }
        case .show:
            calls.on(described) { request, context in
                try Response.json(parts.service(request, context).record(context.record, of: kind))
            }
        case .create: write(described, kind, status: .created) { service, body, _ in try service.create(kind, body) }
        case .change:
            write(described, kind) { service, body, id in
                try service.change(RequestValidation.reference(id), kind, body)
            }
        case .set: write(described, kind) { service, body, id in try service.set(kind, on: id, body) }
        case .delete:
            erase(described, in: calls) { service, id in try service.delete(RequestValidation.reference(id), kind) }
        case .unset: erase(described, in: calls) { service, id in try service.unset(kind, on: id) }
        }

        func write(
            _ call: API.Call,
            _ kind: Kind,
            status: HTTPResponse.Status = .ok,
            _ body: @escaping @Sendable (EventService, API.JSON, String) throws -> API.Record
        ) {
            guard case .json(let schema) = call.body else { return }
            calls.on(call) { request, context in
                let value = try await request.value(API.JSON.self, as: schema)
                let id = context.id
                let record = try await parts.write(request, context) { try body($0, value, id) }
                return try Response.json(record, status: status)
            }
        }
    }

    private func erase(
        _ call: API.Call,
        in calls: CallRouter,
        _ body: @escaping @Sendable (EventService, String) throws -> Void
    ) {
        calls.on(call) { request, context in
            let id = context.id
            try await parts.write(request, context) { try body($0, id) }
            return .done
        }
    }

    private func addPictures(of kind: Kind, to calls: CallRouter) {
        for field in kind.fields where field.type == .media {
            let author = API.Parameter("author", .text(limit: 64), "Whose record it is; without it this person's.")
            let version = API.Parameter(
                "v",
                .text(limit: 64),
                "The picture's version; another one is another address."
            )
            let call = API.Call(
                "GET",
                "\(kind.plural)/:id/\(field.name)",
                "Sends the \(field.name) of \(kind.article) \(kind.noun).",
                parameters: kind.identity == .key ? [version, author] : [version],
                answer: .bytes(["image/jpeg"])
            )
            calls.on(call) { request, context in
                let author = try request.query("author").map(RequestValidation.person)
                let found = try parts.service(request, context).media(field, of: kind, context.record, by: author)
                let reader = try parts.reading(request, context).openMedia(found.media, of: found.owner)
                return MediaRoutes.answer(request, withPicture: (reader, found.media.type))
            }
        }
    }
}
