// SPDX-License-Identifier: Apache-2.0

/// Follows the coded data of a sequential JPEG to its last block, so that bytes behind it can be told from the picture.
///
/// Reads Huffman codes and skips what they announce (ITU-T T.81, annex F); nothing is drawn. Progressive and arithmetic
/// coding are not followed.
struct JPEGScan {
    private struct Component {
        let id: UInt8
        let across: Int
        let down: Int
    }

    private var width = 0
    private var height = 0
    private var components: [Component] = []
    /// Tables of both classes by their number: 0 to 3 for the first coefficient of blocks, 16 to 19 for the others.
    private var tables: [UInt8: JPEGCodes] = [:]
    /// Groups of blocks between restarts; 0 for none.
    private var interval = 0

    /// Notes the frame; `content` is its segment without marker and length.
    mutating func takeFrame(_ bytes: PictureBytes, _ content: Range<Int>, marker: UInt8) {
        components = []
        guard marker == 0xC0 || marker == 0xC1, content.count >= 6 else { return }
        let start = content.lowerBound
        height = Int(bytes.all[start + 1]) << 8 | Int(bytes.all[start + 2])
        width = Int(bytes.all[start + 3]) << 8 | Int(bytes.all[start + 4])
        for place in stride(from: start + 6, to: content.upperBound - 2, by: 3) {
            let sampling = bytes.all[place + 1]
            components.append(
                Component(id: bytes.all[place], across: Int(sampling >> 4), down: Int(sampling & 15))
            )
        }
        if !components.allSatisfy({ (1...4).contains($0.across) && (1...4).contains($0.down) }) { components = [] }
    }

    /// Notes tables of codes.
    mutating func takeTables(_ bytes: PictureBytes, _ content: Range<Int>) {
        var place = content.lowerBound
        while place + 17 <= content.upperBound {
            let counts = bytes.all[(place + 1)..<(place + 17)].map(Int.init)
            let end = place + 17 + counts.reduce(0, +)
            guard end <= content.upperBound else { return }
            tables[bytes.all[place]] = JPEGCodes(counts, bytes.all[(place + 17)..<end])
            place = end
        }
    }

    /// Notes the distance of restarts.
    mutating func takeRestarts(_ bytes: PictureBytes, _ content: Range<Int>) {
        interval =
            content.count >= 2 ? Int(bytes.all[content.lowerBound]) << 8 | Int(bytes.all[content.lowerBound + 1]) : 0
    }

    /// Where a scan's coded data ends, if every block of it can be read.
    ///
    /// - Parameter content: The scan's segment without marker and length; the data follows it.
    func end(_ bytes: PictureBytes, _ content: Range<Int>) -> Int? {
        guard let blocks = blocks(bytes, content), !blocks.isEmpty else { return nil }
        var reader = JPEGBits(bytes: bytes.all, offset: content.upperBound)
        let count = groupCount(of: blocks.map(\.component))
        guard count > 0 else { return nil }
        for group in 0..<count {
            if interval > 0, group > 0, group % interval == 0 {
                guard reader.restart() else { return nil }
            }
            for (component, first, others) in blocks {
                for _ in 0..<(blocks.count == 1 ? 1 : component.across * component.down) {
                    guard reader.skipBlock(first, others) else { return nil }
                }
            }
        }
        return reader.end
    }

    private typealias Coding = (component: Component, first: JPEGCodes, others: JPEGCodes)

    /// The scan's components with their tables.
    private func blocks(_ bytes: PictureBytes, _ content: Range<Int>) -> [Coding]? {
        guard let count = bytes.all[content].first.map(Int.init), content.count >= 1 + 2 * count else { return nil }
        var blocks: [Coding] = []
        for index in 0..<count {
            let place = content.lowerBound + 1 + 2 * index
            let numbers = bytes.all[place + 1]
            guard let component = components.first(where: { $0.id == bytes.all[place] }),
                let first = tables[numbers >> 4], let others = tables[16 | numbers & 15]
            else { return nil }
            blocks.append((component, first, others))
        }
        return blocks
    }

