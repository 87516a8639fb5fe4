// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MingleAPI
import MingleNode
import MingleWeb

/// Reads addresses and links given on the command line.
enum Given {
    /// The address on which a server listens.
    static func listeningAddress(_ text: String) throws -> ListeningAddress {
        try explained { () throws(API.Problem) in try ListeningAddress(reading: text) }
    }

    /// The name or address of this machine.
    static func host(_ text: String) throws -> String {
        try explained { () throws(API.Problem) in try PosterPlace.readHost(text) }
    }

    /// The address of a peer.
    static func peer(_ text: String) throws -> String {
        guard Node.isPeerAddress(text) else {
            throw ValidationError("Not a valid peer address: \(ConfigurationFile.quoted(text)). Use HOST:PORT.")
        }
        return text
    }

    /// The given link, or a line of standard input for `-`, which hides it from other users of the machine.
    static func link(_ text: String) -> String { text == "-" ? readLine() ?? "" : text }

    /// The problem that reading a link reports; nil if the link is valid.
    static func problem(_ read: () throws -> Void) -> String? {
        do { try read() } catch { return (error as? API.Problem)?.detail ?? "\(error)" }
        return nil
    }

    /// Reports a problem as a validation error, so that the parser names the option.
    private static func explained<Value>(_ read: () throws(API.Problem) -> Value) throws -> Value {
        do { return try read() } catch { throw ValidationError(error.detail) }
    }
}
