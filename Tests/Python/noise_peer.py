#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One side of Mingle's secure channel, written on noiseprotocol==0.3.1: an oracle for the node.

    noise_peer.py initiator HOST PORT PSK_HEX
    noise_peer.py responder PORT PSK_HEX        (0 takes any free port and prints it)

Shakes hands, sends "hello from python" on the control lane, waits for one control message and prints

    port <number>           a responder, as soon as it listens
    hash <hexadecimal>      the handshake's hash
    received <hexadecimal>  the node's message

then ends the stream. Exit code 0 if all of that happened, 1 with one line on standard error if not.
"""

import socket
import struct
import sys

from noise.connection import Keypair, NoiseConnection

PROTOCOL = b"Noise_XXpsk0_25519_ChaChaPoly_SHA256"
PROLOGUE = b"mingle/1"
CONTROL, LAST = 0, 0x80
# As long as a node gives a handshake in tests: many others run beside.
TIMEOUT_SECONDS = 50


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


def talk(stream, role, psk):
    stream.settimeout(TIMEOUT_SECONDS)
    noise = shake_hands(stream, role, psk)
    print("hash", noise.get_handshake_hash().hex(), flush=True)
    send_record(stream, bytes(noise.encrypt(bytes([CONTROL | LAST]) + b"hello from python")))
    print("received", receive_message(stream, noise, CONTROL).hex(), flush=True)


def main(arguments):
    if arguments[:1] == ["initiator"] and len(arguments) == 4:
        psk = bytes.fromhex(arguments[3])
        with socket.create_connection((arguments[1], int(arguments[2])), TIMEOUT_SECONDS) as stream:
            talk(stream, "initiator", psk)
    elif arguments[:1] == ["responder"] and len(arguments) == 3:
        psk = bytes.fromhex(arguments[2])
        with socket.create_server(("127.0.0.1", int(arguments[1]))) as listener:
            listener.settimeout(TIMEOUT_SECONDS)
            print("port", listener.getsockname()[1], flush=True)
            with listener.accept()[0] as stream:
                talk(stream, "responder", psk)
    else:
        raise Failure(__doc__.strip())


try:
    main(sys.argv[1:])
except Exception as error:
    print(f"{type(error).__name__}: {error}", file=sys.stderr)
    sys.exit(1)
