// SPDX-License-Identifier: Apache-2.0

import MingleModel
import Synchronization
import SystemPackage

/// A blob on its way into the store: a file that grows chunk by chunk, each verified before it is written.
///
/// It is begun where all of it fits, and claims no room for chunks that have not come: whoever has one chunk of a blob would fill
/// disks by it.
///
/// Written chunks can be served at once. They are marked in the file's bitmap only after their bytes were
/// synchronized; those that a crash left unmarked are checked against the tree, so that nothing that is there is fetched
/// again and nothing is claimed that is not.
final class PartialBlob: Sendable {
    /// The blob that is being fetched.
    let identity: BlobIdentity
    /// Bytes of its file.
    let fileLength: Int64
    private let layout: BlobLayout
    private let partialPath: String
    private let finalPath: String
    /// Free bytes that it leaves to other things.
    private let reserve: Int64
    private let state: Mutex<State>

    private enum Phase { case absent, stored, finished, discarded }

    private struct State {
        var tree: MerkleTree
        var held: ChunkSet
        var unsynchronized: [Int] = []
        var phase: Phase
    }

    /// A blob of which nothing is held; the first chunk makes the file.
    init(_ identity: BlobIdentity, partialPath: String, finalPath: String, reserve: Int64) {
        let count = identity.geometry.count
        self.identity = identity
        self.reserve = reserve
        (self.partialPath, self.finalPath) = (partialPath, finalPath)
        layout = BlobLayout(identity)
        fileLength = layout.fileLength
        let tree = MerkleTree(leafCount: count, root: identity.root)
        state = Mutex(State(tree: tree, held: ChunkSet(capacity: count), phase: .absent))
    }

    /// Takes up what an earlier run left at `partialPath`; nil if that is of no use.
    init?(resuming name: BlobName, partialPath: String, finalPath: String, reserve: Int64) throws {
        let file = try File(partialPath, for: .reading)
        guard let layout = try BlobLayout(of: file), layout.identity.name == name,
            let tree = try layout.tree(in: file), tree.root == layout.identity.root,
            let marked = try layout.held(in: file)
        else { return nil }
        identity = layout.identity
        self.reserve = reserve
        (self.partialPath, self.finalPath) = (partialPath, finalPath)
        self.layout = layout
        fileLength = layout.fileLength
        var state = State(tree: tree, held: marked, phase: .stored)
        // A blob of one chunk is written in one go with its mark, so that this says nothing.
        if marked.capacity == 1 { state.held.remove(0) }
        state.unsynchronized = try Self.unmarkedChunks(layout, tree, state.held, file)
        for index in state.unsynchronized { state.held.insert(index) }
        guard !state.held.isEmpty else { return nil }
        self.state = Mutex(state)
    }

    /// Chunks that are in the file and not in the bitmap; their bytes may still be on their way to the disk.
    private static func unmarkedChunks(
        _ layout: BlobLayout,
        _ tree: MerkleTree,
        _ held: ChunkSet,
        _ file: borrowing File
    ) throws -> [Int] {
        var found: [Int] = []
        for index in 0..<held.capacity where !held.contains(index) && tree.leaf(index) != .zero {
            let leaf = MerkleTree.leaf(index: index, chunk: try layout.chunk(index, in: file))
            guard leaf == tree.leaf(index) else { continue }
            let proof = tree.proof(for: index)
            if MerkleTree.verify(leaf: leaf, index: index, count: held.capacity, proof: proof, root: tree.root) {
                found.append(index)
            }
        }
        return found
    }

    /// The chunks that can be read.
    var held: ChunkSet { state.withLock { $0.held } }

    /// Verifies and writes a chunk; false if it was held already.
    func write(_ chunk: [UInt8], at index: Int, proof: [Bytes32]) throws -> Bool {
        if held.contains(index) { return false }
        let leaf = MerkleTree.leaf(index: index, chunk: chunk)
        return try state.withLock { state in
            if state.held.contains(index) { return false }
            guard state.tree.insert(leaf, at: index, proof: proof) else {
                throw BlobStoreError.wrongChunk(identity.name, index: index)
            }
            try store(chunk, at: index, &state)
            state.held.insert(index)
            state.unsynchronized.append(index)
            return true
        }
    }

