# SPDX-License-Identifier: Apache-2.0
"""An event that anyone nearby may join: listed and joined by whoever is on the network, with no link passed on, until it is
closed again; strangers who say whatever they like are listed at most."""

import base64
import os
import subprocess
import time

from mishaps import says
from nodes import LAN, Node, wait_until, write_link
from report import check, measure

TYPE = "_mingle-open._tcp"


def nearby(stage):
    founder, other, late = [Node(5 + number, f"near-{number}", shift=20).start() for number in range(3)]
    says("an event is created", founder.cli("event", "create", "Block party"), 0, "Created")
    check("nothing is listed that is not open", other.get("nearby")["nearby"] == [])
    founder.ask("POST", "moments", moment())
    begin = time.monotonic()
    says("its founder opens it", founder.cli("event", "set", "--nearby", "on"), 0, "see the title")
    listed = lambda node: node.get("nearby")["nearby"]
    wait_until("it is listed", lambda: listed(other))
    measure("an open event is listed elsewhere after it was opened", time.monotonic() - begin, 5)
    says("it is listed with its title", other.cli("event", "nearby"), 0, "Block party", "announced by 1 node")
    begin = time.monotonic()
    says("it is joined by its title", other.cli("join", "--nearby", "block PARTY"), 0, "Joined Block party")
    measure("joining by the title alone", time.monotonic() - begin, 4)
    wait_until("both read each other", lambda: talk(founder, other))
    check("both see each other's words", True)
    wait_until("the newcomer says so, too", lambda: [one["nodes"] for one in listed(late)] == [2])
    check("two nodes say so", True)
    says("every member sees that it is open, and until when", other.cli("status"), 0, "anyone nearby can join until")
    # Behind event, psk and seed the addresses follow, which differ.
    own = listed(late)[0]["link"][:150]
    more = crowd(late, 6)
    strangers(late, founder)
    says("its founder closes it", founder.cli("event", "set", "--nearby", "off"), 0, "needs an invitation")
    begin = time.monotonic()
    wait_until("it is gone", lambda: not listed(late))
    measure("a closed event is listed no more after", time.monotonic() - begin, 5)
    says("nobody joins it any more", late.cli("join", "--nearby", "Block party"), 4, "open to anyone on this network")
    check("who came stays", talk(founder, other))
    check("the event's own link is in no log", not any(own in node.log_text() for node in (founder, other, late, *more)))
    for node in (founder, other, late, *more):
        node.stop()


def crowd(watcher, count):
    """As many more come in, each by the title; few of them say so."""
    hosts = [1, 2, 3, 4, 8, 9]
    more = [Node(host, f"crowd-{host}", shift=20).start() for host in hosts[:count]]
    for node in more:
        node.ask("POST", "join", {"link": wait_until("it is listed", lambda: node.get("nearby")["nearby"])[1][0]["link"]})
    wait_until("all know all", lambda: all(len(node.get("people")["people"]) == count + 2 for node in more))
    # Longer than the longest pause, and than it takes to see each other.
    watcher.outlives(5)
    said = [one["nodes"] for one in watcher.get("nearby")["nearby"]]
    check(f"of {count + 2} nodes four or five say so", said in ([4], [5]), f"{said}")
    return more


def moment():
    stamp = lambda seconds: time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + seconds))
    place = {"name": "Street", "latitude": 52.52, "longitude": 13.405, "radius_m": 100}
    return {"title": "Dancing", "start": stamp(-60), "end": stamp(3600), "place": place}


def talk(founder, other):
    """Whether each reads what the other says of the moment."""
    found = other.get("moments")["moments"]
    if not found:
        return False
    target = found[0]["id"]
    said = {node.name: f"{node.name} says {time.monotonic_ns()}" for node in (founder, other)}
    for node in (founder, other):
        node.comment(target, said[node.name])
    heard = lambda node: node.comments(target)
    wait_until("what the other says", lambda: all(set(said.values()) <= heard(node) for node in (founder, other)))
    return True


def strangers(node, founder):
    """Another machine says that things are open, with titles and links of every kind."""
    event, psk, seed = os.urandom(32), os.urandom(32), os.urandom(32)
    link = write_link(event, psk, seed)
    texts = [
        ["v=1", "title=\x1b]0;pwned\x07\u202egnineve\n\tdoog", f"link={link}"],
        ["v=1", "title=Block party", f"link={link[:-4]}aaaa"],
        ["v=1", "title=Block party", "link=" + "z" * 240],
        ["v=1", "title=\u200b\u202e", f"link={link}"],
        ["v=9", "title=Block party", f"link={link}"],
        ["v=1", b"title=\xff\xfe", f"link={link}"],
        ["x" * 255] * 5,
        [],
    ]
    said = []
    for number, text in enumerate(texts):
        said.append(publish(9, 4000 + number, text))
    twin = write_link(os.urandom(32), psk, seed)
    said.append(publish(9, 4100, ["v=1", "title=block party", f"link={twin}"]))
    try:
        titles = lambda: sorted(one["title"] for one in node.get("nearby")["nearby"])
        wait_until("what strangers say is listed", lambda: len(titles()) == 3, 40)
        check("of what strangers say only what can be shown and joined is listed", titles() == ["Block party", "]0;pwnedgnineve doog", "block party"], titles())
        says("a title that two have is refused with their ids", node.cli("join", "--nearby", "Block party"), 1, "Several events", *[one["id"][:8] for one in node.get("nearby")["nearby"] if "lock" in one["title"]])
        own = founder.get("status")["current"]["id"]
        says("by its id it is still found", node.cli("join", "--nearby", own[:8]), 0, "Joined Block party")
        says("and left again", node.cli("event", "leave", own, "--confirm", "Block party"), 0, "Left")
        check("nothing that was said is in a log in the clear", link not in node.log_text() and "\x1b" not in node.log_text())
    finally:
        for process in said:
            process.terminate()
            process.wait()


def publish(host, port, strings):
    """Publishes a service by the host's own Avahi, under a name as nodes have them, until it is told to end."""
    name = base64.b32encode(os.urandom(16)).decode().rstrip("=").lower()
    return subprocess.Popen(
        [LAN, "exec", str(host), "avahi-publish", "-s", name, TYPE, str(port), *strings],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
    )
