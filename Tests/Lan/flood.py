# SPDX-License-Identifier: Apache-2.0
"""Connections with the event's key and nothing else, which begin messages and do not finish them. Needs noiseprotocol.

    flood.py HOST PORT PSK_HEX COUNT [ADDRESS …]

COUNT connections for each local address, by default one address. Of four connections one begins a message of 64 KiB, one begins
one of a megabyte, one sends a byte a second, and one says nothing. Whoever is hung up on comes again. Prints "ready" once each
has been in, ends when its input ends, and prints how often it was hung up on.
"""

import os
import socket
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Python"))
import noise_session  # noqa: E402

HOST, PORT, PSK, COUNT = sys.argv[1], int(sys.argv[2]), bytes.fromhex(sys.argv[3]), int(sys.argv[4])
ADDRESSES = sys.argv[5:] or [""]
FRAGMENT = 60_000
over = threading.Event()
inside = threading.Semaphore(0)
lock = threading.Lock()
ended = 0


def hold(stream, noise, byte_count):
    while byte_count > 0 and not over.is_set():
        length = min(FRAGMENT, byte_count)
        noise_session.send_record(stream, bytes(noise.encrypt(bytes([noise_session.CONTROL]) + bytes(length))))
        byte_count -= length
    stream.settimeout(1)
    while not over.is_set():
        try:
            if not stream.recv(65536):
                return
        except TimeoutError:
            pass


def drip(stream, noise):
    record = bytes(noise.encrypt(bytes([noise_session.CONTROL]) + bytes(2000)))
    for byte in len(record).to_bytes(2, "big") + record:
        stream.sendall(bytes([byte]))
        if over.wait(1):
            return


def talk(address, number):
    global ended
    is_counted = False
    while not over.is_set():
        try:
            with socket.create_connection((HOST, PORT), 10, (address, 0) if address else None) as stream:
                stream.settimeout(10)
                noise = noise_session.shake_hands(stream, "initiator", PSK)
                if not is_counted:
                    is_counted = True
                    inside.release()
                if number % 4 == 0:
                    hold(stream, noise, 64 << 10)
                elif number % 4 == 1:
                    hold(stream, noise, 1 << 20)
                elif number % 4 == 2:
                    drip(stream, noise)
                else:
                    hold(stream, noise, 0)
        except (OSError, noise_session.Failure):
            pass
        with lock:
            ended += 1
        over.wait(0.2)


threads = [threading.Thread(target=talk, args=(address, n), daemon=True) for address in ADDRESSES for n in range(COUNT)]
for thread in threads:
    thread.start()
for _ in threads:
    inside.acquire(timeout=20)
print("ready", flush=True)
sys.stdin.read()
over.set()
deadline = time.monotonic() + 15
for thread in threads:
    thread.join(max(0, deadline - time.monotonic()))
print("hung up on", ended, flush=True)
