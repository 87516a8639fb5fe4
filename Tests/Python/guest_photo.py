#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Joins an event as docs/protocol.md says, asks one node for a photo that a door's guest shared, and verifies all of it.

    guest_photo.py HOST PORT LINK DOOR_LINK PHOTO PERSON

LINK lets the reader in, DOOR_LINK is the door's, and PHOTO and PERSON are the ids that the API shows. The node that is asked
need not be the door. Prints each rendition's name, size and SHA-256, or one line on standard error. Needs noiseprotocol and
PyNaCl.
"""

import hashlib
import struct
import sys

from nacl import bindings as sodium
from nacl.exceptions import CryptoError

from newcomer import CONTENT, FABRIC, Peer, read_link, require
from noise_session import Failure
from verify_vectors import NONE, Mismatch, blake, encode_header, expect, fields, open_slot, record_payload, reference
from verify_vectors import signed, single, unbase32

PHOTO_KIND, ATTENDEE = 8, 5
# Each rendition's field, its name and the lane that it takes.
RENDITIONS = {8: ("thumbnail", 2), 7: ("preview", 3), 6: ("original", 4)}


def verify_journal(deltas, device, journal, key):
    """The chain of hashes from sequence 1, and each signature."""
    previous = NONE
    for sequence, (header, _, header_hash, _, signature) in enumerate(deltas, 1):
        place = (header["device"], header["journal"], header["sequence"], header["previous"])
        expect(place, (device, journal, sequence, previous), "a header's place")
        require(signature is not None or sequence % 64, "a header lacks its signature")
        require(signature is None or signed(key, header_hash, signature), "a header's signature is not valid")
        previous = header_hash
    require(deltas and deltas[-1][4] is not None, "the last header is not signed")


class Fabric:
    """All fabric journals that the node has, verified."""

    def __init__(self, peer):
        self.event = peer.link.event
        self.certificates, self.statements = {}, []
        for device in peer.journals():
            deltas = peer.deltas(device, FABRIC)
            payloads = [single(peer.payload(delta)) for delta in deltas]
            certificate = self.certificates[device] = single(payloads[0][1])
            name = blake("device", self.event + certificate[1] + certificate[2] + certificate[3])
            expect(name, device, "a device's name")
            require(signed(certificate[1], device, certificate[4]), "a certificate's signature is not valid")
            verify_journal(deltas, device, FABRIC, certificate[2])
            self.statements += [(device, payload) for payload in payloads[1:]]
        founders = [c[1] for c in self.certificates.values() if 5 in c and blake("event", c[1] + c[5]) == self.event]
        expect(len(set(founders)), 1, "how many people founded the event")
        self.founder = founders[0]

    def said(self, number, device=None):
        """The statements of one kind as (device, content)."""
        return [(by, payload[number]) for by, payload in self.statements if number in payload and device in (None, by)]

    def require_admission(self, device, door):
        """The device's person came by the door's invitation, which the founder made for a door."""
        invitations = [single(text) for by, text in self.said(2) if self.certificates[by][1] == self.founder]
        (invitation,) = [found for found in invitations if found[1] == door.id]
        expect((invitation[3], invitation.get(7)), (ATTENDEE, 1), "where the door's invitation leads, and that it is a door's")
        (admission,) = [single(text) for _, text in self.said(3, device)]
        expect(admission[1], door.id, "the invitation by which the guest came")
        statement = blake("admit", self.event + self.certificates[device][1])
        require(signed(door.id, statement, admission[2]), "the admission's signature is not valid")

    def keys(self, link):
        """The event's keys that the invitation's slots give, and those that these carry, by epoch."""
        audience, found, carried = blake("audience", b"event" + self.event), {}, {}
        identify = lambda key, rules: blake("epoch", self.event + audience + rules, key=key)
        for by, text in self.said(4):
            parts = fields(text)
            epoch = dict(parts)
            carried.setdefault(epoch[1], []).extend(value for number, value in parts if number == 6)
            for slot in [value for number, value in parts if number == 3 and value[:8] == link.id[:8]]:
                key = open_slot(slot, epoch[1], link.secret, self.certificates[by][3])
                expect(identify(key, epoch.get(4, b"")), epoch[1], "an epoch's id")
                found[epoch[1]] = key
        unread = list(found)
        while unread:
            key, boxes = found[unread[0]], carried.get(unread.pop(0), [])
            for place, box in enumerate(boxes):
                box_key = blake("carried", struct.pack(">I", place), key=key)
                inner = sodium.crypto_secretbox_open(box[32:], bytes(24), box_key)
                id = identify(inner, b"" if box[:32] == NONE else box[:32])
                if id not in found:
                    found[id] = inner
                    unread.append(id)
        return found


def unseal(sealed, header, keys):
    require(header["epoch"] in keys, "the reader has no key of the photo's epoch")
    prefix = encode_header(header)[:118]
    nonce = blake("nonce", prefix, length=24)
    return sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(sealed, prefix, nonce, keys[header["epoch"]])


def read_photo(peer, door, photo, person):
    fabric = Fabric(peer)
    (device,) = [name for name in fabric.certificates if name[:8] == photo[:8]]
    certificate = fabric.certificates[device]
    expect(certificate[1], person, "the person of the photo's device")
    fabric.require_admission(device, door)
    deltas = peer.deltas(device, CONTENT)
    verify_journal(deltas, device, CONTENT, certificate[2])
    delta = deltas[int.from_bytes(photo[9:13], "big") - 1]
    header = delta[0]
    expect(reference(device, CONTENT, header["sequence"], delta[2]), photo, "the photo's reference")
    kind, _, _, changes = record_payload(unseal(peer.payload(delta), header, fabric.keys(peer.link)))
    expect(kind, PHOTO_KIND, "the record's kind")
    media = {number: value for number, value, _, _ in changes if number in RENDITIONS}
    expect(set(media), set(RENDITIONS), "the photo's renditions")
    for number, (word, lane) in RENDITIONS.items():
        name = blake("blob", media[number][1] + struct.pack(">Q", media[number][2]) + person)
        require((name, media[number][2]) in header["blobs"], f"the header does not list the {word}")
        data = peer.blob(name, media[number], lane)
        print(word, len(data), hashlib.sha256(data).hexdigest())


def main(arguments):
    if len(arguments) != 6:
        raise Mismatch(__doc__.strip())
    host, port, link, door, photo, person = arguments
    read_photo(Peer(host, int(port), read_link(link)), read_link(door), unbase32(photo), unbase32(person))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (Mismatch, CryptoError, Failure, OSError, KeyError, IndexError, ValueError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(1)
