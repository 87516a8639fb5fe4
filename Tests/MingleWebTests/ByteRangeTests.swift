// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MingleWeb

/// Ranges of RFC 9110, section 14.1.2, of which a blob is asked for one.
struct ByteRangeTests {
    @Test(
        arguments: [
            ("bytes=0-0", 0..<1), ("bytes=0-9", 0..<10), ("bytes=2-5", 2..<6), ("bytes=9-9", 9..<10),
            // More than there is ends where it ends.
            ("bytes=0-10", 0..<10), ("bytes=5-1000", 5..<10), ("bytes=0-9223372036854775806", 0..<10),
            ("bytes=0-9223372036854775807", 0..<10), ("bytes=9-9223372036854775807", 9..<10),
            // To the end, and the last so many.
            ("bytes=0-", 0..<10), ("bytes=9-", 9..<10), ("bytes=-1", 9..<10), ("bytes=-10", 0..<10),
            ("bytes=-11", 0..<10), ("bytes=-9223372036854775807", 0..<10),
        ] as [(String, Range<Int64>)]
    )
    func `a range lies within what there is`(header: String, range: Range<Int64>) {
        #expect(ByteRange(header, size: 10) == .part(range))
    }

    @Test(
        arguments: [
            "", "bytes", "bytes=", "bytes=-", "bytes=--", "bytes=a-b", "bytes=1", "bytes=5-4", "bytes=--1",
            "bytes=-1-", "bytes=-1-2", "bytes=1--2", "bytes=0-1,3-4", "bytes= 0-1", "items=0-1", "bytes=0-1-2",
            "bytes=0x0-1", "bytes=+1-2", "bytes=\u{664}-5",
        ]
    )
    func `what cannot be understood, or asks for several ranges, is ignored`(header: String) {
        #expect(ByteRange(header, size: 10) == .whole)
    }

    @Test(arguments: ["bytes=10-", "bytes=10-11", "bytes=-0", "bytes=99999999999999999999-"])
    func `a range outside of what there is cannot be satisfied`(header: String) {
        #expect(ByteRange(header, size: 10) == .unsatisfiable)
    }

    @Test(arguments: ["bytes=0-", "bytes=0-0", "bytes=-1"])
    func `of nothing there is no range`(header: String) {
        #expect(ByteRange(header, size: 0) == .unsatisfiable)
    }

    @Test func `the name of the unit may be written in capitals, and the last bytes may be more than there are`() {
        #expect(ByteRange("Bytes=2-3", size: 10) == .part(2..<4))
        #expect(ByteRange("bytes=-99999999999999999999", size: 10) == .part(0..<10))
        #expect(ByteRange(nil, size: 10) == .whole)
    }
}
