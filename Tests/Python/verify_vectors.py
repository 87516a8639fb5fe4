#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks Tests/Vectors as docs/protocol.md says, sharing no code with the Swift implementation.

Needs PyNaCl 1.6.2 (pip install PyNaCl==1.6.2). Prints a line for every section and exits with 1 on any difference.
"""

import hashlib
import json
import struct
import sys
import unicodedata
from pathlib import Path

from nacl import bindings as sodium
from nacl.exceptions import CryptoError

NONE = bytes(32)
ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"


class Mismatch(Exception):
    """Something is not what the protocol says."""


def expect(found, expected, what):
    if found != expected:
        raise Mismatch(f"{what}: {found!r} is not {expected!r}")


# 1. Primitives


def blake(purpose, data, key=b"", length=32):
    person = f"mingle.{purpose}".encode()
    return hashlib.blake2b(data, digest_size=length, key=key, person=person).digest()


def signed(public_key, message, signature):
    try:
        return sodium.crypto_sign_open(signature + message, public_key) == message
    except CryptoError:
        return False


def require_signature(public_key, message, signature, what):
    if not signed(public_key, message, signature):
        raise Mismatch(f"{what}: the signature is not valid")
    broken = bytes([signature[0] ^ 1]) + signature[1:]
    if signed(public_key, message, broken):
        raise Mismatch(f"{what}: a changed signature is valid")


def signing_public(seed):
    return sodium.crypto_sign_seed_keypair(seed)[0]


# 2. Names


def base32(data):
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    return "".join(ALPHABET[int(bits[i : i + 5], 2)] for i in range(0, len(bits), 5))


def unbase32(text):
    bits = "".join(f"{ALPHABET.index(letter):05b}" for letter in text.lower())
    spare = len(bits) % 8
    if spare >= 5 or "1" in bits[len(bits) - spare :]:
        raise Mismatch("base32: bits that no encoder leaves")
    return bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits) - spare, 8))


def reference(device, journal, sequence, header_hash):
    return device[:8] + struct.pack(">BI", journal, sequence) + header_hash[:8]


class Reader:
    """Reads values one behind the other."""

    def __init__(self, data):
        self.data, self.position = data, 0

    def take(self, count):
        if self.position + count > len(self.data):
            raise Mismatch("the bytes end too early")
        self.position += count
        return self.data[self.position - count : self.position]

    def number(self, count):
        return int.from_bytes(self.take(count), "big")

    def finish(self):
        expect(self.position, len(self.data), "bytes left over")


# Protocol buffers: a list of (field, number or bytes).


def fields(data):
    reader, found = Reader(data), []

    def varint():
        value, shift = 0, 0
        while True:
            byte = reader.number(1)
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    while reader.position < len(data):
        tag = varint()
        if tag & 7 == 0:
            found.append((tag >> 3, varint()))
        elif tag & 7 == 2:
            found.append((tag >> 3, reader.take(varint())))
        else:
            raise Mismatch(f"wire type {tag & 7}")
    return found


def single(data):
    return dict(fields(data))


def zigzag(value):
    return (value >> 1) ^ -(value & 1)


# 3. Header


def tail(header, reader):
    header["blobs"] = [(reader.take(32), reader.number(8)) for _ in range(reader.number(1))]
    header["extension"] = reader.take(reader.number(2))
    if len(header["blobs"]) > 8 or len(header["extension"]) > 256:
        raise Mismatch("header: a count is too large")


def decode_header(data):
    reader, header = Reader(data), {}
    expect(reader.number(1), 1, "version")
    header["event"], header["device"], header["journal"] = reader.take(32), reader.take(32), reader.number(1)
    header["sequence"], header["previous"] = reader.number(4), reader.take(32)
    header["timestamp"], header["salt"] = reader.number(8), reader.take(8)
    expect(reader.position, 118, "the sealed prefix's length")
    header["epoch"], flags = reader.take(32), reader.number(1)
    expect(flags & ~7, 0, "flags")
    header["root_kind"], header["deletion"] = flags & 3, bool(flags & 4)
    header["root"] = reader.take(21) if flags & 3 == 1 else b""
    header["payload_length"], header["payload_hash"] = reader.number(4), reader.take(32)
    tail(header, reader)
    reader.finish()
    return header


def encode_header(header):
    data = b"\x01" + header["event"] + header["device"]
    data += struct.pack(">BI", header["journal"], header["sequence"]) + header["previous"]
    data += struct.pack(">Q", header["timestamp"]) + header["salt"] + header["epoch"]
    data += bytes([header["root_kind"] | (4 if header["deletion"] else 0)]) + header["root"]
    data += struct.pack(">I", header["payload_length"]) + header["payload_hash"] + bytes([len(header["blobs"])])
    data += b"".join(name + struct.pack(">Q", size) for name, size in header["blobs"])
    return data + struct.pack(">H", len(header["extension"])) + header["extension"]


def decode_run(data, event):
    reader = Reader(data)
    device, journal, sequence, previous = reader.take(32), reader.number(1), reader.number(4), reader.take(32)
    epoch, deltas = NONE, []
    for _ in range(reader.number(1)):
        flags = reader.number(1)
        header = {"event": event, "device": device, "journal": journal, "sequence": sequence, "previous": previous}
        header["timestamp"], header["salt"] = reader.number(8), reader.take(8)
        header["epoch"] = epoch if flags & 16 else reader.take(32)
        header["root_kind"], header["deletion"] = flags & 3, bool(flags & 4)
        header["root"] = reader.take(21) if flags & 3 == 1 else b""
        header["payload_length"] = reader.number(4)
        if not flags & 32:
            header["payload_hash"] = reader.take(32)
        header["blobs"], header["extension"] = [], b""
        if flags & 8:
            tail(header, reader)
        payload = reader.take(header["payload_length"]) if flags & 32 else None
        if payload is not None:
            header["payload_hash"] = blake("payload", payload)
        signature = reader.take(64) if flags & 64 else None
        encoded = encode_header(header)
        previous, epoch, sequence = blake("header", encoded), header["epoch"], sequence + 1
        deltas.append((header, encoded, previous, payload, signature))
    reader.finish()
    return deltas


# 4. Payloads

INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Zs", "Zl", "Zp", "Mn", "Me"}
# The Default_Ignorable_Code_Points of Unicode that are in no category above, and U+2800.
IGNORABLE = {0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800}


def is_visible(text):
    return any(unicodedata.category(c) not in INVISIBLE and ord(c) not in IGNORABLE for c in text)


def hours(data):
    """The spans of a week as (day, from, to); None for anything else."""
    if not data or len(data) % 5 or len(data) > 28 * 5:
        return None
    spans = [struct.unpack(">BHH", data[start : start + 5]) for start in range(0, len(data), 5)]
    starts = [(day, start) for day, start, _ in spans]
    fits = all(day <= 6 and start < 1440 and start < end <= 2880 for day, start, end in spans)
    return spans if fits and starts == sorted(starts) else None


def record_payload(data):
    """Kind, target, subject and changes; a change is (field, value, pinned, what it overwrites)."""
    found = {1: 0, 2: b"", 3: [], 4: b""}
    for field, value in fields(data):
        if field == 3:
            found[3].append(change(value))
        else:
            found[field] = value
    if len(found[3]) > 64 or not {len(found[2]), len(found[4])} <= {0, 21, 32}:
        raise Mismatch("payload: too many changes, or a target or subject of a wrong length")
    return found[1], found[2], found[4], found[3]


def change(data):
    number, value, pinned, overwrites = 0, None, False, []
    for field, content in fields(data):
        if field == 1:
            number = content
        elif field == 7:
            pinned = content != 0
        elif field == 8:
            overwrites.append(content)
        else:
            value = {2: bytes.decode, 3: zigzag, 4: bytes, 5: single, 6: lambda _: None}[field](content)
    return number, value, pinned, overwrites[:64]


# The checks, one for each section of protocol.json.


def check_base32(v, _):
    expect(base32(v["bytes"]), v["text"], "base32")
    expect(unbase32(v["text"].upper()), v["bytes"], "base32 read back")
    found = reference(v["reference_device"], 1, int(v["reference_sequence"]), v["reference_hash"])
    expect(found, v["reference"], "reference")
    expect(base32(found), v["reference_word"], "reference in text")


def check_certificate(v, _):
    expect(signing_public(v["identity_seed"]), v["person"], "person")
    expect(signing_public(v["signing_seed"]), v["signing_key"], "signing key")
    expect(sodium.crypto_scalarmult_base(v["agreement_secret"]), v["agreement_key"], "agreement key")
    expect(blake("event", v["person"] + v["founding_salt"]), v["event"], "event")
    name = blake("device", v["event"] + v["person"] + v["signing_key"] + v["agreement_key"])
    expect(name, v["device"], "device")
    message = single(single(v["payload"])[1])
    parts = ["person", "signing_key", "agreement_key", "signature", "founding_salt"]
    expect([message[i + 1] for i in range(5)], [v[part] for part in parts], "certificate's message")
    require_signature(v["person"], name, v["signature"], "certificate")


def check_invitation(v, _):
    expect(blake("invite", b"sign", key=v["seed"]), v["signing_seed"], "signing seed")
    expect(blake("invite", b"open", key=v["seed"]), v["agreement_secret"], "agreement secret")
    expect(signing_public(v["signing_seed"]), v["id"], "invitation's id")
    expect(sodium.crypto_scalarmult_base(v["agreement_secret"]), v["agreement_key"], "agreement key")
    message = single(single(v["payload"])[2])
    expected = [v["id"], v["agreement_key"], int(v["level"]), int(v["expires"]), int(v["uses"])]
    expect([message[i + 1] for i in range(5)], expected, "invitation's message")


def check_admission(v, all_):
    statement = blake("admit", all_["certificate"]["event"] + v["person"])
    expect(statement, v["statement"], "admission's statement")
    require_signature(all_["invitation"]["id"], statement, v["signature"], "admission")
    expect(single(single(v["payload"])[3]), {1: all_["invitation"]["id"], 2: v["signature"]}, "admission's message")


def open_slot(slot, epoch, secret, public_key):
    box_key = blake("slot", epoch, key=sodium.crypto_scalarmult(secret, public_key))
    return sodium.crypto_secretbox_open(slot[8:], bytes(24), box_key)


def check_epoch(v, all_):
    certificate, invitation = all_["certificate"], all_["invitation"]
    event = certificate["event"]
    expect(blake("audience", b"event" + event), v["audience"], "audience")
    expect(blake("epoch", event + v["audience"], key=v["key"]), v["id"], "epoch's id")
    slots = [value for field, value in fields(single(v["payload"])[4]) if field == 3]
    expect(slots, [v["founder_slot"], v["invitation_slot"]], "slots in the message")
    author = certificate["agreement_key"]
    for slot, label, secret in [
        (slots[0], certificate["device"][:8], certificate["agreement_secret"]),
        (slots[1], invitation["id"][:8], invitation["agreement_secret"]),
    ]:
        expect(len(slot), 56, "a slot's length")
        expect(slot[:8], label, "a slot's label")
        expect(open_slot(slot, v["id"], secret, author), v["key"], "the key in a slot")


def check_private_epoch(v, all_):
    certificate, invitation = all_["certificate"], all_["invitation"]
    event, person = certificate["event"], certificate["person"]
    expect(v["audience"], b"\x01" + person + b"\x09" * 16, "guests as bytes")
    expect(v["pair"], b"\x03" + b"".join(sorted([person, all_["admission"]["person"]])), "two people as bytes")
    for name, audience in [("audience_id", v["audience"]), ("pair_id", v["pair"]), ("own_id", b"\x04" + person)]:
        expect(blake("audience", b"private" + event + audience), v[name], name)
    message = fields(v["payload"])
    slots = [value for field, value in message if field == 2]
    expect((dict(message)[1], dict(message)[3]), (v["id"], v["sealed"]), "id and sealed terms in the message")
    expect((len(slots), {len(slot) for slot in slots}, sorted(slots)), (8, {56}, slots), "slots with their noise")
    shared = sodium.crypto_scalarmult(invitation["agreement_secret"], certificate["agreement_key"])
    label = blake("label", v["id"], key=shared)[:8]
    expect([slot for slot in slots if slot[:8] == label], [v["slot"]], "the slot of a recipient")
    expect(open_slot(v["slot"], v["id"], invitation["agreement_secret"], certificate["agreement_key"]), v["key"], "key")
    nonce, box = v["sealed"][:24], v["sealed"][24:]
    terms_key = blake("terms", b"", key=v["key"])
    terms = sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(box, v["id"], nonce, terms_key)
    expect(terms, v["terms"], "opened terms")
    said = dict(fields(terms))
    expect((said[1], said[2], said[5]), (v["audience"], certificate["device"], invitation["id"][:8]), "terms")
    expect((said[3], len(said[4])), (struct.pack(">QQ", 3, 9), 80), "what is obeyed and carried")
    rules = blake("rules", certificate["device"] + struct.pack(">I", 2) + said[3] + said[4])
    expect(blake("epoch", event + v["audience_id"] + rules, key=v["key"]), v["id"], "private epoch's id")
    opened = sodium.crypto_secretbox_open(said[4][32:], bytes(24), blake("carried", bytes(4), key=v["key"]))
    expect(opened, all_["epoch"]["key"], "the carried key")
    expect(blake("end", v["invite"] + v["ends"])[:8], v["concern"], "how the end of an invite is obeyed")


def check_header(v, _):
    header = decode_header(v["encoded"])
    expect(encode_header(header), v["encoded"], "header encoded again")
    expect(header["sequence"], int(v["sequence"]), "sequence")
    expect(header["timestamp"], int(v["timestamp"]), "timestamp")
    expect(header["salt"], v["salt"], "salt")
    expect(header["epoch"], v["epoch"], "epoch")
    expect(header["payload_length"], int(v["payload_length"]), "payload length")
    expect([size for _, size in header["blobs"]], [int(size) for size in v["blob_sizes"].split()], "blob sizes")
    expect(header["extension"], v["extension"], "extension")
    expect(blake("header", v["encoded"]), v["hash"], "header's hash")
    expect(v["encoded"][:118], v["sealed_prefix"], "sealed prefix")
    expect(blake("nonce", v["sealed_prefix"], length=24), v["nonce"], "nonce")


def check_payload(v, all_):
    expect(blake("payload", v["sealed"]), v["hash"], "payload's hash")
    prefix, key = v["associated_data"], all_["epoch"]["key"]
    expect(blake("nonce", prefix, length=24), v["nonce"], "nonce")
    plain = sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(v["sealed"], prefix, v["nonce"], key)
    expect(plain, v["plain"], "opened payload")
    message = fields(plain)
    expect(dict(message)[1], int(v["kind"]), "kind")
    expect(dict(message)[2], v["target"], "target")
    changes = [fields(value) for field, value in message if field == 3]
    expect([dict(change)[1] for change in changes], [1, 2, 3, 4, 5], "fields")
    expect(dict(changes[0])[2].decode(), v["text"], "text")
    expect(zigzag(dict(changes[1])[3]), int(v["number"]), "number")
    expect(dict(changes[2])[4], v["target"], "data")
    media = single(dict(changes[3])[5])
    expect((media[1], media[2], media[3], media[4].decode()), (NONE, 1, b"\x09" * 32, v["media_type"]), "media")
    expect((dict(changes[4])[6], dict(changes[4])[8]), (1, v["target"]), "cleared, and what that overwrites")


def check_records(v, _):
    confirmation = record_payload(v["confirmation"])
    expect(confirmation, (31, v["target"], v["subject"], [(1, 1, False, [])]), "a payload with a subject")
    kind, target, subject, changes = record_payload(v["edit"])
    expect((kind, target, subject), (4, b"", b""), "an edit hangs on nothing and has no subject")
    expect(changes, [(21, v["hours"], True, v["overwritten"]), (22, 1, True, [])], "pinned changes")
    expect(record_payload(v["check_in"]), (7, v["target"], b"", [(7, 3, False, [])]), "a choice")
    spans = [tuple(int(number) for number in span.split("/")) for span in v["spans"].split()]
    expect(hours(v["hours"]), spans, "opening hours")
    expect([data.hex() for data in v["not_hours"] if hours(data)], [], "what is not opening hours")
    expect([text for text in v["visible"] if not is_visible(text.decode())], [], "visible texts")
    expect([text for text in v["invisible"] if is_visible(text.decode())], [], "invisible texts")


def read_run(v, all_):
    deltas = decode_run(v["encoded"], all_["certificate"]["event"])
    expect(b"".join(delta[1] for delta in deltas), b"".join(v["headers"]), "headers")
    expect([delta[2] for delta in deltas], v["hashes"], "hashes")
    for header, encoded, *_ in deltas:
        expect(decode_header(encoded), header, "header of a run")
    expect(deltas[-1][4], v["signature"], "the last signature")
    for _, _, header_hash, _, signature in deltas:
        if signature is not None:
            require_signature(v["signing_key"], header_hash, signature, "run")
    return deltas


def check_fabric_run(v, all_):
    payloads = [payload for _, _, _, payload, _ in read_run(v, all_)]
    expect(payloads, [all_[name]["payload"] for name in ["certificate", "epoch", "invitation"]], "fabric payloads")


def check_content_run(v, all_):
    (first, _, first_hash, _, _), (edit, _, _, sealed, _), (deletion, *_) = read_run(v, all_)
    root = reference(first["device"], 1, 1, first_hash)
    expect((first["root_kind"], edit["root"], deletion["root"]), (0, root, root), "roots")
    expect((deletion["deletion"], deletion["epoch"], deletion["payload_length"]), (True, NONE, 0), "deletion")
    expect(deletion["payload_hash"], blake("payload", b""), "a deletion's payload hash")
    prefix = encode_header(edit)[:118]
    nonce = blake("nonce", prefix, length=24)
    plain = sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(sealed, prefix, nonce, all_["epoch"]["key"])
    expect(single(single(plain)[3])[8], root, "what the edit overwrites")


def check_frontier(v, _):
    expect(sorted(v["entries"]), v["entries"], "order of the entries")
    expect({len(entry) for entry in v["entries"]}, {45}, "an entry's length")
    expect(blake("frontier", b"".join(v["entries"])), v["digest"], "digest")
    for bucket in range(64):
        entries = [entry for entry in v["entries"] if entry[0] >> 2 == bucket]
        digest = blake("frontier", b"".join(entries))[:8] if entries else bytes(8)
        expect(digest, v["buckets"][bucket], f"bucket {bucket}")


def check_link(v, _):
    read_link(v, "join", b"")


def check_device_link(v, _):
    read_link(v, "device", b"device", v["person"])
    for role, name in (b"\x01", "initiator_proof"), (b"\x00", "responder_proof"):
        expect(blake("linking", v["handshake_hash"] + role + v["device"], key=v["seed"]), v[name], name)


def read_link(v, word, hashed, *more):
    prefix = f"mingle://{word}/"
    expect(v["text"][: len(prefix)], prefix, "scheme")
    data = unbase32(v["text"][len(prefix) :])
    expect(blake("link", data[:-4] + hashed)[:4], data[-4:], "checksum")
    reader = Reader(data[:-4])
    expect(reader.number(1), 1, "version")
    fields = (v["event"], v["psk"], v["seed"], *more)
    expect(tuple(reader.take(32) for _ in fields), fields, "link")
    hints = [reader.take(reader.number(1)).decode() for _ in range(reader.number(1))]
    reader.finish()
    expect(hints, v["hints"].split(), "hints")


def check_discovery(v, _):
    expect(blake("discovery", v["random"], key=v["psk"])[:8], v["tag"], "tag")
    expect(base32(v["random"] + v["tag"]), v["name"], "instance name")


def check_session(v, _):
    expect(blake("session", v["handshake_hash"] + b"\x01"), v["initiator"], "initiator's statement")
    expect(blake("session", v["handshake_hash"] + b"\x00"), v["responder"], "responder's statement")
    found = blake("session", v["handshake_hash"] + b"\x01" + v["person"])
    expect(found, v["initiator_with_person"], "statement with the person")


# 8. Blobs


def chacha_rounds(state):
    def quarter(a, b, c, d):
        for x, y, z, shift in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[x] = (state[x] + state[y]) & 0xFFFFFFFF
            state[z] ^= state[x]
            state[z] = (state[z] << shift | state[z] >> (32 - shift)) & 0xFFFFFFFF

    for _ in range(10):
        for place in range(4):
            quarter(place, place + 4, place + 8, place + 12)
        for place in range(4):
            quarter(place, 4 + (place + 1) % 4, 8 + (place + 2) % 4, 12 + (place + 3) % 4)


def first_block(key):
    """The stream's first 64 bytes, for a nonce of zeros."""
    constants = list(struct.unpack("<4I", b"expand 32-byte k"))
    state = constants + list(struct.unpack("<8I", key)) + [0] * 4
    chacha_rounds(state)
    start = constants + state[:4] + state[12:] + [0] * 4
    state = list(start)
    chacha_rounds(state)
    return struct.pack("<16I", *((a + b) & 0xFFFFFFFF for a, b in zip(start, state)))


