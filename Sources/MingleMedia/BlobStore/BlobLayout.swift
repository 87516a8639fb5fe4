// SPDX-License-Identifier: Apache-2.0

import MingleModel

/// How a blob's file is laid out, complete or not: encrypted chunks, tree, bitmap, footer.
///
/// The chunks stand first, at the offsets that they have in the blob. The footer stands last and says the rest.
struct BlobLayout {
    private static let magic = Array("mingle01".utf8)
    /// Bytes of the footer: magic, size, owner and root.
    static let footerLength = 8 + 8 + 32 + 32

    /// The blob that the file holds.
    let identity: BlobIdentity
    /// How many hashes the tree has.
    let nodeCount: Int

    init(_ identity: BlobIdentity) {
        self.identity = identity
        nodeCount = MerkleShape(leafCount: identity.geometry.count).nodeCount
    }

    /// Reads the footer of `file`; nil if it has none that fits.
    init?(of file: borrowing File) throws {
        let length = try file.length
        let footer = try file.read(upTo: Self.footerLength, at: max(0, length - Int64(Self.footerLength)))
        guard footer.count == Self.footerLength, footer.starts(with: Self.magic),
            let identity = BlobIdentity(
                root: Bytes32(at: 48, of: footer.span),
                size: Int64(bigEndianAt: 8, of: footer.span),
                owner: PersonID(Bytes32(at: 16, of: footer.span))
            )
        else { return nil }
        self.init(identity)
        guard fileLength == length else { return nil }
    }

    var treeOffset: Int64 { identity.size }
    var bitmapOffset: Int64 { treeOffset + Int64(32 * nodeCount) }
    var fileLength: Int64 {
        bitmapOffset + Int64(ChunkSet.byteCount(capacity: identity.geometry.count) + Self.footerLength)
    }

    /// All that follows the chunks.
    func trailer(tree: MerkleTree, held: ChunkSet) -> [UInt8] {
        var bytes = encoded(tree)
        bytes += held.bytes
        bytes += Self.magic
        identity.size.appendBigEndian(to: &bytes)
        identity.owner.raw.append(to: &bytes)
        identity.root.append(to: &bytes)
        return bytes
    }

    /// The tree as it stands in the file.
    func encoded(_ tree: MerkleTree) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32 * nodeCount + 256)
        for node in tree.nodes { node.append(to: &bytes) }
        return bytes
    }

    /// Reads the tree; nil if the file is too short for it.
    func tree(in file: borrowing File) throws -> MerkleTree? {
        let bytes = try file.read(upTo: 32 * nodeCount, at: treeOffset)
        guard bytes.count == 32 * nodeCount else { return nil }
        let nodes = (0..<nodeCount).map { Bytes32(at: 32 * $0, of: bytes.span) }
        return MerkleTree(leafCount: identity.geometry.count, nodes: nodes)
    }

    /// Reads which chunks are held; nil if the bitmap makes no sense.
    func held(in file: borrowing File) throws -> ChunkSet? {
        let capacity = identity.geometry.count
        let bytes = try file.read(upTo: ChunkSet.byteCount(capacity: capacity), at: bitmapOffset)
        return ChunkSet(capacity: capacity, bytes: bytes)
    }

    /// Reads one chunk, still encrypted; short if the file is.
    func chunk(_ index: Int, in file: borrowing File) throws -> [UInt8] {
        let geometry = identity.geometry
        return try file.read(upTo: geometry.length(of: index), at: geometry.offset(of: index))
    }
}
