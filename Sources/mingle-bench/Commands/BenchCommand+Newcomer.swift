// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleAPI
import MingleClient
import MingleNode
import NIOHTTP1

extension BenchCommand {
    /// Measures what somebody waits for who comes late.
    struct Newcomer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Join an event that has many records, and wait for the newest of them.",
            discussion: "Both nodes run on this machine and share its processors."
        )
        @Option(help: "Photos and comments in the event.") var records = 200_000
        @Option(help: "Devices that wrote them.") var authors = 200
        @OptionGroup var output: BenchOutput

        /// Seconds since the newcomer pasted the link, and bytes of memory.
        private struct Figures: Encodable {
            let records: Int
            let authors: Int
            var joined = 0.0
            /// Until the newest photo was on the first page.
            var newestPhoto = 0.0
            /// Until the first page of photos had its thumbnails.
            var newestThumbnails = 0.0
            /// Until every record was held.
            var everything = 0.0
            /// Resident bytes of the newcomer's node at most.
            var peakMemory = 0
        }

        /// Photos of the first page.
        private static let page = 24

        func validate() throws {
            try BenchCommand.require(records, in: 1000...10_000_000, "records")
            try BenchCommand.require(authors, in: 1...10_000, "authors")
        }

        func run() async throws {
            let figures = try await BenchCommand.inFolder("newcomer") { folder in
                let plan = "\(records) records of \(authors) devices"
                FileHandle.standardError.write(Data("Making an event with \(plan) …\n".utf8))
                try StartFolder(path: folder + "/member", records: records, authors: authors).make()
                return try await measure(in: folder)
            }
            try output.show(figures) {
                [
                    ["joined after", BenchCommand.text(seconds: figures.joined)],
                    ["newest photo after", BenchCommand.text(seconds: figures.newestPhoto)],
                    ["its page's thumbnails after", BenchCommand.text(seconds: figures.newestThumbnails)],
                    ["everything after", BenchCommand.text(seconds: figures.everything)],
                    ["memory", "\(figures.peakMemory >> 20) MiB"],
                ]
            }
        }

        private func measure(in folder: String) async throws -> Figures {
            let member = try BenchedNode(on: folder + "/member")
            defer { member.stop() }
            let page = "photos?limit=\(Self.page)"
            let shown: API.Envelope.Photos = try await member.wait("for the member") { try? await $0.get(page) }
            guard let newest = shown.photos.first?.id else { throw BenchError("The member shows no photo.") }
            let invitation: API.Invitation = try await member.client.get("invitation")
            let status: API.Status = try await member.client.get("status")

            let newcomer = try BenchedNode(on: folder + "/newcomer", peer: member.peerPort())
            defer { newcomer.stop() }
            let _: API.Person = try await newcomer.wait("for the newcomer") {
                try? await $0.send(.PUT, "profile", ["name": "Newcomer"])
            }
            var figures = Figures(records: records, authors: authors)
            let clock = ContinuousClock()
            let start = clock.now
            func elapsed() -> Double { (clock.now - start) / .seconds(1) }
            let _: API.Event = try await newcomer.client.send(.POST, "join", ["link": invitation.link])
            figures.joined = elapsed()
            func wait(until isEnough: @escaping ([API.Photo]) -> Bool) async throws -> Double {
                try await newcomer.wait("for photos", pause: .milliseconds(50)) { client in
                    let shown: API.Envelope.Photos = try await client.get(page)
                    return isEnough(shown.photos) ? elapsed() : nil
                }
            }
            figures.newestPhoto = try await wait { $0.first?.id == newest }
            figures.newestThumbnails = try await wait { $0.allSatisfy(\.held.thumbnail) }
            figures.everything = try await newcomer.wait("for all records", pause: .milliseconds(200)) { client in
                let now: API.Status = try await client.get("status")
                return now.sync.records >= status.sync.records ? elapsed() : nil
            }
            figures.peakMemory = try newcomer.peakMemory()
            return figures
        }
    }
}
