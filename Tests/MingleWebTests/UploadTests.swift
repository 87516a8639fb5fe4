// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import MingleAPI
import MingleNode
import NIOCore
import Testing

@testable import MingleWeb

/// What may come where a picture should.
@Suite(.timeLimit(.minutes(5)))
struct UploadTests {
    private static let path = "/api/v1/photos?name=cat.jpg"

    /// Lends a browser, and requires that no upload is left over afterwards, and that nothing was shared.
    private func withRefusal(_ body: (Browser) async throws -> Void) async throws {
        try await withEvent { browser in
            try await body(browser)
            #expect(try FileManager.default.contentsOfDirectory(atPath: browser.node.uploadFolder).isEmpty)
            #expect(try await browser.call(.get, "photos").text == #"{"photos":[]}"#)
        }
    }

    @Test func `an empty file is a bad picture as any other, and is named`() async throws {
        try await withRefusal { browser in
            for body in [.nothing, .parts([]), .parts([[], []])] as [RequestBody] {
                let answer = try await browser.send(.put, Self.path, [.contentLength: "0"], body: body)
                #expect(answer.isProblem(.notAPicture, "cat.jpg: This file is empty"))
                #expect(answer.problem?.name.exitCode == 1)
            }
        }
    }

    @Test func `what is no picture, or no whole one, is refused by its name`() async throws {
        try await withRefusal { browser in
            let small = try Picture.small
            let files = [
                Array("<html></html>".utf8), Array("%PDF-1.7".utf8), [0], [0xFF, 0xD8, 0xFF],
                Array(small.dropLast(200)),
                Array(small.prefix(100)), Array(small.prefix(300)) + [UInt8](repeating: 0xFF, count: 600),
                [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
            ]
            for (number, file) in files.enumerated() {
                let answer = try await browser.send(.put, Self.path, body: .parts([file]))
                #expect(answer.isProblem(.notAPicture, "cat.jpg: "), "\(number)")
            }
        }
    }

    @Test func `a file that says it is too large is refused, and so is one that only is`() async throws {
        try await withRefusal { browser in
            let declared: HTTPFields = [.contentLength: "\((128 << 20) + 1)"]
            let announced = try await browser.send(.put, Self.path, declared, body: .megabytes(1))
            #expect(announced.isProblem(.tooLarge, "128 MiB"))
            let silent = try await browser.send(.put, Self.path, body: .megabytes(129))
            #expect(silent.isProblem(.tooLarge, "128 MiB"))
            let huge: HTTPFields = [.contentLength: "99999999999999999999"]
            let absurd = try await browser.send(.put, Self.path, huge, body: .megabytes(1))
            #expect(absurd.isProblem(.notAPicture))
        }
    }

    @Test func `a file that is too large is refused before its first byte if the client waits to be asked`()
        async throws
    {
        try await withRefusal { browser in
            let headers: HTTPFields = [.contentLength: "\(200 << 20)", try #require(.init("Expect")): "100-continue"]
            let untouched = RequestBody(
                asyncSequence: AsyncStream<ByteBuffer> {
                    Issue.record("somebody reads the body")
                    return nil
                }
            )
            let answer = try await browser.send(.put, Self.path, headers, body: untouched)
            #expect(answer.isProblem(.tooLarge, "128 MiB"))
        }
    }

    @Test func `a file that breaks off is not shared, even if what came is a picture`() async throws {
        try await withRefusal { browser in
            let small = try Picture.small
            let longer: HTTPFields = [.contentLength: "\(small.count + 1)"]
            let answers = [
                try await browser.send(.put, Self.path, body: .broken(after: small)),
                try await browser.send(.put, Self.path, body: .broken(after: [])),
                try await browser.send(.put, Self.path, longer, body: .parts([small])),
                try await browser.send(.put, "/api/v1/profile/picture", body: .broken(after: small)),
            ]
            for answer in answers { #expect(answer.isProblem(.badRequest, "was interrupted")) }
        }
    }

    @Test(arguments: ["text/html", "application/json", "image/png", "application/x-www-form-urlencoded", ""])
    func `the bytes say what a file is, whatever its content type claims`(type: String) async throws {
        try await withEvent { browser in
            let body = RequestBody.parts([try Picture.small])
            let answer = try await browser.send(.put, Self.path, [.contentType: type], body: body)
            #expect(answer.status == 201)
            #expect(try API.decode(API.Photo.self, from: Data(answer.bytes)).mime == "image/jpeg")
        }
    }

    @Test func `a picture may come in parts of any length`() async throws {
        try await withEvent { browser in
            let parts = try Picture.small.map { [$0] }
            let answer = try await browser.send(.put, Self.path, body: .parts(parts + [[]]))
            #expect(answer.status == 201, "\(answer.text)")
        }
    }

    @Test(arguments: [
        ("", "photo.jpg"), ("photo", "photo.jpg"), ("a%20b.JPEG", "a b.JPEG"), ("..%2F..%2Fetc%2Fpasswd", "passwd.jpg"),
        ("C%3A%5CPictures%5Ccat.jpg", "cat.jpg"), ("%2F%2F%2F", "photo.jpg"), (".hidden", "photo.jpg"),
        ("..", "photo.jpg"), (".jpg", "photo.jpg"), ("say%20%22hi%22.jpg", "say \"hi\".jpg"),
        ("a%0D%0Ab.jpg", "ab.jpg"),
        ("a%00.jpg", "a.jpg"), ("%C3%B1and%C3%BA.jpg", "ñandú.jpg"), ("%F0%9F%8E%89.jpg", "🎉.jpg"),
        ("virus.exe", "virus.exe.jpg"), ("a.png", "a.png.jpg"), ("a%3Db%26c.jpg", "a=b&c.jpg"),
        ("%FF.jpg", "\u{FFFD}.jpg"),
        ("%.jpg", "%.jpg"),
    ])
    func `a name is one that can be saved under, and tells what the file is`(name: String, safe: String) async throws {
        try await withEvent { browser in
            let photo = try await browser.share(Picture.small, "name=\(name)")
            #expect(photo.name == safe)
            let path = "/api/v1/media/\(photo.id)/original?download=1"
            let header = try await browser.send(.get, path).headers[.contentDisposition]
            let encoded = try #require(header?.dropFirst("attachment; filename*=UTF-8''".count))
            #expect(encoded.removingPercentEncoding == safe)
            #expect(encoded.wholeMatch(of: #/[A-Za-z0-9%]+/#) != nil)
        }
    }

    @Test(arguments: ["a", "%C3%B1", "%E7%8C%AB", "%F0%9F%8E%89"])
    func `a long name is cut, and keeps its ending`(letter: String) async throws {
        try await withEvent { browser in
            let name = String(repeating: letter, count: 300)
            let photo = try await browser.share(Picture.small, "name=\(name).jpg")
            #expect(photo.name.hasSuffix(".jpg") && (190...204).contains(photo.name.utf8.count))
            #expect(name.removingPercentEncoding?.hasPrefix(photo.name.dropLast(4)) == true)
        }
    }
}
