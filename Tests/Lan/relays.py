# SPDX-License-Identifier: Apache-2.0
"""A relay on the wired host while clients are isolated: eight attendees share through it alone, it is killed and comes back with
yesterday's backup, and nothing that they share or seal with can be found on its disk or in its memory."""

import concurrent.futures
import os
import shutil
import sqlite3
import subprocess
import time

import pictures
from mishaps import says
from nodes import LAN, MINGLE, RUNNING, WORK, Node, lan, wait_until
from report import check, measure

ATTENDEES = 8


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
    check("nobody is linked but to the relay", all(len(node.peers()) <= 1 for node in attendees))
    search(machine, attendees)
    for node in [*attendees, machine]:
        node.stop()


def canary(kind, number):
    return f"Kanarie-{kind}-{number}-Quetzalcoatl"


def each(nodes, work):
    with concurrent.futures.ThreadPoolExecutor(len(nodes)) as pool:
        return list(pool.map(work, nodes))


def share(attendees, when, bar):
    """Everybody says a name, shares a photo and comments; measures until all show the same and hold every picture."""
    folder = os.path.join(WORK, "canaries")
    photos = pictures.make_photos(folder, 2)
    before = len(attendees[0].photos())

    def act(node):
        number = attendees.index(node)
        node.ask("PUT", "profile", {"name": canary("name", number)})
        path = os.path.join(folder, f"{canary('file', number)}.jpg")
        shutil.copy(photos[number % 2], path)
        photo = node.share(path, title=canary("photo", number))["id"]
        node.comment(photo, canary(f"comment {when}", number))

    begin = time.monotonic()
    each(attendees, act)

    def is_level():
        if any(len(node.photos()) != before + len(attendees) for node in attendees):
            return False
        if not all(photo["held"]["original"] for node in attendees for photo in node.photos()):
            return False
        return len({node.dump() for node in attendees}) == 1

    wait_until("all dumps are equal", is_level, 90)
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


# Looking for what must not be there


def search(machine, attendees):
    founder = attendees[0]
    needles = canaries(founder)
    check("there are canaries", len(needles) >= 100, f"{len(needles)} of {len({kind for kind, _ in needles})} kinds")
    memory, disk = memory_of(machine), list(files(machine.data))
    found = sorted({kind for kind, needle in needles if any(needle in part for part in memory)})
    check("none is in the relay's memory", not found, found or f"{sum(map(len, memory)) >> 20} MiB")
    found = sorted({kind for kind, needle in needles if any(needle in data for data in disk)})
    check("none is on the relay's disk", not found, found or f"{sum(map(len, disk)) >> 20} MiB")
    # The same search finds them where they are.
    disk, memory = list(files(founder.data)), memory_of(founder)
    missed = sorted({kind for kind, needle in needles if not any(needle in part for part in disk + memory)} - {"picture"})
    check("the same search finds them at a member's", not missed, missed)


def canaries(member):
    """Words that people wrote, the event's keys and the pictures', and pieces of the pictures, each with what it is."""
    needles = [("word", b"Quetzalcoatl"), ("word", b"Kanarie-")]
    needles += [("word", canary("title", 0).encode())]
    kinds = ("name", "file", "photo", "comment first")
    needles += [("word", canary(kind, number).encode()) for kind in kinds for number in range(ATTENDEES)]
    database = sqlite3.connect(f"file:{event_folder(member)}/replica.sqlite?mode=ro", uri=True)
    needles += [("epoch key", key) for (key,) in database.execute("SELECT key FROM epoch WHERE key IS NOT NULL")]
    for media in database.execute("SELECT original, preview, thumbnail FROM photo"):
        needles += [("picture key", column[40:72]) for column in media if column]
    database.close()
    for photo in member.photos():
        status, data = member.raw("GET", f"media/{photo['id']}/original")
        assert status == 200, status
        # Tables at the beginning are the same in many files; pixels are not.
        needles += [("picture", data[place : place + 32]) for place in (len(data) // 2, len(data) * 3 // 4)]
    return needles


def event_folder(node):
    events = os.path.join(node.data, "events")
    return os.path.join(events, os.listdir(events)[0])


def files(folder):
    for path, _, names in os.walk(folder):
        for name in names:
            # Sockets hold nothing.
            if os.path.isfile(os.path.join(path, name)):
                with open(os.path.join(path, name), "rb") as file:
                    yield file.read()


def memory_of(node):
    """Every part of the process's memory that can be read."""
    parts = []
    with open(f"/proc/{process_of(node)}/maps") as maps, open(f"/proc/{process_of(node)}/mem", "rb", 0) as memory:
        for line in maps:
            span, rights = line.split()[:2]
            start, end = (int(number, 16) for number in span.split("-"))
            if "r" not in rights or line.rstrip().endswith(("[vvar]", "[vsyscall]", "[vvar_vclock]")):
                continue
            try:
                memory.seek(start)
                parts.append(memory.read(end - start))
            except OSError:
                # Guarded pages of keys are not even their owner's to read now.
                continue
    return parts


def process_of(node):
    """The process that serves the node's folder."""
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if words[0] == MINGLE.encode() and node.data.encode() in words:
            return entry
    raise AssertionError(f"{node.name} does not run")
