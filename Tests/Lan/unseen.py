# SPDX-License-Identifier: Apache-2.0
"""Two hundred private words of members, and their private keys, are nowhere at a door: neither in the memory and the files of a
machine with a door, nor in the files of a door beside a host's node, nor in any answer of either."""

import json
import os
import sqlite3
import subprocess
import sys

import pictures
from canaries import canary, each, event_folder, files, memory_of, seen
from nearby import moment
from nodes import HERE, LAN, WORK, Node, wait_until
from report import check
from visitors import PAGE, Door, Visitor

# Private moments and photos of each of two members, and their reports.
MOMENTS, PHOTOS, REPORTS = 15, 6, 40
# Kinds of which nobody else sees a record.
PRIVATE = ["bookmark", "favourite", "connection", "report"]


def unseen(stage):
    host, kim, lee = (Node(5 + place, f"unseen-{place}", shift=90).start() for place in range(3))
    host.ask("POST", "events", {"title": "Wedding"})
    for node in (kim, lee):
        node.ask("POST", "join", {"link": host.invitation()})
    own = host.ask("POST", "doors", {"listen": f"0.0.0.0:{PAGE + 2}"})["own"]["addresses"][0]
    link = host.ask("POST", "invitations", {"door": True})["link"]
    machine = Door(1, "unseen-door", shift=90)
    machine.start(link, "--listen", f"0.0.0.0:{PAGE + 2}")
    addresses = [wait_until("the poster", machine.poster)[1][0], own]
    guests = Visitor(2, "beside"), Visitor(4, "apart")
    for guest, address in zip(guests, addresses):
        check("the code lets a browser in", guest.open(address)[0] == 200)
    with_phones(addresses, lambda: plant(host, kim, lee))
    nodes = host, kim, lee, machine
    wait_until("all has come", lambda: len({node.get("status")["sync"]["records"] for node in nodes}) == 1, 60)
    words, others = planted(host, kim, lee)
    check("there are two hundred private words", len(words) >= 200, f"{len(words)}, and {len(others)} keys")
    with_phones(addresses, lambda: search(machine, words, others))
    (by_one, one), (by_other, other) = (all_answers(guest, address, kim) for guest, address in zip(guests, addresses))
    search_parts("in the files of the door beside the host's node", words, others, files(os.path.join(host.data, "door")))
    search_parts(f"in {one + other} answers of both doors", words, others, [by_one, by_other])
    missed = {("word", word) for word in words} | set(others)
    missed -= seen(words, others, [*files(host.data), *files(kim.data), *files(lee.data)])
    check("the same search finds them at members'", not missed, sorted(missed)[:3])
    check("whose databases have private records and keys", min(map(rows_of(kim).get, ["bookmark", "connection", "report", "key"])) > 0)
    held = len(seen(words, [], memory_of(host)))
    check("the door beside shares the process of its owner's node, whose memory has words", held > 0, f"{held} words")
    for node in nodes:
        node.stop()


def with_phones(addresses, work):
    """Does something while phones look, share and comment at the doors."""
    files = pictures.make_photos(os.path.join(WORK, "unseen"), 3)
    options = ["--phones", "20", "--sharing", "4", "--commenting", "4", "--seconds", "8"]
    command = [LAN, "exec", "4", sys.executable, os.path.join(HERE, "phones.py")]
    phones = [subprocess.Popen([*command, address, *files, *options], stdout=subprocess.DEVNULL) for address in addresses]
    work()
    check("phones look, share and comment meanwhile", [process.wait(120) for process in phones] == [0, 0])


