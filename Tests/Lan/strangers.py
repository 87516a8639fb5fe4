# SPDX-License-Identifier: Apache-2.0
"""Who has no key gets no byte; another implementation with the key shakes hands in both roles."""

import os
import subprocess

from nodes import HERE, LAN, PEER_PORT, Node, read_link
from report import check, skip

ORACLE = os.path.join(HERE, "..", "Python", "noise_peer.py")


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
