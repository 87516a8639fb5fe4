// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleAPI
import MingleNode
import NIOCore
import NIOHTTP1

/// Answers to requests that the parser could not read.
enum ParserProblem {
    /// A problem whose status is more precise than that of its name.
    private struct Precise: Encodable {
        let type, title, detail: String
        let status: Int

        init(_ problem: API.Problem, _ status: HTTPResponseStatus) {
            (type, title, detail) = (problem.type, problem.title, problem.detail)
            self.status = Int(status.code)
        }
    }

    /// The answer to a request in which the parser found `error`.
    static func answer(to error: HTTPParserError?) -> (head: HTTPResponseHead, body: ByteBuffer) {
        let problem: API.Problem
        let status: HTTPResponseStatus
        switch error {
        case .headerOverflow:
            problem = API.Problem(.tooLarge, "The request's header fields, or its address, are too long.")
            status = .requestHeaderFieldsTooLarge
        default:
            problem = API.Problem(.badRequest, "The request is not valid HTTP/1.1.")
            status = .badRequest
        }
        // Texts and a number can always be encoded.
        let body = ByteBuffer(bytes: (try? API.encode(Precise(problem, status))) ?? Data())
        let headers: HTTPHeaders = [
            "content-type": "application/problem+json", "content-length": "\(body.readableBytes)",
            "cache-control": "no-store", "x-content-type-options": "nosniff", "connection": "close", "server": "mingle",
        ]
        return (HTTPResponseHead(version: .http1_1, status: status, headers: headers), body)
    }
}
