# SPDX-License-Identifier: Apache-2.0
"""Mingle's secure channel on noiseprotocol==0.3.1: handshake, records and messages, for programs that play a peer."""

import struct

from noise.connection import Keypair, NoiseConnection

PROTOCOL = b"Noise_XXpsk0_25519_ChaChaPoly_SHA256"
PROLOGUE = b"mingle/1"
CONTROL, LAST = 0, 0x80


class Failure(Exception):
    pass


def receive_exactly(stream, count):
    received = b""
    while len(received) < count:
        piece = stream.recv(count - len(received))
        if not piece:
            raise Failure("the node closed the connection")
        received += piece
    return received


def receive_record(stream):
    (length,) = struct.unpack(">H", receive_exactly(stream, 2))
    return receive_exactly(stream, length)


def send_record(stream, message):
    stream.sendall(struct.pack(">H", len(message)) + message)


def shake_hands(stream, role, psk):
    noise = NoiseConnection.from_name(PROTOCOL)
    noise.set_as_initiator() if role == "initiator" else noise.set_as_responder()
    noise.set_psks(psk)
    noise.set_prologue(PROLOGUE)
    noise.set_keypair_from_private_bytes(Keypair.STATIC, open("/dev/urandom", "rb").read(32))
    noise.start_handshake()
    is_writing = role == "initiator"
    while not noise.handshake_finished:
        if is_writing:
            send_record(stream, bytes(noise.write_message()))
        elif noise.read_message(receive_record(stream)):
            raise Failure("a handshake message carries a payload")
        is_writing = not is_writing
    return noise


def receive_message(stream, noise, lane):
    message = b""
    while True:
        fragment = bytes(noise.decrypt(receive_record(stream)))
        if fragment[0] & 0x7F != lane:
            raise Failure(f"a fragment came on lane {fragment[0] & 0x7F}")
        message += fragment[1:]
        if fragment[0] & LAST:
            return message
