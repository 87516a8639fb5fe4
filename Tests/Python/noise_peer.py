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
import sys

from noise_session import CONTROL, LAST, Failure, receive_message, send_record, shake_hands

# As long as a node gives a handshake in tests: many others run beside.
TIMEOUT_SECONDS = 50


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