    /// Blocks of one component alone, or groups of blocks of several (annex A.2).
    private func groupCount(of scanned: [Component]) -> Int {
        let (across, down) = (components.map(\.across).max() ?? 1, components.map(\.down).max() ?? 1)
        func ceiling(_ value: Int, _ unit: Int) -> Int { (value + unit - 1) / unit }
        guard scanned.count == 1 else { return ceiling(width, 8 * across) * ceiling(height, 8 * down) }
        return ceiling(ceiling(width * scanned[0].across, across), 8)
            * ceiling(ceiling(height * scanned[0].down, down), 8)
    }
}

/// A table of Huffman codes: what the next 16 bits begin with.
private struct JPEGCodes {
    /// Length and symbol of the code that each 16 bits begin with; 0 where none does.
    let entries: [UInt16]

    init(_ counts: [Int], _ symbols: ArraySlice<UInt8>) {
        var entries: [UInt16] = []
        entries.reserveCapacity(1 << 16)
        var next = symbols.startIndex
        for (index, count) in counts.enumerated() {
            for _ in 0..<count where entries.count < 1 << 16 {
                entries += repeatElement(UInt16(index + 1) << 8 | UInt16(symbols[next]), count: 1 << (15 - index))
                next += 1
            }
        }
        self.entries = Array((entries + repeatElement(0, count: max(0, 1 << 16 - entries.count))).prefix(1 << 16))
    }
}

/// The bits of coded data, of which stuffed bytes are taken out.
private struct JPEGBits {
    private let bytes: [UInt8]
    private var offset: Int
    private var buffer: UInt64 = 0
    private var count = 0
    /// Bits of the buffer that stand for what the data lacks.
    private var padding = 0

    init(bytes: [UInt8], offset: Int) { (self.bytes, self.offset) = (bytes, offset) }

    /// Behind the byte in which the last bit was read.
    var end: Int {
        var end = offset
        for _ in 0..<((count - padding) / 8) {
            end -= end >= 2 && bytes[end - 1] == 0 && bytes[end - 2] == 0xFF ? 2 : 1
        }
        return end
    }

    private mutating func fill() {
        while count <= 48 {
            var byte: UInt8 = 0
            if offset < bytes.count, bytes[offset] != 0xFF {
                byte = bytes[offset]
                offset += 1
            } else if offset + 1 < bytes.count, bytes[offset + 1] == 0 {
                byte = 0xFF
                offset += 2
            } else {
                padding += 8
            }
            buffer = buffer << 8 | UInt64(byte)
            count += 8
        }
    }

    /// Reads a code and skips as many bits as `length` tells of its symbol; nil where there is no code.
    private mutating func symbol(_ codes: JPEGCodes, _ mask: UInt16) -> UInt16? {
        if count < 32 { fill() }
        let entry = codes.entries[Int(truncatingIfNeeded: buffer >> UInt64(count - 16)) & 0xFFFF]
        guard entry != 0 else { return nil }
        count -= Int(entry >> 8) + Int(entry & mask)
        return count >= padding ? entry & 0xFF : nil
    }

    /// Skips a block of 64 coefficients; false if it cannot be read.
    mutating func skipBlock(_ first: JPEGCodes, _ others: JPEGCodes) -> Bool {
        guard let length = symbol(first, 0x1F), length <= 16 else { return false }
        var place = 1
        while place < 64 {
            guard let symbol = symbol(others, 0x0F) else { return false }
            if symbol & 0x0F == 0 {
                // The rest are zeros, or 16 are.
                if symbol != 0xF0 { return true }
                place += 16
            } else {
                place += Int(symbol >> 4) + 1
            }
        }
        return place == 64
    }

    /// Goes on behind a restart marker; false unless it is next.
    mutating func restart() -> Bool {
        let place = end
        guard place + 1 < bytes.count, bytes[place] == 0xFF, (0xD0...0xD7).contains(bytes[place + 1]) else {
            return false
        }
        (offset, buffer, count, padding) = (place + 2, 0, 0, 0)
        return true
    }
}
