// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MingleMedia

@Suite("ZIP archives")
struct ZipWriterTests {
    /// 2026-06-20 16:42:07 UTC, in milliseconds.
    private static let taken: Int64 = 1_781_973_727_000

    private static let madrid = TimeZone(identifier: "Europe/Madrid")
    private static let python = Program(path: "/usr/bin/python3")
    private static let unzip = Program(path: "/usr/bin/unzip")

    private func time(_ milliseconds: Int64) throws -> LocalTime {
        LocalTime(milliseconds: milliseconds, in: try #require(Self.madrid))
    }

    private func archive(_ files: [(name: String, bytes: [UInt8])]) throws -> [UInt8] {
        var zip = ZipWriter()
        var bytes: [UInt8] = []
        for file in files {
            let size = UInt64(file.bytes.count)
            bytes += zip.begin(file.name, at: try time(Self.taken), modified: Self.taken, size: size)
            // In two parts, as they are read.
            for part in [file.bytes.prefix(7), file.bytes.dropFirst(7)] {
                zip.add(Array(part))
                bytes += part
            }
            bytes += zip.end()
        }
        return bytes + zip.finish()
    }

    @Test func `other programs read the files with their names and times, and find no fault`() throws {
        let files: [(String, [UInt8])] = [
            ("2026-06-20 18.42.07 Ana.jpg", Array("A picture".utf8)), ("Zoë 🎂.jpg", []), ("2.jpg", [1, 2, 3]),
        ]
        try withTemporaryFolder { folder in
            let path = folder + "/photos.zip"
            try Data(archive(files)).write(to: URL(filePath: path))
            try Self.python.run("-m", "zipfile", "-t", path)
            try Self.unzip.run("-t", path)
            let script = """
                import sys, zipfile
                for f in zipfile.ZipFile(sys.argv[1]).infolist():
                    print(f.filename, f.file_size, f.compress_type, f.flag_bits, f.date_time, oct(f.external_attr >> 16))
                """
            let listed = try Self.python.run("-c", script, path).split(separator: "\n").map(String.init)
            let rest = "0 2056 (2026, 6, 20, 18, 42, 6) 0o100644"
            #expect(listed == files.map { "\($0.0) \($0.1.count) \(rest)" })
            try Self.unzip.run("-q", path, "-d", folder)
            let saved = URL(filePath: folder + "/2026-06-20 18.42.07 Ana.jpg")
            #expect(try Data(contentsOf: saved) == Data("A picture".utf8))
            let attributes = try FileManager.default.attributesOfItem(atPath: saved.path)
            #expect(attributes[.modificationDate] as? Date == Date(timeIntervalSince1970: Double(Self.taken) / 1000))
        }
    }

    @Test func `a file beyond four gigabytes, and what follows it, are found by their ZIP64 fields`() throws {
        let size: UInt64 = 5 << 30
        try withTemporaryFolder { folder in
            let path = folder + "/large.zip"
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            defer { try? file.close() }
            var zip = ZipWriter()
            file.write(Data(zip.begin("large.mov", at: try time(Self.taken), modified: Self.taken, size: size)))
            // The file system keeps no bytes for what is skipped.
            zip.note(size, checksum: 0)
            try file.seek(toOffset: file.offset() + size)
            file.write(Data(zip.end()))
            file.write(Data(zip.begin("small.txt", at: try time(Self.taken), modified: Self.taken, size: 5)))
            zip.add(Array("small".utf8))
            file.write(Data("small".utf8) + Data(zip.end()))
            file.write(Data(zip.finish()))
            let script = """
                import sys, zipfile
                z = zipfile.ZipFile(sys.argv[1])
                print([f.file_size for f in z.infolist()], z.read("small.txt").decode())
                """
            #expect(try Self.python.run("-c", script, path) == "[\(size), 5] small\n")
            #expect(try Self.unzip.run("-p", path, "small.txt") == "small")
        }
    }

    @Test func `more files than sixteen bits count are all listed`() throws {
        let count = 65_536
        try withTemporaryFolder { folder in
            let path = folder + "/many.zip"
            var zip = ZipWriter()
            var bytes: [UInt8] = []
            let time = try time(Self.taken)
            for number in 0..<count {
                bytes += zip.begin("\(number)", at: time, modified: Self.taken, size: 0)
                bytes += zip.end()
            }
            try Data(bytes + zip.finish()).write(to: URL(filePath: path))
            let script = "import sys, zipfile; n = zipfile.ZipFile(sys.argv[1]).namelist(); print(len(n), n[-1])"
            #expect(try Self.python.run("-c", script, path) == "\(count) \(count - 1)\n")
        }
    }

    @Test func `an archive of nothing is one`() throws {
        try withTemporaryFolder { folder in
            let bytes = try archive([])
            // The end of the directory alone (APPNOTE, 4.3.16).
            #expect(bytes.count == 22 && bytes.prefix(4) == [0x50, 0x4b, 5, 6])
            try Data(bytes).write(to: URL(filePath: folder + "/none.zip"))
            try Self.python.run("-m", "zipfile", "-t", folder + "/none.zip")
        }
    }

    @Test(arguments: [
        (taken, "2026-06-20 18.42.07"), (taken + 999, "2026-06-20 18.42.07"), (0, "1970-01-01 01.00.00"),
        (-1, "1970-01-01 00.59.59"), (1_792_888_200_000, "2026-10-25 02.30.00"),
    ])
    func `a time is what the clocks of the place showed`(milliseconds: Int64, text: String) throws {
        #expect(try time(milliseconds).fileNameText == text)
    }

    @Test func `a time that MS-DOS does not have is the nearest that it has`() throws {
        #expect(try time(0).dos == (0, 33))
        #expect(try time(253_402_300_799_999).dos == (0xBF7D, 0xFF9F))
        #expect(try time(Self.taken).dos == (18 << 11 | 42 << 5 | 3, 46 << 9 | 6 << 5 | 20))
    }
}
