// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What people say by commands, and how they see all of it.
@Suite(.timeLimit(.minutes(5)))
struct SayingTests {
    /// The id in `Created … (ID).` and similar texts.
    private func id(in outcome: Mingle.Outcome) throws -> String {
        String(try #require(outcome.output.split(separator: "(").last?.prefix { $0 != ")" }))
    }

    private func makeMoment(_ mingle: Mingle, _ more: String...) throws -> Mingle.Outcome {
        try mingle(["moment", "create", "Toast", "--place", "Jetty", "--at", "52.5,13.4"] + more)
    }

    @Test func `A list that goes on says how, of which event and node, and so all of it is seen`() throws {
        try Mingle.withNode { mingle, _ in
            let moment = try id(in: makeMoment(mingle))
            for number in 1...53 {
                try mingle("comment", moment, "number \(number).")
                // Comments are told beneath their moment, so it takes as many moments for two pages of news.
                try mingle("moment", "create", "number \(number).", "--place", "Jetty", "--at", "52.5,13.4")
            }
            for command in [["news", "--newest"], ["comment", moment]] {
                let newest = try mingle(command)
                let last = try #require(newest.output.split(separator: "\n").last)
                let advice = try #require(last.split(separator: ": mingle ").last).split(separator: " ").map(
                    String.init
                )
                #expect(newest.output.contains("number 53.") && !newest.output.contains("number 2."))
                let older = try mingle(advice)
                #expect(older.code == 0 && older.output.contains("number 2."))
                #expect(!older.output.contains("--before") && !older.output.contains("number 53."))
            }
            let listed = try mingle("event", "list", "--json").output
            let event = try #require(listed.firstMatch(of: /"id":"([a-z0-9]+)"/)).output.1
            let page = try mingle("news", "--newest", "--event", String(event), "--data", mingle.data ?? "").output
            #expect(page.contains("mingle news --data '\(mingle.data ?? "")' --event \(event) --before "))
        }
    }

    @Test func `A comment is deleted by its id, and nothing else is by it`() throws {
        try Mingle.withNode { mingle, _ in
            let moment = try id(in: makeMoment(mingle))
            let comment = try id(in: mingle("comment", moment, "Never mind"))
            #expect(try mingle("news", "--ids").output.contains(comment))
            #expect(try mingle("comment", "--delete", "--yes", moment).code == 4)
            #expect(try mingle("photo", "delete", "--yes", moment).code == 4)
            #expect(try mingle("comment", "--delete", "-y", comment).code == 0)
            #expect(try mingle("comment", moment).output.contains("No comments yet"))
            #expect(try mingle("moment", "show", moment).code == 0)
        }
    }

    @Test func `The news name what people commented on, and ids only when they are asked for`() throws {
        try Mingle.withNode { mingle, folder in
            try Picture.make(folder + "/a.png")
            let photo = try id(in: mingle("photo", "add", folder + "/a.png", "--title", "Sunset"))
            let moment = try id(in: makeMoment(mingle))
            try mingle("comment", photo, "Bright")
            try mingle("comment", moment, "Cheers")
            let news = try mingle("news").output
            #expect(news.contains("commented on your photo “Sunset”: Bright\n"), "\(news)")
            #expect(news.contains("commented on your moment “Toast”: Cheers\n"))
            #expect(news.contains("shared “Sunset”\n") && news.contains("created the moment “Toast”\n"))
            for id in [photo, moment] {
                #expect(!news.contains(id))
                #expect(try mingle("news", "--ids").output.contains("  \(id)\n"))
            }
        }
    }

    @Test func `A moment is changed, and what is left out stays`() throws {
        try Mingle.withNode { mingle, _ in
            let moment = try id(in: makeMoment(mingle, "--start", "2031-06-20 23:00", "--end", "02:00"))
            #expect(try mingle("moment", "show", moment).output.contains("2031-06-21 02:00"))
            #expect(try mingle("moment", "set", moment).code == 2)
            let changed = try mingle("moment", "set", moment, "--title", "Cake", "--end", "+4h", "--radius", "50")
            #expect(changed.output == "Cake: 2031-06-20 23:00 to 2031-06-21 03:00, Jetty.\n")
            let shown = try mingle("moment", "show", moment).output
            #expect(shown.contains("Jetty, within 50 m"))
            // A time without a day is on the moment's.
            let later = try mingle("moment", "set", moment, "--start", "23:30")
            #expect(later.output == "Cake: 2031-06-20 23:30 to 2031-06-21 03:00, Jetty.\n")
            let endless = try mingle("moment", "set", moment, "--start", "2001-01-01 10:00", "--end", "now")
            #expect(endless.code != 0 && endless.errors.contains("at most 366 days"))
            let over = try mingle("moment", "set", moment, "--start", "2001-01-01 10:00", "--end", "2001-01-02 10:00")
            #expect(over.code == 0 && !over.output.contains("2031"))
        }
    }

    @Test(arguments: [
        ["--start", "1900-12-31 10:00"], ["--end", "+infh"], ["--end", "+1e300d"], ["--end", "+nanh"],
        ["--start", "soon"],
    ])
    func `A time that no moment can have is refused`(words: [String]) throws {
        try Mingle.withNode { mingle, _ in
            let outcome = try mingle(["moment", "create", "Toast", "--place", "Jetty", "--at", "52.5,13.4"] + words)
            #expect(outcome.code == 2 && outcome.output.isEmpty)
            let nowhere = try mingle("moment", "create", "Toast", "--place", "Jetty", "--at", "nan,1")
            #expect(nowhere.code == 2)
        }
    }

    @Test func `Who is told that a picture cannot be read has no new name either`() throws {
        try Mingle.withNode { mingle, folder in
            let outcome = try mingle("profile", "--name", "Zoe", "--picture", folder + "/none.jpg")
            #expect(outcome.code == 4)
            let shown = try mingle("profile")
            #expect(shown.output == "You are Ana.\n")
        }
    }
}
