// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("Sharing photos by the command line", .timeLimit(.minutes(2)))
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
}
