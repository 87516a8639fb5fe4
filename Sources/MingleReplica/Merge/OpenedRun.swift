// SPDX-License-Identifier: Apache-2.0

import MingleCrypto
package import MingleModel
package import MingleWire

/// What a delta turned out to say.
enum Content: Sendable {
    /// Changes of a record.
    case record(OpenedRecord)
    /// Something for everybody to read: a certificate, an invitation, an admission, an epoch.
    case fabric(FabricPayload)
    /// The end of a record.
    case deletion
    /// The key of a private audience.
    case key(PrivateEpoch)
    /// The payload has not come, or was erased.
    case absent
    /// The payload is not kept, as its author is beyond the quota.
    case letGo
    /// The key has not come.
    case locked
    /// The payload contradicts its header or is none; it counts for nothing, whenever it comes.
    case void

    /// The kind of the record that it makes; nil where it makes none that others could speak of.
    var madeKind: UInt32? {
        guard case .record(let record) = self, record.isMaking else { return nil }
        return record.payload.kind
    }

    /// Whether only the key is missing.
    var isLocked: Bool {
        if case .locked = self { true } else { false }
    }
}

/// A run with its signature checked and its payloads decrypted, which needs no database and takes any thread.
package struct OpenedRun: Sendable {
    enum Proof: Sendable {
        case proved
        /// All of it was held already, so that nobody proved or opened it.
        case held
        case forged
        /// The device's certificate was not at hand; the writer looks again.
        case unknownDevice
    }

    package let run: Run
    let contents: [Content]
    /// The headers as the journal stores them.
    let headers: [[UInt8]]
    let proof: Proof
    /// The device's certificate, if that was in the run and nowhere else.
    let certificate: Certificate?

    init(_ run: Run, _ proof: Proof, certificate: Certificate? = nil, contents: [Content] = []) {
        (self.run, self.proof, self.certificate, self.contents) = (run, proof, certificate, contents)
        headers = contents.isEmpty ? [] : run.deltas.map { $0.header.stored(payloadIsHeld: $0.payload != nil) }
    }

    /// The same run with its payloads opened anew.
    init(_ opened: OpenedRun, contents: [Content]) {
        (run, proof, certificate, headers) = (opened.run, opened.proof, opened.certificate, opened.headers)
        self.contents = contents
    }
}

/// What opening needs to know: a copy of the keys at hand, which may be used on any thread.
package struct Opener: Sendable {
    let event: EventID
    let devices: NamedRows<DeviceRow>
    let epochKeys: [EpochID: Secret]
    /// What need not be checked again, if anything is remembered.
    let knownSignatures: KnownSignatures?

    /// Proves a run and decrypts what can be decrypted.
    package func open(_ run: Run) -> OpenedRun {
        let device = devices[run.first.header.device]
        let certificate = device == nil ? certificate(in: run) : nil
        guard let key = device?.signingKey ?? certificate?.signingKey,
            let person = device?.owner ?? certificate?.person
        else { return OpenedRun(run, .unknownDevice) }
        guard run.isProved(by: key, known: knownSignatures) else { return OpenedRun(run, .forged) }
        let contents = run.deltas.map { content(of: $0, by: person, isForStoring: true) }
        return OpenedRun(run, .proved, certificate: certificate, contents: contents)
    }

    /// What one delta says; its header has been proved.
    func content(of delta: Delta, by person: PersonID, isForStoring: Bool = false) -> Content {
        if delta.header.isDeletion { return .deletion }
        guard let sealed = delta.payload else { return .absent }
        if delta.header.journal == .fabric {
            return (try? FabricPayload(decoding: sealed)).map(Content.fabric) ?? .void
        }
        // Other content in the clear would be readable by relays.
        guard delta.header.epoch != .plaintext else { return Self.key(in: delta.header, sealed) }
        guard let key = epochKeys[delta.header.epoch] else { return .locked }
        let prefix = delta.header.sealedPrefix
        let nonce = Blake2b.hash(.nonce, prefix[...], length: Sealing.nonceLength)
        guard let plain = try? Sealing.open(sealed, key: key, nonce: nonce, associatedData: prefix),
            let payload = try? RecordPayload(decoding: plain),
            payload.isConsistent(with: delta.header, by: person)
        else { return .void }
        let record = OpenedRecord(
            payload,
            root: delta.header.root,
            listings: delta.header.blobs,
            author: person,
            isForStoring: isForStoring
        )
        return .record(record)
    }

    private static func key(in header: Header, _ payload: [UInt8]) -> Content {
        guard header.root == .none, header.blobs.isEmpty, let epoch = try? PrivateEpoch(decoding: payload) else {
            return .void
        }
        return .key(epoch)
    }

    /// The certificate that begins a fabric journal and vouches for the key that signs the rest.
    private func certificate(in run: Run) -> Certificate? {
        let header = run.first.header
        guard header.journal == .fabric, header.sequence == 1, let payload = run.first.payload,
            case .certificate(let certificate)? = try? FabricPayload(decoding: payload),
            certificate.deviceName(in: event) == header.device,
            certificate.isValid(in: event, known: knownSignatures)
        else { return nil }
        return certificate
    }
}

extension RecordPayload {
    /// Whether the header fits: keyed records have no root, others have one, and every blob is listed.
    func isConsistent(with header: Header, by person: PersonID) -> Bool {
        guard let kind = Kind.numbered(kind) else { return true }
        switch (kind.subject, subject) {
        case (.nothing, .nothing), (.person, .person): break
        default: return false
        }
        switch (kind.identity, header.root) {
        case (.key, .none), (.delta, .itself), (.delta, .reference): break
        default: return false
        }
        return changes.allSatisfy { change in
            guard case .media(let media) = change.value else { return true }
            return header.blobs.contains { $0.size == media.size && $0.name == media.name(owner: person) }
        }
    }
}

extension Media {
    /// The blob's name, which only its owner's deltas can use.
    package func name(owner: PersonID) -> BlobName {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(72)
        root.append(to: &bytes)
        size.appendBigEndian(to: &bytes)
        owner.raw.append(to: &bytes)
        return BlobName(Blake2b.hash(.blob, bytes))
    }
}
