// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Sharing photos by the command line", .timeLimit(.minutes(5)))
struct PhotoAddingTests {
    @Test func `Of a photo that was shared before a title is taken, and it is said so`() throws {
        try Mingle.withNode { mingle, folder in
            try Picture.make(folder + "/cake.png")
            let first = try mingle("photo", "add", folder + "/cake.png").output
            #expect(first.hasPrefix("Shared cake.png ("))
            let id = String(first.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" })
            let again = try mingle("photo", "add", folder + "/cake.png", "--title", "The cake")
            #expect(again.output == "cake.png is already shared: cake.png (\(id)). Its title is now: The cake\n")
            let untitled = try mingle("photo", "add", folder + "/cake.png")
            #expect(untitled.output == "cake.png is already shared: cake.png (\(id)).\n")
            #expect(try mingle("photo", "list", "--json").output.contains(#""title":"The cake""#))
        }
    }

    @Test func `What is no file is refused, also behind a link`() throws {
        try Mingle.withNode { mingle, folder in
            try FileManager.default.createSymbolicLink(atPath: folder + "/zero.jpg", withDestinationPath: "/dev/zero")
            try FileManager.default.createSymbolicLink(atPath: folder + "/pictures", withDestinationPath: "/tmp")
            for path in ["/dev/zero", folder + "/zero.jpg"] {
                let outcome = try mingle("photo", "add", path)
                #expect(outcome.code != 0)
                #expect(outcome.errors.contains("\(path) is a device or a pipe. Save the picture to a file"))
            }
            #expect(try mingle("photo", "add", folder + "/pictures").errors.contains("is a folder"))
        }
    }
}
