// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleModel
import Testing

/// Contact files, as programs write them and as nobody should.
struct VCardTests {
    private static func file(_ lines: String..., version: String = "3.0", end: String = "\r\n") -> [UInt8] {
        Array((["BEGIN:VCARD", "VERSION:\(version)"] + lines + ["END:VCARD", ""]).joined(separator: end).utf8)
    }

    private func failure(_ bytes: [UInt8]) -> VCard.Failure? {
        do { _ = try VCard(bytes) } catch { return error }
        return nil
    }

    @Test(arguments: ["\r\n", "\n"])
    func `version 3 has a given and a family name, the preferred address, and a picture in base64`(end: String) throws {
        let picture = Data((0..<200).map { UInt8($0) })
        let coded = picture.base64EncodedString()
        let folded = stride(from: 0, to: coded.count, by: 60).map { Array(coded.utf8)[$0...].prefix(60) }
            .map { String(decoding: $0, as: UTF8.self) }.joined(separator: end + " ")
        let card = try VCard(
            Self.file(
                "N:Ruiz\\, Soto;Ana;María;;",
                "FN:Ana Ruiz",
                "item1.EMAIL;TYPE=INTERNET:old@example.org",
                "EMAIL;TYPE=INTERNET,PREF:ana@example.org",
                "PHOTO;ENCODING=b;TYPE=PNG:\(folded)",
                end: end
            )
        )
        #expect(card.name == "Ana" && card.lastName == "Ruiz, Soto" && card.email == "ana@example.org")
        #expect(card.picture == [UInt8](picture))
    }

    @Test func `version 4 has a picture as a data address, and one of the web is not fetched`() throws {
        let card = try VCard(
            Self.file(
                "FN:Jörg\\nMüller",
                "PHOTO:data:image/jpeg;base64,/9j/",
                "EMAIL;PREF=1:j@example.org",
                version: "4.0"
            )
        )
        #expect(card.name == "Jörg Müller" && card.lastName == nil && card.picture == [0xff, 0xd8, 0xff])
        let web = try VCard(Self.file("FN:Jörg", "PHOTO;VALUE=uri:https://example.org/a.jpg", version: "4.0"))
        #expect(web.picture == nil)
    }

    @Test func `a quoted parameter, a byte order mark and a folded letter are read`() throws {
        let bytes: [UInt8] = [0xef, 0xbb, 0xbf] + Self.file("FN;X=\"a:b;c\":An\r\n a", "NOTE:x")
        #expect(try VCard(bytes).name == "Ana")
        // RFC 6350 lets a fold stand within a letter's bytes.
        var split = Self.file("FN:Jöe")
        let place = try #require(split.firstIndex(of: 0xc3))
        split.insert(contentsOf: [0x0d, 0x0a, 0x20], at: place + 1)
        #expect(try VCard(split).name == "Jöe")
    }

    @Test func `what is no contact file of one person is refused, and says why`() {
        #expect(failure([]) == .notCard)
        #expect(failure(Array("hello".utf8)) == .notCard)
        #expect(failure([0xff, 0xfe, 0x00]) == .notCard)
        #expect(failure(Array("BEGIN:VCARD\nVERSION:3.0\nFN:Ana\n".utf8)) == .notCard, "it is cut off")
        #expect(failure(Self.file("N;ENCODING=QUOTED-PRINTABLE:M=C3=BCller", version: "2.1")) == .version("2.1"))
        #expect(failure(Array("BEGIN:VCARD\nFN:Ana\nEND:VCARD".utf8)) == .version(""))
        #expect(failure(Self.file("FN:Ana") + Self.file("FN:Bob")) == .several)
        #expect(failure(Self.file("FN:Ana", "PHOTO;ENCODING=b:####")) == .picture)
        #expect(failure(Self.file("FN:Ana", "PHOTO;ENCODING=b:")) == .picture)
        #expect(failure(Self.file("FN: ", "EMAIL:nowhere")) == .empty)
    }

    @Test func `a hostile file costs little and breaks nothing`() throws {
        let long = String(repeating: "A", count: 1_000_000)
        let card = try VCard(Self.file("FN:\(long)", "NOTE:\(long.prefix(500_000))"))
        #expect(card.name?.count == VCard.textLimit)
        #expect(failure(Self.file(long)) == .empty)
        #expect(failure([UInt8](repeating: 0x0a, count: VCard.sizeLimit + 1)) == .tooLarge)
        #expect(failure([UInt8](repeating: 0x0a, count: VCard.sizeLimit)) == .notCard)
        #expect(failure(Self.file("FN:Ana", "PHOTO;ENCODING=b:\(long)\(long.prefix(500_000))")) == .picture)
        let folds = "BEGIN:VCARD\nVERSION:3.0\nFN:A" + String(repeating: "\n a", count: 300_000) + "\nEND:VCARD"
        #expect(try VCard(Array(folds.utf8)).name?.count == VCard.textLimit)
    }
}
