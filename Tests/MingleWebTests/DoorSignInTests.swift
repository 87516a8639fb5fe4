// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import MingleAPI
import NodeTestSupport
import Testing

@testable import MingleNode
@testable import MingleWeb

/// One guest with several phones.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DoorSignInTests {
    private func signIn(_ phone: Phone, _ code: String) async throws -> Answer {
        try await phone.call(.post, "sign-in", #"{"code":"\#(code)"}"#)
    }

    @Test func `a guest goes on as the same person with another phone, by a code that is good once`() async throws {
        try await withOpenParty { party async throws in
            let dinner = try await party.dinner()
            let (phone, second, third) = (try await party.scan(), try await party.scan(), try await party.scan())
            #expect(try await phone.call(.post, "sign-in-codes").isProblem(.conflict, "Share or say something first"))
            let me = try await phone.comment(on: dinner, "Hi").author.id
            let code = try await phone.value(API.SignInCode.self, .post, "sign-in-codes")
            #expect(code.expires > Date() && code.expires < Date().addingTimeInterval(601))
            let answer = try await signIn(second, code.code)
            #expect(answer.status == 200 && answer.headers[.setCookie] == nil)
            #expect(try await second.me?.id == me && party.door.count == 1)
            #expect(try await second.comment(on: dinner, "From here").author.id == me)
            #expect(try await signIn(third, code.code).isProblem(.notFound, "not valid"))
            // Who takes part already is not made somebody else.
            _ = try await third.comment(on: dinner, "I")
            let other = try await phone.value(API.SignInCode.self, .post, "sign-in-codes")
            #expect(try await signIn(third, other.code).isProblem(.conflict, "takes part already"))
            // Who leaves with one phone has left with both.
            #expect(try await second.call(.delete, "visit").status == 204)
            #expect(try await phone.me == nil && party.door.count == 1)
        }
    }

    @Test func `who guesses codes is stopped, and after five wrong ones nobody's is good`() async throws {
        try await withOpenParty { party async throws in
            let phone = try await party.scan()
            _ = try await phone.comment(on: try await party.dinner(), "Hi")
            let code = try await phone.value(API.SignInCode.self, .post, "sign-in-codes").code
            let wrong = String(code.reversed()) == code ? "00000000" : String(code.reversed())
            for place in 0..<5 {
                let guesser = try await party.scan(from: "10.0.0.\(place)")
                #expect(try await signIn(guesser, wrong).isProblem(.notFound))
            }
            #expect(try await signIn(party.scan(), code).isProblem(.notFound))
            let one = try await party.scan(from: "10.0.1.1")
            for _ in 0..<Tries.most { #expect(try await signIn(one, wrong).status == 404) }
            #expect(try await signIn(one, wrong).isProblem(.tooMany, "Try again in"))
        }
    }

    @Test func `a removed guest takes part with no other phone`() async throws {
        try await withOpenParty { party async throws in
            let dinner = try await party.dinner()
            let phone = try await party.scan()
            let me = try await phone.comment(on: dinner, "Hi").author.id
            let code = try await phone.value(API.SignInCode.self, .post, "sign-in-codes").code
            let founder = party.founder.node
            try await eventually("the founder knows the guest", at: founder) {
                try founder.people(event: nil).people.contains { $0.id == me }
            }
            _ = try founder.remove(me, keepsLinks: false, event: nil)
            let browser = try phone.browser
            try await eventually("the door hears of it", at: party.node) { party.door.state(of: browser) == .over }
            #expect(try await signIn(party.scan(), code).isProblem(.notAllowed, "removed you"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: party.node.guestsFolder).count == 1)
        }
    }
}
