# SPDX-License-Identifier: Apache-2.0
"""A door is killed amid three hundred phones that watch, share and comment, and starts again: nothing that was answered is lost,
and nothing is there twice."""

import json
import os
import signal
import subprocess
import sys

import pictures
from nodes import HERE, LAN, WORK, Node, wait_until
from report import check, measure
from visitors import PAGE, Door

PHONES, SHARING, COMMENTING, COMMENTS = 300, 50, 20, 5


def crowd(stage):
    founder, machine = Node(5, "crowd", shift=120).start(), Door(1, "crowd-door", shift=120)
    founder.ask("POST", "events", {"title": "Wedding"})
    link, page = founder.ask("POST", "invitations", {"door": True})["link"], f"0.0.0.0:{PAGE + 3}"
    machine.start(link, "--listen", page)
    address = wait_until("the poster", machine.poster)[1][0]
    files = pictures.make_photos(os.path.join(WORK, "crowd"), 5)
    counts = ["--phones", PHONES, "--sharing", SHARING, "--commenting", COMMENTING, "--seconds", 45]
    command = [LAN, "exec", "4", sys.executable, os.path.join(HERE, "phones.py"), address, *files, *map(str, counts)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as phones:
        wait_until("some have shared", lambda: len(founder.photos()) >= SHARING // 5, 120)
        machine.stop(signal.SIGKILL)
        before = len(founder.photos())
        took, _ = wait_until("the door is back", lambda: machine.start(None, "--listen", page))
        measure("a door that was killed is back", took, 5, note=f"{before} of {SHARING} photos were there")
        output, errors = phones.communicate(timeout=300)
    check("every phone goes on, and sees all that was answered once", phones.returncode == 0, errors.strip() or output.strip())
    told = json.loads(output)
    check("nobody was refused", (told["shared"], told["comments"]) == (SHARING, COMMENTING * COMMENTS) and told["breaks"] >= PHONES)
    wait_until("members have all photos", lambda: len(founder.photos()) == SHARING)
    for node in (founder, machine):
        node.stop()
