// SPDX-License-Identifier: Apache-2.0

import MingleAPI

/// A record as a line of an export: as the API tells of it, with its kind and the file that the export has of it.
struct ExportedRecord<Value: Encodable>: Encodable {
    private enum Member: String, CodingKey {
        case kind, file
    }

    let value: Value
    let kind: String
    /// The path of a photo's file in the export.
    var file: String?

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
        var object = encoder.container(keyedBy: Member.self)
        try object.encode(kind, forKey: .kind)
        try object.encodeIfPresent(file, forKey: .file)
    }

    /// The line with its end.
    var line: String {
        get throws { String(decoding: try API.encode(self), as: UTF8.self) + "\n" }
    }
}
