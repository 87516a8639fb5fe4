// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Testing

@testable import mingle

@Suite("Times on the command line")
struct TimeTests {
    private let now = Date(timeIntervalSince1970: 1_000_000)

    @Test(arguments: [("now", 0), ("+30m", 1800), ("-1h", -3600), ("+2d", 172_800), ("-1.5h", -5400)])
    func `A time can count from now, to both sides`(text: String, seconds: Double) throws {
        #expect(try When.date(text, now: now) == now.addingTimeInterval(seconds))
    }

    @Test func `An end counts from the start, and from now where it is past`() throws {
        let start = now.addingTimeInterval(-7200)
        #expect(try When.date("+30m", now: now, since: start) == start.addingTimeInterval(1800))
        #expect(try When.date("-1h", now: now, since: start) == now.addingTimeInterval(-3600))
    }

    @Test(arguments: ["1h", "-", "-h", "--1h", "-1w", "in 2h", "-infh"])
    func `The message for another text names the forms`(text: String) throws {
        let error = try #require(throws: ValidationError.self) { try When.date(text, now: now) }
        #expect(error.message.hasPrefix("Not a valid time: '\(text)'."))
        for form in ["2026-06-20T18:00Z", "18:00", "now", "+2h", "-30m"] { #expect(error.message.contains(form)) }
    }

    @Test func `A past time is the value of an option, and is not taken for options`() throws {
        try Mingle.withNode { mingle, _ in
            let place = ["--place", "Jetty", "--at", "52.5,13.4"]
            let made = try mingle(["moment", "create", "Toast", "--start", "-1h", "--end", "-30m"] + place)
            #expect(made.code == 0 && made.output.contains("It is already over."), "\(made.errors)")
            let lost = try mingle("people", "rescue", "Nobody", "--until", "-2h", "--preview")
            #expect(lost.code == 4 && lost.errors.contains("Nobody"))
        }
        let text = try Mingle(data: "/nowhere")("comment", "x", "-1h")
        #expect(text.code == 2 && text.errors.contains("Not an option: '-1h'"))
    }
}
