// SPDX-License-Identifier: Apache-2.0

import MingleAPI

/// Why a data folder cannot be used.
package enum DataFolderError: Error, CustomStringConvertible {
    /// Another node has it open.
    case inUse(String)
    /// Another user of the machine has made it.
    case foreign(String, owner: String)
    /// It cannot be read or written.
    case unusable(String, detail: String)
    /// It is a relay's, a door's or a person's, and was to be something else.
    case otherUse(String, FolderUse)
    /// An event's keys are missing or not as they were written.
    case damagedKeys(String)
    /// Its keys are encrypted, and there is no passphrase.
    case encryptedKeys(String)
    /// Its keys are encrypted under another passphrase.
    case wrongPassphrase(String)

    package var description: String {
        switch self {
        case .inUse(let path):
            "Another Mingle node is using the data folder \(path). Stop it first, or start this one with another "
                + "folder: --data DIR."
        case .foreign(let path, let owner):
            ForeignFolderError(path: path, owner: owner).description
        case .damagedKeys(let path):
            "The keys in \(path) are missing or damaged. Without them nobody can take part as this person. Restore a backup "
                + "into another folder (mingle restore BACKUP --data OTHER), and replace this event's folder by the one from "
                + "there. Or leave the event (mingle event leave), and join again with the invitation."
        case .encryptedKeys(let path):
            "The keys in \(path) are encrypted. Name the file with their passphrase: --passphrase-file FILE. Or run the "
                + "command in a terminal, which asks for it."
        case .wrongPassphrase(let path): "Wrong passphrase for the keys in \(path)."
        case .unusable(let path, let detail):
            "The data folder \(path) cannot be used: \(detail). Choose another with --data DIR, or fix its permissions."
        case .otherUse(let path, .relay):
            "The data folder \(path) belongs to a relay. Start it with mingle relay --data \(path), or choose another "
                + "folder: --data DIR."
        case .otherUse(let path, .door):
            "The data folder \(path) belongs to a door. Start it with mingle door --data \(path), or choose another "
                + "folder: --data DIR."
        case .otherUse(let path, .person):
            "The data folder \(path) belongs to a person's node. A relay or a door needs its own folder: --data DIR."
        }
    }
}
