# SPDX-License-Identifier: Apache-2.0
"""A newcomer's session with a node, as docs/protocol.md says; shares no code with the Swift implementation."""

import os
import socket
import struct
import time
from types import SimpleNamespace

from nacl import bindings as sodium

import noise_session
from verify_vectors import NONE, Mismatch, Reader, blake, climb, decode_run, encode_header, expect, fields, reference
from verify_vectors import single, stream, unbase32, xor

TIMEOUT_SECONDS = 20
FABRIC, CONTENT = 0, 1
HELLO, DIGEST, ENTRIES, WANT_RUNS, RUN, WANT_PAYLOADS, PAYLOADS = range(1, 8)
WANT_CHUNKS, CHUNK, GOODBYE, WELCOME, RUNS_END, BUNDLE = 10, 11, 12, 14, 15, 18


def require(holds, what):
    if not holds:
        raise Mismatch(what)


# Protocol buffers and runs, written


def varint(value):
    data = b""
    while value > 127:
        data, value = data + bytes([value & 127 | 128]), value >> 7
    return data + bytes([value])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def message(number, *parts):
    return field(number, b"".join(field(*part) for part in parts))


def fabric_run(event, device, sign, payloads):
    """The first deltas of a device's fabric journal; each is signed."""
    data, previous = b"", NONE
    for sequence, payload in enumerate(payloads, 1):
        header = {"event": event, "device": device, "journal": FABRIC, "sequence": sequence, "previous": previous}
        header |= {"timestamp": time.time_ns() // 1_000_000, "salt": os.urandom(8), "epoch": NONE, "root_kind": 2, "root": b""}
        header |= {"deletion": False, "payload_length": len(payload), "payload_hash": blake("payload", payload)}
        previous = blake("header", encode_header(header | {"blobs": [], "extension": b""}))
        # No root, the same epoch, and both the payload and the signature follow.
        data += bytes([2 | 16 | 32 | 64]) + struct.pack(">Q", header["timestamp"]) + header["salt"]
        data += struct.pack(">I", len(payload)) + payload + sign(previous)
    return device + struct.pack(">BI", FABRIC, 1) + NONE + bytes([len(payloads)]) + data


# Keys


def signer(seed):
    public, secret = sodium.crypto_sign_seed_keypair(seed)
    return public, lambda text: sodium.crypto_sign(text, secret)[:64]


def read_link(text):
    """What an invitation's or a door's link says: event and psk, and what follows from the seed."""
    word, data = text.split("/")[2], unbase32(text.split("/")[3])
    expect(blake("link", data[:-4] + (b"" if word == "join" else word.encode()))[:4], data[-4:], "the link's checksum")
    reader = Reader(data)
    expect(reader.number(1), 1, "the link's version")
    event, psk, seed = (reader.take(32) for _ in range(3))
    id, sign = signer(blake("invite", b"sign", key=seed))
    return SimpleNamespace(event=event, psk=psk, id=id, sign=sign, secret=blake("invite", b"open", key=seed))


# The session


class Peer:
    """A newcomer's session with a node, in which the newcomer asks and answers nothing."""

    def __init__(self, host, port, link):
        self.link, self.unfinished, self.waiting = link, {}, []
        self.stream = socket.create_connection((host, port), TIMEOUT_SECONDS)
        self.stream.settimeout(TIMEOUT_SECONDS)
        self.noise = noise_session.shake_hands(self.stream, "initiator", link.psk)
        self.send(self.hello())
        self.until(HELLO)
        self.send(message(WELCOME))
        require(not single(self.until(WELCOME)).get(1), "the node lets the newcomer have fabric journals only")

    def hello(self):
        event, link = self.link.event, self.link
        (person, vouch), (key, sign) = signer(os.urandom(32)), signer(os.urandom(32))
        agreement = sodium.crypto_scalarmult_base(os.urandom(32))
        device = blake("device", event + person + key + agreement)
        certificate = message(1, (1, person), (2, key), (3, agreement), (4, vouch(device)))
        admission = message(3, (1, link.id), (2, link.sign(blake("admit", event + person))))
        said = self.noise.get_handshake_hash() + b"\x01"
        proofs = [(3, sign(blake("session", said))), (4, link.id), (5, link.sign(blake("session", said + person)))]
        run = fabric_run(event, device, sign, [certificate, admission])
        return message(HELLO, (1, 1), (2, run), *proofs, (6, device))

    def send(self, encoded):
        record = bytes([noise_session.CONTROL | noise_session.LAST]) + encoded
        noise_session.send_record(self.stream, bytes(self.noise.encrypt(record)))

    def receive(self):
        """The next message of any lane, as its number and content."""
        while not self.waiting:
            fragment = bytes(self.noise.decrypt(noise_session.receive_record(self.stream)))
            lane = fragment[0] & 0x7F
            self.unfinished[lane] = self.unfinished.get(lane, b"") + fragment[1:]
            if fragment[0] & noise_session.LAST:
                ((number, content),) = fields(self.unfinished.pop(lane))
                self.waiting += [fields(part)[0] for _, part in fields(content)] if number == BUNDLE else [(number, content)]
        number, content = self.waiting.pop(0)
        require(number != GOODBYE, f"the node closes the session: {content!r}")
        return number, content

    def until(self, *wanted):
        """The content of the next message of a wanted kind; with several kinds also which."""
        while True:
            number, content = self.receive()
            if number in wanted:
                return content if len(wanted) == 1 else (number, content)

    def journals(self):
        """The devices of all journals that the node has."""
        # Buckets that nobody has make the node name all of its own.
        self.send(message(DIGEST, (1, NONE), (2, bytes(64 * 8))))
        return {entry[:32] for _, entry in fields(self.until(ENTRIES))}

    def deltas(self, device, journal):
        """A whole journal; the caller verifies it."""
        found = []
        while True:
            held = [(3, struct.pack(">I", found[-1][0]["sequence"]) + found[-1][2][:8])] if found else []
            self.send(message(WANT_RUNS, (1, device), (2, journal), *held, (4, 512 << 10)))
            before = len(found)
            while (answer := self.until(RUN, RUNS_END))[0] == RUN:
                run = decode_run(answer[1], self.link.event)
                # Others' runs are pushed unasked.
                if run[0][0]["device"] == device and run[0][0]["journal"] == journal and run[0][0]["sequence"] == len(found) + 1:
                    found += run
            if len(found) == before:
                return found

    def payload(self, delta):
        header, _, header_hash, payload, _ = delta
        if payload is None:
            name = reference(header["device"], header["journal"], header["sequence"], header_hash)
            self.send(message(WANT_PAYLOADS, (1, name)))
            payload = single(single(self.until(PAYLOADS))[1])[2]
        expect(len(payload), header["payload_length"], "a payload's length")
        expect(blake("payload", payload), header["payload_hash"], "a payload's hash")
        return payload

    def blob(self, name, media, lane):
        """What a blob of this name is in the clear, each chunk proved."""
        root, size, key = media[1], media[2], media[3]
        chunk_size = 256 << 10
        while chunk_size < 4 << 20 and size > 256 * chunk_size:
            chunk_size *= 2
        count, sealed = (size + chunk_size - 1) // chunk_size, {}
        self.send(message(WANT_CHUNKS, (1, name), (2, b"".join(map(varint, range(count)))), (3, lane)))
        while len(sealed) < count:
            parts = fields(self.until(CHUNK))
            chunk = dict(parts)
            expect(chunk[1], name, "a chunk's blob")
            index, proof = chunk.get(2, 0), [value for number, value in parts if number == 3]
            leaf = blake("chunk", struct.pack(">I", index) + chunk[4])
            expect(climb(leaf, index, count, proof), root, f"the root from chunk {index}")
            sealed[index] = chunk[4]
        data = b"".join(sealed[index] for index in range(count))
        expect(len(data), size, "a blob's size")
        return xor(data, stream(key, size))
