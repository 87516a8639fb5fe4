// SPDX-License-Identifier: Apache-2.0

import Foundation
import MingleCrypto
import NodeTestSupport
import SystemPackage
import Testing

@testable import MingleNode

/// Encrypted copies of files.
struct CopiedFileTests {
    private let key = StreamKey(key: Secret([UInt8](repeating: 7, count: 32)), purpose: [1])
    private static let part = SealedStream.partLength

    @Test(arguments: [0, 1, part - 1, part, part + 1, 2 * part, 2 * part + 5])
    func `a file of any size is encrypted and decrypted, and has the sum of its content`(size: Int) async throws {
        try await withTemporaryFolder { folder in
            let (plain, sealed, opened) = (folder + "/plain", folder + "/sealed", folder + "/opened")
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
            try Data(bytes).write(to: URL(fileURLWithPath: plain))
            let copied = try CopiedFile.copy(plain, to: sealed, sealing: key)
            let length = try FileManager.default.attributesOfItem(atPath: sealed)[.size] as? Int
            #expect(copied.size == size && length == SealedStream.length(of: size))
            let read = try CopiedFile.copy(sealed, to: opened, size: size, opening: key)
            #expect(try read.sum == copied.sum && read.sum == CopiedFile.sum(of: plain).sum)
            #expect(try Data(contentsOf: URL(fileURLWithPath: opened)) == Data(bytes))
        }
    }

    @Test func `an encrypted file whose parts were cut, moved or repeated leaves no copy`() async throws {
        try await withTemporaryFolder { folder in
            let (sealed, opened) = (folder + "/sealed", folder + "/opened")
            _ = try CopiedFile.write([UInt8](repeating: 3, count: 3 * Self.part), to: sealed, sealing: key)
            let whole = try Data(contentsOf: URL(fileURLWithPath: sealed))
            let (header, length) = (SealedStream.headerLength, Self.part + SealedStream.overhead)
            let parts = (0..<3).map { whole[(header + $0 * length)..<(header + ($0 + 1) * length)] }
            let start = whole[..<header]
            for bad in [
                start + parts[0] + parts[1], start + parts[1] + parts[0] + parts[2], start + parts[0] + parts[2],
                start + parts[0] + parts[0] + parts[1] + parts[2], whole + parts[2], start, Data(),
            ] {
                try Data(bad).write(to: URL(fileURLWithPath: sealed))
                let failure = #expect(throws: FileFailure.self) {
                    _ = try CopiedFile.copy(sealed, to: opened, opening: key)
                }
                #expect(failure?.reason == .badMessage && !FileManager.default.fileExists(atPath: opened))
            }
        }
    }
}
