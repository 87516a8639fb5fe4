// SPDX-License-Identifier: Apache-2.0

import CSodium
package import MingleModel

/// What a hash is for: BLAKE2b's 16-byte personalisation (RFC 7693, section 2.5), so that no hash stands in for another.
package enum HashPurpose: String, Sendable, CaseIterable {
    /// Event id from founder and random bytes.
    case event = "mingle.event"
    /// Device name from a certificate's fields.
    case device = "mingle.device"
    /// Header hash, which names a delta.
    case header = "mingle.header"
    /// Payload hash, over the ciphertext.
    case payload = "mingle.payload"
    /// Nonce of a payload, 24 bytes.
    case nonce = "mingle.nonce"
    /// Audience id.
    case audience = "mingle.audience"
    /// Epoch id, the commitment to its key.
    case epoch = "mingle.epoch"
    /// What an epoch obeys and who made it.
    case rules = "mingle.rules"
    /// How the end of an invitation to a private audience is called where epochs obey it.
    case end = "mingle.end"
    /// Key of the box in which an epoch carries an earlier one's key.
    case carried = "mingle.carried"
    /// In which turn a device does what several could.
    case turn = "mingle.turn"
    /// Key and label of an epoch's slot.
    case slot = "mingle.slot"
    /// Label of a private epoch's slot.
    case label = "mingle.label"
    /// Key of a private epoch's terms.
    case terms = "mingle.terms"
    /// Signing seed and unsealing key from an invitation's seed.
    case invitation = "mingle.invite"
    /// What an admission signs: event and person.
    case admission = "mingle.admit"
    /// What binds a session to a device or an invitation: the handshake's hash and the side.
    case session = "mingle.session"
    /// What shows in one session that a device which asks to be linked knows a device link's seed.
    case linking = "mingle.linking"
    /// Names a signature with what it signs and by whom, within one process.
    case signature = "mingle.signature"
    /// Blob name from root, size and owner.
    case blob = "mingle.blob"
    /// Leaf of a blob's Merkle tree.
    case chunk = "mingle.chunk"
    /// Inner node of a blob's Merkle tree.
    case node = "mingle.node"
    /// Digest of a frontier or of a part of one.
    case frontier = "mingle.frontier"
    /// Tag of a discovery name.
    case discovery = "mingle.discovery"
    /// Checksum of an invitation link.
    case link = "mingle.link"
    /// Sum of a file that stays with its owner: the one of a device's keys, or one in a backup.
    case file = "mingle.file"
    /// Identity key from the person's root secret.
    case identity = "mingle.identity"
    /// What a door keeps of a browser: the name of its file, and the key of what is in it.
    case browser = "mingle.browser"
    /// Fingerprint that people compare.
    case fingerprint = "mingle.print"

    /// The purpose as 16 bytes, padded with zeros.
    var personal: InlineArray<16, UInt8> {
        var personal = InlineArray<16, UInt8>(repeating: 0)
        var index = 0
        for byte in rawValue.utf8 {
            personal[index] = byte
            index += 1
        }
        return personal
    }
}

/// BLAKE2b (RFC 7693) with a purpose, and optionally a key.
package struct Blake2b: ~Copyable {
    private let state: State
    private let length: Int

    /// Begins a hash of `length` bytes, 1 to 64.
    package init(_ purpose: HashPurpose, key: Secret? = nil, length: Int = 32) {
        precondition((1...64).contains(length), "BLAKE2b gives 1 to 64 bytes")
        self.length = length
        state = State(purpose, key: key, length: length)
    }

    /// Adds bytes.
    package mutating func update(_ bytes: [UInt8]) { state.update(bytes[...]) }

    /// Adds a slice of bytes.
    package mutating func update(_ bytes: ArraySlice<UInt8>) { state.update(bytes) }

    /// Adds 32 bytes.
    package mutating func update(_ bytes: Bytes32) { state.update(bytes.bytes[...]) }

    /// The hash of all that was added.
    package consuming func finalize() -> [UInt8] { state.finish(length) }

    /// The 32-byte hash of all that was added.
    package consuming func finalize32() -> Bytes32 {
        let hash = finalize()
        return Bytes32(at: 0, of: hash.span)
    }

    /// Hashes one array to 32 bytes.
    package static func hash(_ purpose: HashPurpose, _ bytes: [UInt8]) -> Bytes32 { hash(purpose, bytes[...]) }

    /// Hashes one slice to 32 bytes.
    package static func hash(_ purpose: HashPurpose, _ bytes: ArraySlice<UInt8>) -> Bytes32 {
        var hash = InlineArray<32, UInt8>(repeating: 0)
        var output = hash.mutableSpan
        fill(&output, purpose, bytes)
        return Bytes32(at: 0, of: hash.span)
    }

    /// Hashes one slice to `length` bytes, 16 to 64.
    package static func hash(_ purpose: HashPurpose, _ bytes: ArraySlice<UInt8>, length: Int) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: length)
        var output = hash.mutableSpan
        fill(&output, purpose, bytes)
        return hash
    }

    /// Fills `output` without an allocation: merging computes several hashes of every delta.
    private static func fill(
        _ output: inout MutableSpan<UInt8>,
        _ purpose: HashPurpose,
        _ bytes: ArraySlice<UInt8>
    ) {
        Sodium.require()
        let personal = purpose.personal
        unsafe output.withUnsafeMutableBufferPointer { output in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe personal.span.withUnsafeBufferPointer { personal in
                    guard let start = output.baseAddress else { return }
                    _ = unsafe crypto_generichash_blake2b_salt_personal(
                        start,
                        output.count,
                        input.baseAddress,
                        UInt64(input.count),
                        nil,
                        0,
                        nil,
                        personal.baseAddress
                    )
                }
            }
        }
    }
}

/// Libsodium's hashing state, which wants 64-byte alignment that Swift's own storage does not promise.
@safe
private final class State {
    private let memory = UnsafeMutableRawPointer.allocate(byteCount: 384, alignment: 64)

    init(_ purpose: HashPurpose, key: Secret?, length: Int) {
        Sodium.require()
        let personal = purpose.personal
        unsafe personal.span.withUnsafeBufferPointer { personal in
            if let key {
                unsafe key.withPointer { unsafe start(personal.baseAddress, key: $0, count: key.count, length: length) }
            } else {
                unsafe start(personal.baseAddress, key: nil, count: 0, length: length)
            }
        }
    }

    deinit {
        unsafe sodium_memzero(memory, 384)
        unsafe memory.deallocate()
    }

    private func start(_ personal: UnsafePointer<UInt8>?, key: UnsafePointer<UInt8>?, count: Int, length: Int) {
        let state = unsafe OpaquePointer(memory)
        _ = unsafe crypto_generichash_blake2b_init_salt_personal(state, key, count, length, nil, personal)
    }

    func update(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            _ = unsafe crypto_generichash_blake2b_update(
                OpaquePointer(memory),
                buffer.baseAddress,
                UInt64(buffer.count)
            )
        }
    }

    func finish(_ length: Int) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: length)
        _ = unsafe crypto_generichash_blake2b_final(OpaquePointer(memory), &hash, length)
        return hash
    }
}
