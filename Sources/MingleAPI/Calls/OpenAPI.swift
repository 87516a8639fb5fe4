// SPDX-License-Identifier: Apache-2.0

extension API {
    /// The description of the API in OpenAPI 3.1.
    package enum OpenAPI {
        /// Describes calls.
        package static func document(of calls: [Call], version: String) -> JSON {
            var schemas = Schema(of: Problem.self).named
            var paths: [String: [String: JSON]] = [:]
            for call in calls {
                schemas.merge(call.schemas) { first, _ in first }
                paths["/" + call.template, default: [:]][call.method.lowercased()] = call.json
            }
            return [
                "openapi": "3.1.0",
                "info": [
                    "title": "Mingle", "version": .text(version),
                    "description":
                        "What people share at an event. Times are RFC 3339, texts UTF-8; limits of texts are in bytes.",
                    "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
                ],
                "servers": [["url": "/api/v1"]],
                "paths": .object(paths.mapValues(JSON.object)),
                "components": ["schemas": .object(schemas.mapValues(\.definition))],
            ]
        }
    }
}

extension API.Schema {
    /// The schema in full, as it stands in the components.
    fileprivate var definition: API.JSON { if case .named(_, let schema) = self { schema.json } else { json } }
}

extension API.Call {
    /// The path as OpenAPI writes it: `photos/{id}`.
    fileprivate var template: String {
        path.split(separator: "/").map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0) }.joined(separator: "/")
    }

    /// The names of the parameters in the path.
    private var pathParameters: [String] {
        path.split(separator: "/").filter { $0.hasPrefix(":") }.map { String($0.dropFirst()) }
    }

    /// The named schemas that it uses.
    fileprivate var schemas: [String: API.Schema] {
        [body, answer].reduce(into: [:]) { schemas, content in
            if case .json(let schema) = content { schemas.merge(schema.named) { first, _ in first } }
        }
    }

    fileprivate var json: API.JSON {
        var members: [String: API.JSON] = [
            "operationId": .text("\(method.lowercased())_\(path.replacing("/", with: "_").replacing(":", with: ""))"),
            "summary": .text(summary),
            "parameters": .list(
                pathParameters.map(Self.inPath) + query.map { Self.parameter($0, in: "query") }
                    + headers.map { Self.parameter($0, in: "header") }
            ),
            "responses": [
                "\(status)": Self.answer("Done.", answer, type: "application/json"),
                "default": Self.answer(
                    "Not done; `detail` says why.",
                    .json(API.Schema(of: API.Problem.self)),
                    type: "application/problem+json"
                ),
            ],
        ]
        members["description"] = details.map(API.JSON.text)
        if let repeatedStatus {
            members["responses"] = members["responses"]?.adding(
                "\(repeatedStatus)",
                Self.answer("It was there already.", answer, type: "application/json")
            )
        }
        if let partialStatus {
            members["responses"] = members["responses"]?.adding(
                "\(partialStatus)",
                Self.answer("Done in part; more has to follow.", .nothing, type: "")
            )
        }
        switch body {
        case .nothing: break
        case .json(let schema):
            members["requestBody"] = ["required": true, "content": ["application/json": ["schema": schema.json]]]
        case .bytes(let types):
            members["requestBody"] = ["required": true, "content": Self.bytes(types)]
        }
        return .object(members)
    }

    private static func inPath(_ name: String) -> API.JSON {
        ["name": .text(name), "in": "path", "required": true, "schema": ["type": "string", "minLength": 1]]
    }

    private static func parameter(_ parameter: API.Parameter, in place: String) -> API.JSON {
        [
            "name": .text(parameter.name), "in": .text(place), "required": .flag(parameter.isRequired),
            "description": .text(parameter.summary), "schema": parameter.schema.json,
        ]
    }

    private static func answer(_ words: String, _ content: API.Content, type: String) -> API.JSON {
        switch content {
        case .nothing: ["description": .text(words)]
        case .json(let schema):
            ["description": .text(words), "content": .object([type: ["schema": schema.json]])]
        case .bytes(let types): ["description": .text(words), "content": bytes(types)]
        }
    }

    private static func bytes(_ types: [String]) -> API.JSON {
        .object(Dictionary(types.map { ($0, ["schema": [:]]) }) { first, _ in first })
    }
}
