// SPDX-License-Identifier: Apache-2.0

package import MingleModel

/// A payload that is not held though its header is.
package struct PayloadWant: Hashable, Sendable {
    /// The delta.
    package let reference: Reference
    /// Bytes of the payload.
    package let length: Int

    /// Names a missing payload.
    package init(reference: Reference, length: Int) { (self.reference, self.length) = (reference, length) }
}

/// What this node says to one wish for a payload.
package struct PayloadAnswer: Hashable, Sendable {
    /// What there is of a payload.
    package enum Content: Hashable, Sendable {
        /// The payload.
        case payload([UInt8])
        /// It is not held.
        case absent
        /// It was erased.
        case erased
        /// It was here, and a policy let it go for good.
        case evicted
    }

    /// The delta.
    package let reference: Reference
    /// What there is.
    package let content: Content

    /// Answers one wish.
    package init(reference: Reference, content: Content) { (self.reference, self.content) = (reference, content) }
}

/// A payload as a peer sent it.
package struct ReceivedPayload: Hashable, Sendable {
    /// The delta that it is said to belong to.
    package let reference: Reference
    /// The bytes.
    package let bytes: [UInt8]
}
