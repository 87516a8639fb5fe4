// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleNode
import NIOCore
import NIOHTTP1

/// The event's photos and clips.
struct PhotoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo",
        abstract: "Share, list, save or delete photos and clips.",
        subcommands: [
            Add.self, List.self, Nearby.self, Vote.self, Caption.self, Save.self, SaveAll.self, Delete.self,
        ]
    )

    /// Shares photos and clips.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Share photos and clips, without the location where they were taken.",
            discussion: "Of a video the first ten seconds are shared, as a square clip. It has to last five at least."
        )
        @OptionGroup var options: ClientOptions
        @Argument(
            help: "Pictures and videos.",
            completion: .file(extensions: ["jpg", "jpeg", "png", "heic", "avif", "webp", "gif", "mp4", "mov", "webm"])
        )
        var files: [String]
        @Option(help: "Id of the moment to post to. Default: the event.", completion: Offers.moments)
        var moment: String?
        @Option(help: "Title of the photo.") var title: String?
        @Flag(help: "Keep the location, so that others see where the photos were taken.") var keepLocation = false

        func run() async throws {
            let progress = Progress("Sharing", total: files.reduce(0) { $0 + Self.size(of: $1) })
            var failures: [API.Problem] = []
            for file in files {
                do {
                    let photo = try await share(file, progress)
                    progress.finish()
                    try options.show(photo) { outcome(of: file, $0) }
                } catch let problem as API.Problem where files.count > 1 {
                    progress.finish()
                    failures.append(problem)
                    try report(problem, file)
                }
            }
            if let first = failures.first, failures.count == files.count {
                throw API.Problem(first.name, "No file was shared. See the errors above.")
            }
            if !failures.isEmpty { throw Failure.PartlyDone() }
        }

        private static let noPlace = "It says nowhere, or not clearly, where it was taken, so others see no place."

        private func outcome(of file: String, _ photo: API.Photo) -> String {
            let place = photo.latitude == nil && keepLocation ? " \(Self.noPlace)" : ""
            guard photo.alreadyShared == true else { return "Shared \(photo.name) (\(photo.id)).\(place)" }
            let name = URL(fileURLWithPath: file).lastPathComponent
            let hidden = photo.hidden == nil ? "" : ", and hidden"
            // An empty title changes nothing.
            let titled = title.map { $0.allSatisfy(\.isWhitespace) } ?? true ? "" : " Its title is now: \(photo.title)"
            return "\(name) is already shared\(hidden): \(photo.name) (\(photo.id)).\(titled)\(place)"
        }

        private func share(_ file: String, _ progress: Progress) async throws -> API.Photo {
            let (handle, size) = try Upload.open(file)
            defer { try? handle.close() }
            let path = options.path(
                "photos",
                [
                    "name": URL(fileURLWithPath: file).lastPathComponent, "target": moment, "title": title,
                    "keep_location": keepLocation ? "true" : nil,
                ]
            )
            let body = NodeClient.Body.file(handle, size: size) { progress.add($0) }
            return try API.decode(API.Photo.self, from: try await options.client.bytes(.PUT, path, body))
        }

        private func report(_ problem: API.Problem, _ file: String) throws {
            StandardError.print(Failure.prefix + problem.detail)
            guard options.json else { return }
            let said = ["type": "error", "item": file, "message": problem.detail]
            try StandardOutput.print(json: API.encode(said))
        }

        private static func size(of file: String) -> Int {
            (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? NSNumber)?.intValue ?? 0
        }
    }

    /// Saves an original photo.
    struct Save: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Save the original of a photo, or a JPEG of it.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "Id of the photo.", completion: Offers.photos) var id: String
        @Argument(help: "File to write. '-' writes to the standard output.", completion: .file()) var file: String
        @Flag(name: .shortAndLong, help: "Replace an existing file.") var force = false
        @Flag(help: "Save a JPEG with all pixels, for programs that do not show HEIC or AVIF.") var jpeg = false

        func run() async throws {
            let saved = try Output(file, replaces: force, options)
            try saved.requireNoTerminal("Redirect the output: mingle photo save \(id) - > FILE")
            let photo: API.Photo = try await options.client.get(options.path("photos/\(id)"))
            let progress = Progress("Saving", total: jpeg ? 0 : photo.size)
            let form = jpeg ? "jpeg" : "original"
            try await progress.shown {
                try await saved.write { take in
                    try await options.client.exchange(.GET, options.path("media/\(id)/\(form)"), .none) { part in
                        try take(part)
                        progress.add(part.readableBytes)
                    }
                }
            }
            if !saved.isStandard { try options.showDone("Saved \(file).") }
        }
    }

    /// Saves many photos.
    struct SaveAll: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Save the photos of the event as one ZIP file.")
        @OptionGroup var options: ClientOptions
        @Argument(help: "ZIP file to write. '-' writes to the standard output.", completion: .file()) var file: String
        @Flag(name: .shortAndLong, help: "Replace an existing file.") var force = false
        @Flag(help: "Save only your photos.") var mine = false
        @Flag(help: "Save only photos that you fave.") var faved = false
        @Option(help: "Save only the photos of the moment with this id.", completion: Offers.moments)
        var moment: String?
        @Flag(help: "Save JPEGs in place of HEIC and AVIF.") var jpeg = false

        func run() async throws {
            let saved = try Output(file, replaces: force, options)
            try saved.requireNoTerminal("Redirect the output: mingle photo save-all - > FILE")
            let path = options.path(
                "photos.zip",
                [
                    "mine": mine ? "true" : nil, "faved": faved ? "true" : nil, "target": moment,
                    "format": jpeg ? "jpeg" : nil,
                ]
            )
            let progress = Progress("Saving", total: 0)
            try await progress.shown {
                try await saved.write { take in
                    try await options.client.exchange(.GET, path, .none) { part in
                        try take(part)
                        progress.add(part.readableBytes)
                    }
                }
            }
            if !saved.isStandard { try options.showDone("Saved \(file).") }
        }
    }

    /// Deletes a photo.
    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete one of your photos, on every node.")
        @OptionGroup var options: ClientOptions
        @OptionGroup var confirmation: Confirmation
        @Argument(help: "Id of the photo.", completion: Offers.photos) var id: String

        func run() async throws {
            try await confirmation.ask {
                let photo: API.Photo = try await options.client.get(options.path("photos/\(id)"))
                return "Delete \(API.subject("photo", of: photo.author, named: photo.label)) on every node?"
            }
            try await options.client.perform(.DELETE, options.path("photos/\(id)"))
            try options.showDone("Deleted the photo. Copies that others saved elsewhere remain.")
        }
    }
}