def plant(host, kim, lee):
    """What members keep from others, though two of the moments' guests are doors by mistake."""
    said = host.ask("POST", "moments", moment())["id"]
    public = [host.comment(said, f"Public {number}")["id"] for number in range(REPORTS)]
    people = [person["id"] for person in host.get("people")["people"]]
    wait_until("others have it", lambda: all(len(node.comments(said)) == REPORTS for node in (kim, lee)))
    photos = pictures.make_photos(os.path.join(WORK, "private"), 2 * PHOTOS, first=500)

    def act(place):
        node, other, number = (host, kim)[place], (kim, host)[place], lambda n: f"{place} {n}"
        for n in range(MOMENTS):
            words = {"title": canary("title", number(n)), "description": canary("description", number(n)), "private": True}
            position = {**moment()["place"], "name": canary("place", number(n))}
            made = node.ask("POST", "moments", {**moment(), **words, "place": position})["id"]
            node.ask("POST", f"moments/{made}/guests", {"people": [person for person in people if person != node.person]})
            node.comment(made, canary("comment", number(n)))
            node.ask("PUT", f"bookmarks/{made}")
            if n < PHOTOS:
                node.ask("POST", f"moments/{made}/join")
                node.ask("POST", f"moments/{made}/check-in", {name: position[name] for name in ("latitude", "longitude")})
                node.share(photos[place * PHOTOS + n], target=made, title=canary("photo", number(n)))
        node.ask("PUT", f"connections/{lee.person}")
        lee.ask("PUT", f"connections/{node.person}")
        for n, comment in enumerate(public):
            node = (kim, lee)[place]
            node.ask("PUT", f"reports/{comment}", {"reason": "other", "text": canary("report", number(n))})
            node.ask("PUT", f"bookmarks/{said}")

    each([0, 1], act)


def planted(*members):
    """The words; and the private keys and those of private pictures, each with what it is."""
    kinds = {"title": MOMENTS, "description": MOMENTS, "place": MOMENTS, "comment": MOMENTS, "photo": PHOTOS, "report": REPORTS}
    words = [canary(kind, f"{place} {n}") for kind, count in kinds.items() for place in (0, 1) for n in range(count)]
    others = set()
    for member in members:
        database = sqlite3.connect(f"file:{event_folder(member)}/replica.sqlite?mode=ro", uri=True)
        others |= {("epoch key", key) for (key,) in database.execute("SELECT key FROM epoch WHERE key IS NOT NULL AND audience > 0")}
        for media in database.execute("SELECT original, preview, thumbnail FROM photo WHERE audience > 0"):
            others |= {("picture key", column[40:72]) for column in media if column}
        database.close()
    return [word.encode() for word in words], sorted(others)


def search(machine, words, others):
    search_parts("in the memory of a machine with a door", words, others, memory_of(machine))
    search_parts("in its files", words, others, files(machine.data))
    rows = {kind: count for kind, count in rows_of(machine).items() if count}
    check("its database has no private record and no private key", not rows, rows)


def rows_of(node):
    """How many private records and keys a database has."""
    database = sqlite3.connect(f"file:{event_folder(node)}/replica.sqlite?mode=ro", uri=True)
    asked = {kind: kind for kind in PRIVATE} | {"key": "epoch WHERE key IS NOT NULL AND audience > 0"}
    found = {kind: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for kind, table in asked.items()}
    database.close()
    return found


def search_parts(where, words, others, parts):
    parts = list(parts)
    found = sorted(seen(words, others, parts))
    check(f"nothing private is {where}", not found, found[:5] or f"{sum(map(len, parts)) >> 10} KiB")


def all_answers(guest, address, member):
    """What a door answers to everything that can be read there, about public and private records, and how often it does."""
    base = address.rsplit("/", 1)[0] + "/api/v1/"
    described = json.loads(guest.open(base + "openapi.json")[1])["paths"]
    moments = [one["id"] for one in member.get("moments")["moments"]]
    # Of each sort some; those of the private moments are among them.
    people, photos = member.get("people")["people"][:3], member.photos()[:8]
    ids = [*moments[:8], *(one["id"] for one in [*photos, *people])]
    addresses = []
    for path, calls in described.items():
        if "get" not in calls or path.endswith("stream"):
            continue
        path = base + path.removeprefix("/api/v1/").lstrip("/")
        addresses += [path.replace("{id}", id) for id in ids] if "{id}" in path else [path, *(f"{path}?target={id}" for id in ids)]
    read = subprocess.run(guest.command(*addresses, "-w", "\n%{http_code}\n"), capture_output=True, check=True)
    return read.stdout, read.stdout.count(b"\n200\n")
