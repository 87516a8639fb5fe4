// SPDX-License-Identifier: Apache-2.0

/// Makes the bytes of a ZIP archive that stand between its files, which are stored without compression.
///
/// The checksum of a file follows the file. So each file is read once, and the output need not be seekable. Names are
/// UTF-8. Large files, large archives and many files get ZIP64 fields (PKWARE APPNOTE 6.3.10, sections 4.3 to 4.5).
///
/// Call ``begin(_:at:modified:size:)``, then ``add(_:)`` for each part of the file, then ``end()``, and repeat this for
/// each file. Call ``finish()`` last. The value keeps about a hundred bytes of each file.
package struct ZipWriter: Sendable {
    /// The file that is being written.
    private struct Entry {
        let name: [UInt8]
        let offset: UInt64
        let time: LocalTime
        let modified: Int64
        let isLarge: Bool
        var size: UInt64 = 0
        var checksum: UInt32 = 0
    }

    /// Values from here on stand in ZIP64 fields.
    private static let limit32 = UInt64(UInt32.max)
    private static let limit16 = UInt64(UInt16.max)
    /// A checksum follows the file; names are UTF-8.
    private static let flags: UInt16 = 1 << 3 | 1 << 11
    private static let version: UInt16 = 20
    private static let versionOf64: UInt16 = 45
    /// Attributes are those of Unix.
    private static let unix: UInt16 = 3 << 8
    private static let regularFile: UInt32 = 0o100_644 << 16

    private var offset: UInt64 = 0
    private var count: UInt64 = 0
    private var directory: [UInt8] = []
    private var entry: Entry?

    package init() {}

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - name: The name, up to 65 535 bytes; the rest is cut.
    ///   - time: The modification time as clocks showed it.
    ///   - modified: The same in milliseconds since 1970, UTC.
    ///   - size: Bytes that the file will have at most.
    /// - Returns: The bytes that stand before the file.
    package mutating func begin(_ name: String, at time: LocalTime, modified: Int64, size: UInt64) -> [UInt8] {
        let entry = Entry(
            name: Array(name.utf8.prefix(Int(UInt16.max))),
            offset: offset,
            time: time,
            modified: modified,
            isLarge: size >= Self.limit32
        )
        // Sizes that follow the file are zero here; this field says that the later ones have eight bytes.
        let sizes = entry.isLarge ? Self.field(1, [UInt8](repeating: 0, count: 16)) : []
        let extra = sizes + Self.unixTime(modified)
        var header = [UInt8](signature: 0x0403_4B50)
        header.append(little: entry.isLarge ? Self.versionOf64 : Self.version)
        header.append(little: Self.flags)
        header.append(little: UInt16(0))
        header.append(little: time.dos.time)
        header.append(little: time.dos.date)
        header.append(little: UInt32(0))
        let size = entry.isLarge ? UInt32.max : 0
        header.append(little: size)
        header.append(little: size)
        header.append(little: UInt16(entry.name.count))
        header.append(little: UInt16(extra.count))
        header += entry.name + extra
        self.entry = entry
        return advanced(by: header)
    }

    /// Notes the next bytes of the file, which the caller writes.
    package mutating func add(_ part: [UInt8]) {
        note(UInt64(part.count), checksum: Zlib.checksum(part, after: entry?.checksum ?? 0))
    }

    /// Notes bytes of the file, after which the checksum of all of it is `checksum`.
    mutating func note(_ count: UInt64, checksum: UInt32) {
        entry?.size += count
        entry?.checksum = checksum
        offset += count
    }

    /// Ends the file, however many of its bytes were added.
    ///
    /// - Returns: The bytes that stand behind the file; none where none was begun.
    package mutating func end() -> [UInt8] {
        guard let entry else { return [] }
        self.entry = nil
        count += 1
        list(entry)
        var descriptor = [UInt8](signature: 0x0807_4B50)
        descriptor.append(little: entry.checksum)
        for _ in 0..<2 {
            if entry.isLarge { descriptor.append(little: entry.size) } else { descriptor.append(small: entry.size) }
        }
        return advanced(by: descriptor)
    }

    /// Ends the archive.
    ///
    /// - Returns: The archive's last bytes: the list of all files.
    package func finish() -> [UInt8] {
        let size = UInt64(directory.count)
        var bytes = directory
        if count >= Self.limit16 || offset >= Self.limit32 || size >= Self.limit32 { bytes += ending64(size) }
        bytes += [UInt8](signature: 0x0605_4B50)
        bytes.append(little: UInt32(0))
        for _ in 0..<2 { bytes.append(little: UInt16(min(count, Self.limit16))) }
        bytes.append(small: size)
        bytes.append(small: offset)
        bytes.append(little: UInt16(0))
        return bytes
    }

    private mutating func advanced(by bytes: [UInt8]) -> [UInt8] {
        offset += UInt64(bytes.count)
        return bytes
    }

    /// Adds a file to the list at the archive's end.
    private mutating func list(_ entry: Entry) {
        var large: [UInt8] = []
        if entry.size >= Self.limit32 { for _ in 0..<2 { large.append(little: entry.size) } }
        if entry.offset >= Self.limit32 { large.append(little: entry.offset) }
        let extra = (large.isEmpty ? [] : Self.field(1, large)) + Self.unixTime(entry.modified)
        directory += [UInt8](signature: 0x0201_4B50)
        directory.append(little: Self.unix | Self.versionOf64)
        directory.append(little: large.isEmpty && !entry.isLarge ? Self.version : Self.versionOf64)
        directory.append(little: Self.flags)
        directory.append(little: UInt16(0))
        directory.append(little: entry.time.dos.time)
        directory.append(little: entry.time.dos.date)
        directory.append(little: entry.checksum)
        for _ in 0..<2 { directory.append(small: entry.size) }
        directory.append(little: UInt16(entry.name.count))
        directory.append(little: UInt16(extra.count))
        // No comment, the first disk, no attributes of MS-DOS.
        for _ in 0..<3 { directory.append(little: UInt16(0)) }
        directory.append(little: Self.regularFile)
        directory.append(small: entry.offset)
        directory += entry.name + extra
    }

    /// The end of the list and where it is, with eight bytes for each number.
    private func ending64(_ size: UInt64) -> [UInt8] {
        var bytes = [UInt8](signature: 0x0606_4B50)
        bytes.append(little: UInt64(44))
        bytes.append(little: Self.unix | Self.versionOf64)
        bytes.append(little: Self.versionOf64)
        bytes.append(little: UInt64(0))
        for number in [count, count, size, offset] { bytes.append(little: number) }
        bytes += [UInt8](signature: 0x0706_4B50)
        bytes.append(little: UInt32(0))
        bytes.append(little: offset + size)
        bytes.append(little: UInt32(1))
        return bytes
    }

    private static func field(_ tag: UInt16, _ data: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(little: tag)
        bytes.append(little: UInt16(data.count))
        return bytes + data
    }

    /// The modification time in seconds since 1970, UTC (Info-ZIP's field `UT`); nothing from 2038 on.
    private static func unixTime(_ milliseconds: Int64) -> [UInt8] {
        guard let seconds = Int32(exactly: milliseconds / 1000) else { return [] }
        var data: [UInt8] = [1]
        data.append(little: UInt32(bitPattern: seconds))
        return field(0x5455, data)
    }
}

extension [UInt8] {
    fileprivate init(signature: UInt32) {
        self = []
        append(little: signature)
    }

    fileprivate mutating func append(little number: some FixedWidthInteger) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Four bytes; all ones where the number stands in a ZIP64 field.
    fileprivate mutating func append(small number: UInt64) { append(little: UInt32(clamping: number)) }
}
