# SPDX-License-Identifier: Apache-2.0
"""A relay on the wired host while clients are isolated: eight attendees share through it alone, it is killed and comes back with
yesterday's backup, and nothing that they share or seal with can be found on its disk or in its memory, nor on any disk once it is deleted."""

import os
import shutil
import subprocess
import time

import canaries
import pictures
from canaries import ATTENDEES, canary, each
from mishaps import says
from nodes import LAN, MINGLE, RUNNING, WORK, Node, lan, wait_until
from report import check, measure


class Relay(Node):
    """The machine that stays on."""

    def launch(self, *arguments):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [LAN, "exec", str(self.host), MINGLE, "relay", "--data", self.data]
                + ["--peer-port", str(self.peer_port), *arguments],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
            )
        RUNNING.append(self)

    def await_start(self, seconds):
        wait_until(f"{self.name} starts", self.is_up, seconds)
        return self

    @property
    def event(self):
        return self.get("status")["relay"]["events"][0]


def relay(stage):
    lan("isolate", "on")
    try:
        play()
    finally:
        lan("isolate", "off")


def play():
    founder = Node(2, "relayed-0", shift=10).start()
    founder.ask("POST", "events", {"title": canary("title", 0)})
    link = founder.ask("POST", "invitations", {"level": "relay", "uses": 1})["link"]
    machine = Relay(1, "hall", shift=10)
    says("a link for people starts no relay", machine.cli("relay", founder.invitation(), data=machine.data + ".other"), 12, "--level relay")
    machine.start(link)
    took, _ = wait_until("the relay is let in", lambda: machine.event["state"] == "relaying")
    check("the relay is let in", True, f"{took:.2f} s")
    wait_until("the founder has met it", lambda: founder.get("people")["relays"])
    says("a relay's link lets nobody take part", founder.cli("join", link), 12, "mingle relay")
    # Where the relay is stands in the link.
    wait_until("the relay is seen", lambda: founder.peers())
    attendees = [founder] + [Node(3 + number, f"relayed-{number + 1}", shift=10).start() for number in range(ATTENDEES - 1)]
    begin = time.monotonic()
    each(attendees[1:], lambda node: node.ask("POST", "join", {"link": founder.invitation()}))
    measure("seven come in by the relay alone", time.monotonic() - begin, 10)
    share(attendees, "first", 10)
    backup(machine)
    machine.kill()
    machine.start()
    share(attendees, "after kill -9", 10)
    restore(machine)
    share(attendees, "after yesterday's backup", 20)
    took, _ = wait_until("the relay is whole", lambda: is_whole(machine, founder), 60)
    check("the restored relay has fetched what it lacked", True, f"{took:.1f} s")
    # Of two links to the relay that has just come back one may still be on its way out.
    took, _ = wait_until("nobody has two links", lambda: all(len(node.peers()) <= 1 for node in attendees), 10)
    check("nobody is linked but to the relay", True, f"{took:.1f} s")
    canaries.plant(attendees)
    wait_until("the relay is whole", lambda: is_whole(machine, founder), 60)
    canaries.search_relay(machine, attendees)
    canaries.delete(attendees, machine)
    for node in [*attendees, machine]:
        node.stop()


def share(attendees, when, bar):
    """Everybody says a name, shares a photo and comments; measures until all show the same and hold every picture."""
    folder = os.path.join(WORK, "canaries")
    before = len(attendees[0].photos())
    # What one shared already is not shared again.
    photos = pictures.make_photos(folder, 2, first=before)

    def act(node):
        number = attendees.index(node)
        node.ask("PUT", "profile", {"name": canary("name", number)})
        path = os.path.join(folder, f"{canary('file', number)}.jpg")
        shutil.copy(photos[number % 2], path)
        photo = node.share(path, title=canary("photo", number))["id"]
        node.comment(photo, canary(f"comment {when}", number))

    begin = time.monotonic()
    each(attendees, act)

    def are_in_sync():
        if any(len(node.photos()) != before + len(attendees) for node in attendees):
            return False
        if not all(photo["held"]["original"] for node in attendees for photo in node.photos()):
            return False
        return len({node.dump() for node in attendees}) == 1

    wait_until("all dumps are equal", are_in_sync, 90)
    measure(f"eight share through the relay, {when}", time.monotonic() - begin, bar)


def is_whole(machine, founder):
    event = machine.event
    return event["deltas"] >= founder.get("status")["sync"]["records"] and event["blobs_waiting"] == 0


def backup(machine):
    """Copies the folder of the relay while it is stopped."""
    machine.stop()
    shutil.copytree(machine.data, machine.data + ".backup")
    machine.start()


def restore(machine):
    machine.kill()
    shutil.rmtree(machine.data)
    shutil.copytree(machine.data + ".backup", machine.data)
    machine.start()
    code = machine.event["state"]
    check("the relay goes on as itself with yesterday's files", code == "relaying", code)
