# SPDX-License-Identifier: Apache-2.0
"""Looks for a thousand things that people shared where they must not be: at the relay, and after their deletion anywhere."""

import concurrent.futures
import os
import re
import sqlite3

from nodes import MINGLE, wait_until
from report import check, measure

ATTENDEES = 8
# Comments of each attendee, besides the one that is said with a photo.
COMMENTS = 120
# Every word that people write here is of this form.
WORDS = re.compile(rb"Kanarie-[a-z0-9 -]{1,40}-Quetzalcoatl")


def canary(kind, number):
    return f"Kanarie-{kind}-{number}-Quetzalcoatl"


def each(nodes, work):
    with concurrent.futures.ThreadPoolExecutor(len(nodes)) as pool:
        return list(pool.map(work, nodes))


def plant(attendees):
    """Everybody says so much of the own photo that there are a thousand things to look for."""

    def act(node):
        photo, number = own_photos(node)[0], attendees.index(node)
        for place in range(COMMENTS):
            node.comment(photo, canary(f"plenty {place}", number))

    each(attendees, act)
    wait_until("all have heard all of it", lambda: len({node.dump() for node in attendees}) == 1, 60)


def own_photos(node):
    me = node.person
    return [photo["id"] for photo in node.photos() if photo["author"]["id"] == me]


def search_relay(machine, attendees):
    founder = attendees[0]
    words, others = planted(founder)
    kinds = {kind for kind, _ in others} | {"word"}
    check("there are a thousand canaries", len(words) + len(others) >= 1000, f"{len(words) + len(others)} of {len(kinds)} kinds")
    for where, parts in [("memory", memory_of(machine)), ("disk", list(files(machine.data)))]:
        found = sorted(seen(words, others, parts))
        check(f"none is in the relay's {where}", not found, found[:5] or f"{sum(map(len, parts)) >> 20} MiB")
    # The same search finds them where they are.
    missed = {("word", word) for word in words} | set(others)
    missed -= seen(words, others, list(files(founder.data)) + memory_of(founder))
    # Pictures are sealed on every disk.
    missed = sorted({kind for kind, _ in missed} - {"picture"})
    check("the same search finds them at a member's", not missed, missed)


def delete(attendees, machine):
    """Everybody deletes what was shared; then nobody's disk has any of it."""
    words, others = planted(attendees[0])
    gone = [word for word in words if b"-name-" not in word and b"-title-" not in word]
    keys = [(kind, needle) for kind, needle in others if kind == "picture key"]
    check("what is deleted was on disks", len(seen(gone, keys, list(files(attendees[0].data)))) > 900)

    def act(node):
        for photo in own_photos(node):
            node.ask("DELETE", f"photos/{photo}")

    comments = {node: own_comments(node) for node in attendees}
    each(attendees, lambda node: [node.ask("DELETE", f"comments/{comment}") for comment in comments[node]])
    each(attendees, act)
    wait_until("nobody shows any of it", lambda: not any(b"plenty" in node.dump() or node.photos() for node in attendees), 60)
    machines = [*attendees, machine]
    clean = lambda: not any(seen(gone, keys, files(node.data)) for node in machines)
    took, _ = wait_until("nothing of it is on any disk", clean, 120)
    measure(f"{len(gone) + len(keys)} deleted words and keys are on nobody's disk", took, 90)


def own_comments(node):
    found, me = [], node.person
    for photo in node.photos():
        page, before = None, ""
        while page is None or page.get("next"):
            page = node.get(f"comments?target={photo['id']}{before}")
            found += [comment["id"] for comment in page["comments"] if comment["author"]["id"] == me]
            before = f"&before={page.get('next')}"
    return found


def seen(words, others, parts):
    """Those of some words, and of other needles, that are somewhere."""
    found = set()
    for part in parts:
        # Whatever is a word is found in one go.
        found |= {("word", word) for word in WORDS.findall(part)}
        found |= {(kind, needle) for kind, needle in others if needle in part}
    return found & ({("word", word) for word in words} | set(others))


def planted(member):
    """The words that people wrote; and the event's keys and the pictures', and pieces of the pictures, each with what it is."""
    words = [canary("title", 0)]
    kinds = ["name", "file", "photo", "comment first", *(f"plenty {place}" for place in range(COMMENTS))]
    words += [canary(kind, number) for kind in kinds for number in range(ATTENDEES)]
    others = []
    database = sqlite3.connect(f"file:{event_folder(member)}/replica.sqlite?mode=ro", uri=True)
    others += [("epoch key", key) for (key,) in database.execute("SELECT key FROM epoch WHERE key IS NOT NULL")]
    for media in database.execute("SELECT original, preview, thumbnail FROM photo"):
        others += [("picture key", column[40:72]) for column in media if column]
    database.close()
    for photo in member.photos():
        status, data = member.raw("GET", f"media/{photo['id']}/original")
        assert status == 200, status
        # Tables at the beginning are the same in many files; pixels are not.
        others += [("picture", data[place : place + 32]) for place in (len(data) // 2, len(data) * 3 // 4)]
    return [word.encode() for word in words], sorted(set(others))


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
