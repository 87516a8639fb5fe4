// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleMedia
import Testing

@testable import MingleEvent

struct ArchiveNameTests {
    private static let time = LocalTime(milliseconds: 1_781_973_727_000, in: .gmt)
    private static let date = "2026-06-20 16.42.07"

    private func name(_ author: String, _ type: String = "image/jpeg") -> String {
        var names = ArchiveNames()
        return names.name(at: Self.time, by: author, mediaType: type)
    }

    @Test(arguments: [
        ("Ana", "Ana"), ("Zoë Müller", "Zoë Müller"), ("Ana/../../etc", "Ana_.._.._etc"),
        ("a<b>c:d\"e|f?g*h\\i", "a_b_c_d_e_f_g_h_i"),
        ("Ana.", "Ana"), ("Ana . . ", "Ana"), ("A\u{0}n\na", "A n a"), ("\u{202e}gpj.ana", "gpj.ana"),
        ("e\u{301}", "é"),
        ("李雷", "李雷"), ("🎂", "🎂"),
    ])
    func `a name says when and by whom, in characters that every system takes`(author: String, shown: String) {
        #expect(name(author) == "\(Self.date) \(shown).jpg")
    }

    @Test func `who has no name that can be written leaves the time alone`() {
        for author in ["", "...", "\u{200b}", "  "] { #expect(name(author) == "\(Self.date).jpg") }
    }

    @Test func `a long name is cut between characters`() {
        #expect(name(String(repeating: "é", count: 100)) == "\(Self.date) \(String(repeating: "é", count: 40)).jpg")
    }

    @Test func `the ending is that of the format, and nobody can choose one that a system runs`() {
        let endings = [
            "image/jpeg": "jpg", "image/heic": "heic", "image/png": "png", "application/x-msdownload": "bin",
        ]
        for (type, ending) in endings { #expect(name("Ana", type) == "\(Self.date) Ana.\(ending)") }
    }

    @Test func `no two names are equal to a system without case or with another form of accents`() {
        var names = ArchiveNames()
        let all = ["Ana", "ANA", "Jose\u{301}", "Jos\u{e9}", "Ana", "Ana 2"].map {
            names.name(at: Self.time, by: $0, mediaType: "image/jpeg")
        }
        #expect(
            all
                == ["Ana", "ANA 2", "José", "José 2", "Ana 3", "Ana 2 2"].map { "\(Self.date) \($0).jpg" }
        )
    }

    @Test(arguments: [
        ("Anas Fest", "Anas Fest"), ("con", "_con"), ("LPT1.zip", "_LPT1.zip"), ("..", "Mingle"), (".hidden", "hidden"),
        ("", "Mingle"), ("A/B", "A_B"), ("Connie", "Connie"),
    ])
    func `an archive is called as the event, but as no device`(title: String, shown: String) {
        #expect(ArchiveNames.beginning(title, bytes: 120, otherwise: "Mingle") == shown)
    }
}
