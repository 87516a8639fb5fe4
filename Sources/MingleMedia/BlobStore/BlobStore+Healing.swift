// SPDX-License-Identifier: Apache-2.0

import Glibc
package import MingleModel
import Synchronization

/// What became of a blob whose file was looked at.
package enum BlobCondition: Hashable, Sendable {
    /// Every chunk that is said to be held fits the blob's name.
    case sound
    /// Chunks are not what was written: these, which are to be fetched again; the others stay.
    case damaged(chunks: [Int])
    /// Only what helps to prove chunks was altered; all chunks are as they were.
    case unproved
    /// The file does not say any more which blob it holds.
    case lost
}

extension BlobStore {
    /// Reads a blob's whole file and says how it is; nil if it is not here.
    package func condition(of name: BlobName) throws -> BlobCondition? {
        guard let entry = entry(name) else { return nil }
        var reading = Reading()
        return try BlobInspection(of: name, at: path(of: name, entry), marked: entry.marked, &reading)?.condition
            ?? .lost
    }

    /// Keeps of a blob what fits its name, and drops the rest, so that it is fetched again; returns how it was found.
    ///
    /// Nobody may write chunks of this blob meanwhile.
    package func heal(_ name: BlobName) throws -> BlobCondition? {
        guard let entry = entry(name) else { return nil }
        let path = path(of: name, entry)
        var reading = Reading()
        guard let inspection = try BlobInspection(of: name, at: path, marked: entry.marked, &reading) else {
            try drop(name, path, reading)
            return .lost
        }
        guard inspection.condition != .sound else { return .sound }
        if case .partial(let blob) = entry { blob.forsake() }
        state.withLock { $0.set(nil, for: name) }
        guard !inspection.held.isEmpty else {
            try drop(name, path, reading)
            return inspection.condition
        }
        try inspection.rewrite(path)
        let isComplete = inspection.held.isComplete
        let place = self.path(of: name) + (isComplete ? "" : Self.partialSuffix)
        if place != path { try File.rename(path, to: place) }
        try folder.synchronize()
        try takeUp(folderEntry: name.description + (isComplete ? "" : Self.partialSuffix))
        return inspection.condition
    }

    private func drop(_ name: BlobName, _ path: String, _ reading: Reading) throws {
        if case .partial(let blob) = entry(name) { blob.forsake() }
        state.withLock { $0.set(nil, for: name) }
        if reading.wasRefused { try setAside(path) } else { try File.remove(path) }
    }

    /// Keeps a file that the disk would not read under a name that is no blob's: it may give it back another time.
    func setAside(_ path: String) throws { try File.rename(path, to: path + ".unreadable") }

    private func path(of name: BlobName, _ entry: Entry) -> String {
        switch entry {
        case .complete: path(of: name)
        case .partial: path(of: name) + Self.partialSuffix
        }
    }
}

extension BlobStore.Entry {
    /// The chunks that the store believes to hold; nil for all.
    fileprivate var marked: ChunkSet? {
        switch self {
        case .complete: nil
        case .partial(let blob): blob.held
        }
    }
}

/// Reads that a disk may refuse.
private struct Reading {
    /// Whether it did.
    private(set) var wasRefused = false

    /// What `body` reads; nil where the disk does not give it back, as of a sector that went bad.
    mutating func attempt<Value>(_ body: () throws -> Value?) throws -> Value? {
        do {
            return try body()
        } catch BlobStoreError.system(_, _, code: EIO) {
            wasRefused = true
            return nil
        }
    }
}

/// A blob's file as it was read from end to end.
private struct BlobInspection {
    /// The chunks that fit the blob's name.
    private(set) var held: ChunkSet
    let condition: BlobCondition
    private let layout: BlobLayout
    private let tree: MerkleTree

    /// Reads a file; nil if it is not that of `name`.
    ///
    /// - Parameter marked: the chunks that should be there; nil for all.
    init?(of name: BlobName, at path: String, marked: ChunkSet?, _ reading: inout Reading) throws {
        let file = try File(path, for: .reading)
        guard let layout = try reading.attempt({ try BlobLayout(of: file) }), layout.identity.name == name,
            let stored = try reading.attempt({ try layout.tree(in: file) })
        else { return nil }
        self.layout = layout
        let count = layout.identity.geometry.count
        let marked = marked ?? ChunkSet(allOf: count)
        var leaves = [Bytes32](repeating: .zero, count: count)
        for index in 0..<count where marked.contains(index) {
            // Where the disk gives nothing back the leaf stays zero, which leads to no root.
            guard let chunk = try reading.attempt({ try layout.chunk(index, in: file) }) else { continue }
            leaves[index] = MerkleTree.leaf(index: index, chunk: chunk)
        }
        let whole = MerkleTree(leaves: leaves)
        if whole.root == layout.identity.root {
            (held, tree) = (ChunkSet(allOf: count), whole)
            condition = whole.nodes == stored.nodes ? .sound : .unproved
            return
        }
        // What does not lead to the root by the nodes that are stored goes, and with it the nodes that nothing proves.
        var proved = MerkleTree(leafCount: count, root: layout.identity.root)
        var (held, lost) = (ChunkSet(capacity: count), [Int]())
        for index in 0..<count where marked.contains(index) {
            if proved.insert(leaves[index], at: index, proof: stored.proof(for: index)) {
                held.insert(index)
            } else {
                lost.append(index)
            }
        }
        (self.held, tree) = (held, proved)
        condition = lost.isEmpty ? .sound : .damaged(chunks: lost)
    }

    /// Writes what is known of the chunks behind them.
    func rewrite(_ path: String) throws {
        let file = try File(path, for: .updating)
        try file.write(layout.trailer(tree: tree, held: held), at: layout.treeOffset)
        try file.synchronize()
    }
}
