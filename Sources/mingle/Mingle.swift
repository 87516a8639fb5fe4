// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CMalloc
import Glibc
import MingleNode

/// The command line: it starts a node, or asks the one that runs.
@main
struct Mingle: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mingle",
        abstract: "Share moments and photos with everybody at an event, over the local network, with no server.",
        usage: "mingle <command> [options]",
        discussion: """
            EXAMPLES
              mingle run                       start your node, open its address
              mingle event create "Ana & Bob"  start an event
              mingle invite                    show the link and its QR code
              mingle doors open                let people with only a phone take part
              mingle join mingle://join/…      join an event
              mingle photo add *.jpg           share photos
              mingle news                      see what happened

            EXIT CODES
              0 done, 1 failed or answered no, 2 usage, setting or missing
              confirmation, 3 partly done, 4 not found, 5 try again later,
              10 no node or no event, 11 data folder in use, 12 not allowed,
              14 no space or too large, 15 verify found damage or a backup is
              damaged, 130 interrupted, 141 nobody reads the output, 143 ended.
              Treat every other code except 0 as a failure.
            """,
        version: Node.build,
        subcommands: [
            RunCommand.self, RelayCommand.self, DoorCommand.self, DoorsCommand.self, EventCommand.self,
            InviteCommand.self,
            InvitationCommand.self, JoinCommand.self,
            ProfileCommand.self,
            MomentCommand.self, PhotoCommand.self, CommentCommand.self, FaveCommand.self,
            BookmarkCommand.self, BookmarksCommand.self, NewsCommand.self, NotificationsCommand.self,
            ExportCommand.self, ImportCommand.self, PlacesCommand.self,
            SearchCommand.self,
            ConnectCommand.self, DisconnectCommand.self, ConnectionsCommand.self,
            PeopleCommand.self, DevicesCommand.self, ReportCommand.self, ReportsCommand.self, ModerationCommand.self,
            PeersCommand.self, StatusCommand.self, DoctorCommand.self,
            DumpCommand.self,
            VerifyCommand.self, RepairCommand.self, BackupCommand.self, RestoreCommand.self, KeysCommand.self,
            CompletionCommand.self, VersionCommand.self,
        ] + RecordCommands.all
    )

    /// The parser's own messages begin like all others.
    static var _errorPrefix: String { Failure.prefix }

    static func main() async {
        // A write to a pipe that nobody reads is then an error, and ends the program with the documented code.
        signal(SIGPIPE, SIG_IGN)
        // With a heap for each thread, what one frees is of no use to the others: a long merge took twice the memory.
        _ = mallopt(M_ARENA_MAX, 2)
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            try CommandNames.require(in: words)
            try CommandNames.requireNoHiddenHelp(in: words)
            var command = try await asyncParseAsRoot(Configured.arguments(CommandLine.arguments))
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            Failure.exit(with: error)
        }
    }
}
