# SPDX-License-Identifier: Apache-2.0
"""Who has no key gets no byte; another implementation with the key shakes hands in both roles, or floods the node."""

import os
import subprocess
import time

import pictures
from nodes import HERE, LAN, PEER_PORT, WORK, Node, lan, read_link, wait_until
from report import check, measure, skip

ORACLE = os.path.join(HERE, "..", "Python", "noise_peer.py")
# Addresses that one machine floods from, besides its own.
ADDRESSES = [f"10.77.9.{number}" for number in range(1, 101)]


def without_the_key(party):
    party.ana.is_running() or party.ana.start()
    answer = subprocess.run(
        [LAN, "exec", "2", "python3", os.path.join(HERE, "stranger.py"), "10.77.0.1", str(PEER_PORT)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    rows = [row.split("\t") for row in answer.stdout.splitlines()]
    received = sum(int(row[1]) for row in rows)
    longest = max(float(row[3]) for row in rows)
    check("who has no key gets not one byte", len(rows) == 8 and received == 0, f"{received} bytes for {len(rows)} sayings")
    left = [row[0] for row in rows if row[2] == "open"]
    check("who has no key is hung up on", not left, f"the last after {longest:.1f} s; still open: {left or 'none'}")
    check("the node goes on", party.ana.get("status")["person"] is not None)


def another_implementation(party):
    python = os.environ.get("MINGLE_PYTHON")
    if not python:
        return skip("handshake with noiseprotocol", "MINGLE_PYTHON names no interpreter that has it")
    psk = read_link(party.link)["psk"].hex()
    party.ana.is_running() or party.ana.start()
    begun = subprocess.run(
        [LAN, "exec", "2", python, ORACLE, "initiator", "10.77.0.1", str(PEER_PORT), psk],
        capture_output=True,
        text=True,
        timeout=40,
    )
    words = begun.stdout.split()
    check("noiseprotocol dials the node", begun.returncode == 0 and "received" in words, begun.stderr.strip() or f"{len(words[-1]) // 2} bytes of Hello")

    wrong = subprocess.run(
        [LAN, "exec", "2", python, ORACLE, "initiator", "10.77.0.1", str(PEER_PORT), "00" * 32],
        capture_output=True,
        text=True,
        timeout=40,
    )
    check("noiseprotocol with a wrong key is hung up on", wrong.returncode == 1 and "closed" in wrong.stderr, wrong.stderr.strip())

    party.ana.stop()
    responder = subprocess.Popen(
        [LAN, "exec", "1", python, ORACLE, "responder", "0", psk],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    port = responder.stdout.readline().split()[1]
    party.ana.start("--peer", f"127.0.0.1:{port}")
    output, errors = responder.communicate(timeout=40)
    words = output.split()
    check("the node dials noiseprotocol", responder.returncode == 0 and "received" in words, errors.strip() or f"{len(words[-1]) // 2} bytes of Hello")


def flood(party):
    """While others hold what they do not finish, a photo arrives, a newcomer is let in, and memory stays bounded."""
    python = os.environ.get("MINGLE_PYTHON")
    if not python:
        return skip("flood with the event's key", "MINGLE_PYTHON names no interpreter that has noiseprotocol")
    psk = read_link(party.link)["psk"].hex()
    for node in party.nodes[:2]:
        node.is_running() or node.start()
    wait_until("Ana and Bob meet", lambda: party.ana.met(party.bob))
    before = party.ana.resident_bytes
    for address in ADDRESSES:
        lan("exec", "3", "ip", "address", "add", f"{address}/16", "dev", "eth0")
    floods = {"one address": ["14"], "100 addresses": ["1", *ADDRESSES]}
    for name, options in floods.items():
        flooding(party, python, psk, name, options)
    took, _ = wait_until("memory falls back", lambda: party.ana.resident_bytes < before * 1.5, 30)
    check("memory falls back after the floods", True, f"{before >> 20} MB before; {party.ana.resident_bytes >> 20} MB after {took:.1f} s")
    warnings = party.ana.get("status")["warnings"]
    check("status says who was hung up on", any("hung up on" in each and "10.77." in each for each in warnings), warnings)
    check("the log says it", "hung up on a peer" in party.ana.log_text())


def flooding(party, python, psk, name, options):
    with subprocess.Popen(
        [LAN, "exec", "3", python, os.path.join(HERE, "flood.py"), "10.77.0.1", str(PEER_PORT), psk, *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as flood:
        check(f"flood from {name}", flood.stdout.readline() == "ready\n")
        (path,) = pictures.make_photos(os.path.join(WORK, "flooded"), 1, first=len(name) * 1000)
        begin = time.monotonic()
        photo = party.bob.share(path)["id"]
        wait_until("the preview is here", lambda: any(each["id"] == photo and each["held"]["preview"] for each in party.ana.photos()))
        measure(f"a photo arrives during a flood from {name}", time.monotonic() - begin, 2)
        newcomer = Node(4, f"new-{name.split()[0]}").start()
        begin = time.monotonic()
        newcomer.ask("POST", "join", {"link": party.ana.invitation()})
        measure(f"a newcomer is let in during a flood from {name}", time.monotonic() - begin, 2)
        newcomer.stop()
        measure(f"memory during a flood from {name}", party.ana.resident_bytes / 1e6, 150, "MB")
        flood.stdin.close()
        check("the flood ends", flood.wait(30) == 0, flood.stdout.read().strip())