    private func store(_ chunk: [UInt8], at index: Int, _ state: inout State) throws {
        switch state.phase {
        case .absent:
            try requireRoom(layout.fileLength)
            try create(with: chunk, at: index, &state)
        case .stored:
            try requireRoom(Int64(chunk.count))
            let file = try File(partialPath, for: .updating)
            let offset = identity.geometry.offset(of: index)
            try file.write(chunk, at: offset)
            try file.write(layout.encoded(state.tree), at: layout.treeOffset)
            file.beginSynchronizing(chunk.count, at: offset)
        case .finished, .discarded: throw BlobStoreError.notHeld(identity.name, index: nil)
        }
    }

    /// Throws unless so many bytes are free besides those that are left to other things.
    private func requireRoom(_ count: Int64) throws {
        let folder = FilePath(partialPath).removingLastComponent().string
        guard let free = File.freeBytes(at: folder), free - reserve < count else { return }
        throw BlobStoreError.noRoom(for: identity.name)
    }

    private func create(with chunk: [UInt8], at index: Int, _ state: inout State) throws {
        do {
            let file = try File(partialPath, for: .creating)
            if identity.geometry.count == 1 {
                let content = chunk + layout.trailer(tree: state.tree, held: ChunkSet(allOf: 1))
                try file.write(content, at: 0)
                file.beginSynchronizing(content.count, at: 0)
            } else {
                try file.resize(layout.fileLength)
                try file.write(layout.trailer(tree: state.tree, held: state.held), at: layout.treeOffset)
                try file.write(chunk, at: identity.geometry.offset(of: index))
            }
            state.phase = .stored
        } catch {
            // What remains of the file would only be in the way of the next attempt.
            _ = try? File.remove(partialPath)
            throw error
        }
    }

    /// Makes the written chunks outlive a power cut, then marks them; true if the blob is complete and has its name.
    ///
    /// If the disk refuses, the chunks written since the last time are given up.
    func synchronize() throws -> Bool {
        try state.withLock { state in
            guard state.phase == .stored else { return state.phase == .finished }
            if !state.unsynchronized.isEmpty { try mark(&state) }
            guard state.held.isComplete else { return false }
            try File.rename(partialPath, to: finalPath)
            state.phase = .finished
            return true
        }
    }

    private func mark(_ state: inout State) throws {
        defer { state.unsynchronized = [] }
        do {
            let file = try File(partialPath, for: .updating)
            try file.synchronize()
            if identity.geometry.count > 1 { try file.write(state.held.bytes, at: layout.bitmapOffset) }
        } catch {
            for index in state.unsynchronized { state.held.remove(index) }
            throw error
        }
    }

    /// Opens what is held for reading.
    func open() throws -> BlobFile {
        try state.withLock { state in
            switch state.phase {
            case .absent, .discarded: throw BlobStoreError.notHeld(identity.name, index: nil)
            case .stored: try BlobFile(partial: partialPath, layout: layout, tree: state.tree, held: state.held)
            case .finished: try BlobFile(complete: finalPath, name: identity.name)
            }
        }
    }

    /// Refuses further chunks if there is none yet; true if so.
    func discardIfEmpty() -> Bool {
        state.withLock { state in
            guard state.phase == .absent else { return false }
            state.phase = .discarded
            return true
        }
    }

    /// Leaves the file to others and refuses further chunks.
    func forsake() {
        state.withLock { state in
            state.phase = .discarded
            state.held = ChunkSet(capacity: state.held.capacity)
        }
    }

    /// Removes the file and refuses further chunks.
    func discard() throws {
        try state.withLock { state in
            if state.phase == .finished { try File.remove(finalPath) } else { try File.remove(partialPath) }
            state.phase = .discarded
            state.held = ChunkSet(capacity: state.held.capacity)
        }
    }
}
