// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleNode
import MingleWeb

/// What people give on the command line, read as the web has it.
enum Given {
    /// Where a server shall listen.
    static func listeningAddress(_ text: String) throws -> ListeningAddress {
        try explained { () throws(API.Problem) in try ListeningAddress(reading: text) }
    }

    /// A name or an address of this machine.
    static func host(_ text: String) throws -> String {
        try explained { () throws(API.Problem) in try PosterPlace.readHost(text) }
    }

    /// The address of a peer.
    static func peer(_ text: String) throws -> String {
        guard Node.isPeerAddress(text) else {
            throw ValidationError("\(ConfigurationFile.quoted(text)) is no address of a peer: write it as HOST:PORT.")
        }
        return text
    }

    /// A link, which `-` has read from standard input, where no other user of the machine sees it.
    static func link(_ text: String) -> String { text == "-" ? readLine() ?? "" : text }

    /// What a link's reader says is wrong with it.
    static func problem(_ read: () throws -> Void) -> String? {
        do { try read() } catch { return (error as? API.Problem)?.detail ?? "\(error)" }
        return nil
    }

    /// Has the parser tell what is wrong, and which option it is.
    private static func explained<Value>(_ read: () throws(API.Problem) -> Value) throws -> Value {
        do { return try read() } catch { throw ValidationError(error.detail) }
    }
}
