// SPDX-License-Identifier: Apache-2.0

package import MingleModel

extension BlobName {
    /// The name of a person's blob: the hash of its Merkle root, its bytes and its person.
    package init(root: Bytes32, size: UInt64, person: PersonID) {
        var bytes = root.bytes
        size.appendBigEndian(to: &bytes)
        person.raw.append(to: &bytes)
        self.init(Blake2b.hash(.blob, bytes))
    }
}
