# SPDX-License-Identifier: Apache-2.0
"""Connects without the event's key and prints, for each thing it says, what came back: name, bytes, seconds.

    stranger.py HOST PORT
"""

import os
import socket
import sys
import threading
import time

SAYINGS = {
    "nothing": b"",
    "4 KiB of noise": os.urandom(4096),
    "a first message of the right length": b"\0\x30" + os.urandom(48),
    "a first message and half of the next": b"\0\x30" + os.urandom(48) + b"\0\x40" + os.urandom(32),
    "an empty message": b"\0\0",
    "a message of 65535 bytes": b"\xff\xff" + os.urandom(65535),
    "HTTP": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03" + os.urandom(506),
}


def talk(name, saying):
    begin = time.monotonic()
    received, ending = b"", "open"
    try:
        with socket.create_connection((sys.argv[1], int(sys.argv[2])), 5) as stream:
            stream.settimeout(15)
            stream.sendall(saying)
            while piece := stream.recv(4096):
                received += piece
            ending = "closed"
    except TimeoutError:
        ending = "open"
    except OSError as error:
        ending = type(error).__name__
    sys.stdout.write(f"{name}\t{len(received)}\t{ending}\t{time.monotonic() - begin:.2f}" + "\n")


threads = [threading.Thread(target=talk, args=item) for item in SAYINGS.items()]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
