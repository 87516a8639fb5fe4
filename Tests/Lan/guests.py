# SPDX-License-Identifier: Apache-2.0
"""Two people without nodes share and comment by a door, and another implementation verifies what one of them shared."""

import hashlib
import json
import os
import subprocess
import time

import pictures
from mishaps import says
from nodes import HERE, LAN, WORK, wait_until
from report import check, skip
from visitors import PAGE, Door, Visitor, keeps_quiet

READER = os.path.join(HERE, "..", "Python", "guest_photo.py")


def take_part(founder, member):
    """Two people without nodes share and comment by a door, one is removed and comes back as somebody new."""
    link = founder.ask("POST", "invitations", {"door": True})["link"]
    # Removing somebody closed the first one.
    reader = founder.ask("POST", "invitations", {"level": "attendee"})["link"]
    machine, ana, bob = Door(1, "door", shift=60), Visitor(4, "ana"), Visitor(2, "bob")
    machine.start(link, "--listen", f"0.0.0.0:{PAGE + 1}")
    base, code = wait_until("the poster", machine.poster)[1][0].rsplit("/", 1)
    for guest in (ana, bob):
        check("the code lets a browser in", guest.open(f"{base}/{code}")[0] == 200)
    file = pictures.make_photos(os.path.join(WORK, "by-phone"), 1)[0]
    status, text = ana.open(f"{base}/api/v1/photos?name=a.jpg", "-T", file)
    check("a guest shares a photo", status == 201, text[:80])
    photo = json.loads(text)
    wait_until("a member has it", lambda: member.find(f"photos/{photo['id']}"))
    # The door may say its name a moment later.
    wait_until("members see by which door", lambda: member.find(f"photos/{photo['id']}")["author"].get("by_door") == "Door")
    another_reader(reader, member, link, photo)
    said = ["-H", "Content-Type: application/json", "-d", json.dumps({"target": photo["id"], "text": "By phone"})]
    status, text = bob.open(f"{base}/api/v1/comments", *said)
    check("another guest comments on it", status == 201, text[:80])
    person = json.loads(text)["author"]["id"]
    check("as somebody else", person != photo["author"]["id"])
    wait_until("a member has that", lambda: member.get(f"photos/{photo['id']}")["comments"] == 1)
    says("a host removes the guest", founder.cli("people", "remove", "--yes", person), 0, "removed")
    wait_until("the guest is out", lambda: bob.open(f"{base}/api/v1/visit")[0] == 403)
    check("and the other one is not", ana.open(f"{base}/api/v1/visit")[0] == 200)
    bob.open(f"{base}/{code}")
    status, text = bob.open(f"{base}/api/v1/comments", *said)
    check("who scans again is somebody new", status == 201 and json.loads(text)["author"]["id"] != person, text[:80])
    keeps_quiet(machine, code, link, ana)
    machine.stop()


def another_reader(link, member, door_link, photo):
    """Another implementation verifies the guest's photo from what a member's node has of it."""
    python = os.environ.get("MINGLE_PYTHON")
    if not python:
        return skip("another implementation reads a guest's photo", "MINGLE_PYTHON names no interpreter that has noiseprotocol")
    renditions = {name: f"media/{photo['id']}/{name}" for name in ("original", "preview", "thumbnail")}
    wait_until("the member has all renditions", lambda: all(member.raw("GET", path)[0] == 200 for path in renditions.values()))
    begin, (host, port) = time.monotonic(), member.address.split(":")
    words = [READER, host, port, link, door_link, photo["id"], photo["author"]["id"]]
    reads = lambda words: subprocess.run([LAN, "exec", "2", python, *words], capture_output=True, text=True, timeout=60)
    read = reads(words)
    found = {line.split()[0]: line.split()[2] for line in read.stdout.splitlines()}
    expected = {name: hashlib.sha256(member.raw("GET", path)[1]).hexdigest() for name, path in renditions.items()}
    check("another implementation verifies a guest's photo", found == expected, read.stderr.strip() or f"{time.monotonic() - begin:.1f} s")
    by_another = reads([word if word != door_link else link for word in words])
    check("and refuses it as one that came by another link", by_another.returncode == 1, by_another.stderr.strip())