def stream(key, length):
    """XChaCha20: the AEAD's first block makes its tag key and the rest encrypts, so zeros give all but the first."""
    rest = sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(bytes(length), None, bytes(24), key)
    return (first_block(key) + rest[:-16])[:length]


def xor(left, right):
    return (int.from_bytes(left, "big") ^ int.from_bytes(right, "big")).to_bytes(len(left), "big")


def climb(leaf, index, count, proof):
    node, rest = leaf, list(proof)
    while count > 1:
        if index ^ 1 < count:
            sibling = rest.pop(0)
            node = blake("node", sibling + node if index & 1 else node + sibling)
        index, count = index // 2, (count + 1) // 2
    expect(rest, [], "hashes left over in a proof")
    return node


def check_blobs(v):
    size = int(v["size"])
    chunk_size = 256 << 10
    while chunk_size < 4 << 20 and size > 256 * chunk_size:
        chunk_size *= 2
    expect(chunk_size, int(v["chunk_size"]), "chunk size")
    plain = bytes(place % 251 for place in range(size))
    keystream = stream(v["key"], size)
    sealed = xor(plain, keystream)
    chunks = [sealed[start : start + chunk_size] for start in range(0, size, chunk_size)]
    expect((chunks[0][:128], chunks[2]), (v["chunk_0_start"], v["chunk_2"]), "encrypted chunks")
    expect(xor(v["chunk_2"], keystream[2 * chunk_size :]), plain[2 * chunk_size :], "decrypted chunk")
    leaves = [blake("chunk", struct.pack(">I", index) + chunk) for index, chunk in enumerate(chunks)]
    expect(leaves, v["leaves"], "leaves")
    for index, leaf in enumerate(leaves):
        expect(climb(leaf, index, len(leaves), v[f"proof_{index}"]), v["root"], f"root from the proof of chunk {index}")
    expect(blake("blob", v["root"] + struct.pack(">Q", size) + v["owner"]), v["name"], "blob's name")


