# SPDX-License-Identifier: Apache-2.0
"""Prints Tests/MingleCryptoTests/NoiseVectors.swift: transcripts with fixed keys, made by noiseprotocol==0.3.1."""

import hashlib
import warnings

from noise.connection import Keypair, NoiseConnection

PROTOCOL = b"Noise_XXpsk0_25519_ChaChaPoly_SHA256"
PROLOGUE = b"mingle/1"
KEYS = ["psk", "initiator-static", "initiator-ephemeral", "responder-static", "responder-ephemeral"]


def key(seed, name):
    return hashlib.sha256(f"{seed} {name}".encode()).digest()


def side(seed, role):
    connection = NoiseConnection.from_name(PROTOCOL)
    connection.set_as_initiator() if role == "initiator" else connection.set_as_responder()
    connection.set_psks(key(seed, "psk"))
    connection.set_prologue(PROLOGUE)
    connection.set_keypair_from_private_bytes(Keypair.STATIC, key(seed, f"{role}-static"))
    connection.set_keypair_from_private_bytes(Keypair.EPHEMERAL, key(seed, f"{role}-ephemeral"))
    connection.start_handshake()
    return connection


def transcript(seed, has_payloads):
    initiator, responder = side(seed, "initiator"), side(seed, "responder")
    lines = [f"{name} {key(seed, name).hex()}" for name in KEYS]
    sender, receiver = initiator, responder
    for turn in range(3):
        payload = hashlib.sha512(bytes([seed, turn])).digest()[: 20 * turn + seed] if has_payloads else b""
        message = bytes(sender.write_message(payload))
        assert bytes(receiver.read_message(message)) == payload
        lines.append(f"handshake {message.hex()} {payload.hex()}".rstrip())
        sender, receiver = receiver, sender
    lines.append(f"hash {initiator.get_handshake_hash().hex()}")
    for turn in range(5):
        for sender, receiver, name in ((initiator, responder, "initiator"), (responder, initiator, "responder")):
            payload = hashlib.sha256(bytes([seed, turn])).digest()[: 7 * turn]
            message = bytes(sender.encrypt(payload))
            assert bytes(receiver.decrypt(message)) == payload
            lines.append(f"{name} {message.hex()} {payload.hex()}".rstrip())
            if turn % 2 == 1:
                sender.rekey_outbound_cipher()
                receiver.rekey_inbound_cipher()
    return lines


def main():
    warnings.simplefilter("ignore")  # noiseprotocol warns of fixed ephemeral keys, which is what is wanted here
    print("// SPDX-License-Identifier: Apache-2.0")
    print()
    print("/// Transcripts that Tests/Python/noise_vectors.py wrote with the PyPI package noiseprotocol 0.3.1.")
    print("///")
    print("/// Each begins with its keys; a line is a name, a hexadecimal message and its payload, if it has one. Both")
    print("/// directions take a new key after every second message.")
    print("enum NoiseVectors {")
    print("    // swift-format-ignore")
    print("    static let transcripts = [")
    for seed in range(4):
        print('        """')
        for line in transcript(seed, has_payloads=seed >= 2):
            print(f"        {line}")
        print('        """,')
    print("    ]")
    print("}")


main()
