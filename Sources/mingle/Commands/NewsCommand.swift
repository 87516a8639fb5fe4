// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleClient
import MingleCommandLine
import MingleNode
import NIOHTTP1

/// Shows what happened.
struct NewsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "news",
        abstract: "Show what happened, what matters most now first."
    )
    @OptionGroup var options: ClientOptions
    @OptionGroup var page: PageOptions
    @Flag(help: "Show everything, newest first, page by page.") var newest = false
    @Flag(help: "Also show the id of each post, for other commands such as fave or comment.") var ids = false
    // Southern latitudes begin with a minus.
    @Option(
        parsing: .unconditional,
        help: "LATITUDE,LONGITUDE: only what happens at places near it, newest first."
    ) var near: String?
    @Option(help: "How far --near reaches, in metres.") var radius: Double?

    func run() async throws {
        let order = newest || page.before != nil || near != nil ? "newest" : nil
        let path = options.path(
            "news",
            ["order": order, "before": page.before, "near": near, "radius_m": radius.map { "\($0)" }]
        )
        let news: API.Envelope.News = try await options.client.get(path)
        let isEmpty = news.items.isEmpty && news.locked == nil && page.before == nil
        let standing = isEmpty && !options.json ? try await standing() : nil
        try options.show(news) { news in
            if isEmpty { return standing ?? "Nothing has happened yet." }
            let rows = NewsText.rows(news, showsIDs: ids)
            guard !rows.isEmpty else { return "No older entries." }
            return Table.text(rows) + options.more("mingle news" + repeated, news.next)
        }
    }

    /// The options that the next page has, too.
    private var repeated: String {
        let place = near.map { " --near=\($0.shellQuoted)" } ?? ""
        return place + (radius.map { " --radius \($0)" } ?? "") + (ids ? " --ids" : "")
    }

    /// Why the person sees nothing, as a sentence; nil if nothing prevents it.
    private func standing() async throws -> String? {
        let status: API.Status = try await options.client.get(options.path("status"))
        guard let words = status.current?.standing else { return nil }
        return "\(words.prefix(1).uppercased())\(words.dropFirst()). For details: mingle status"
    }
}

/// Shows what concerns the person.
struct NotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "Show what others did that concerns you, newest first."
    )
    @OptionGroup var options: ClientOptions
    @OptionGroup var page: PageOptions
    @Flag(help: "Show only what you have not read.") var unread = false
    @Flag(help: "Mark everything as read, on all your devices.") var markRead = false
    @Option(help: "Tell me nothing more of this photo, moment, place or deal.") var mute: String?
    @Option(help: "Tell me of this photo, moment, place or deal again.") var unmute: String?

    func validate() throws {
        if mute != nil, unmute != nil { throw ValidationError("Give one of --mute and --unmute.") }
    }

    func run() async throws {
        if let target = mute ?? unmute {
            let muting = API.Envelope.Muting(target: target, muted: mute != nil)
            try await tell("notifications/muted", muting)
        }
        let path = options.path("notifications", ["before": page.before, "unread": unread ? "true" : nil])
        let list: API.Envelope.Notifications = try await options.client.get(path)
        if markRead {
            try await tell("notifications/read", API.Envelope.Read())
        }
        try options.show(list) { list in
            guard !list.notifications.isEmpty else {
                if page.before != nil { return "No older notifications." }
                return unread ? "You have read everything." : "Nothing that concerns you has happened yet."
            }
            let rows = list.notifications.map { [When.text($0.time), $0.read ? "" : "new", NewsText.words(for: $0)] }
            let muted = (list.muted ?? []).map { "\nMuted: \(NewsText.subject($0)), ID \($0.id ?? "")" }.joined()
            let more = options.more("mingle notifications" + (unread ? " --unread" : ""), list.next)
            return Table.text(rows) + muted + more
        }
    }

    private func tell(_ path: String, _ value: some Encodable) async throws {
        _ = try await options.client.bytes(.PUT, options.path(path), .json([UInt8](API.encode(value))))
    }
}