# Reading the files

WORDS = {"text", "name", "number", "kind", "size", "level", "uses", "expires", "sequence", "timestamp", "hints"}
WORDS |= {"spans", "reference_word", "reference_sequence", "media_type", "payload_length", "blob_sizes", "chunk_size"}
LISTS = {"hashes", "headers", "entries", "buckets", "leaves", "proof_0", "proof_1", "proof_2"}
# In these a dash stands for no bytes.
LISTS |= {"overwritten", "not_hours", "visible", "invisible"}


def value(name, text, is_blob=False):
    if name in WORDS and not (is_blob and name == "name"):
        return text
    return [bytes.fromhex(part.strip("-")) for part in text.split()] if name in LISTS else bytes.fromhex(text)


def main():
    folder = Path(__file__).resolve().parent.parent / "Vectors"
    raw = json.loads((folder / "protocol.json").read_text())
    sections = {title: {name: value(name, text) for name, text in part.items()} for title, part in raw.items()}
    blobs = {name: value(name, text, True) for name, text in json.loads((folder / "blobs.json").read_text()).items()}
    failed = False
    for title in sorted(name.removeprefix("check_") for name in globals() if name.startswith("check_")):
        try:
            if title == "blobs":
                check_blobs(blobs)
            else:
                globals()[f"check_{title}"](sections[title], sections)
            print(f"OK {title}")
        except (Mismatch, CryptoError, KeyError, IndexError, ValueError) as error:
            print(f"FAILED {title}: {type(error).__name__}: {error}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
