# SPDX-License-Identifier: Apache-2.0
"""A second device of one's own, by a link without addresses: it finds the first one among others by mDNS, and takes part when that
one is away."""

import base64
import json
import time

from mishaps import says
from nearby import moment
from nodes import Node, checksum, wait_until
from report import check, measure

SCHEME = "mingle://device/"


def devices(stage):
    host, ana, phone = [Node(5 + number, f"own-{number}", shift=30).start() for number in range(3)]
    says("an event is created", host.cli("event", "create", "Reunion"), 0, "Created")
    host.ask("POST", "moments", moment())
    says("Ana joins", ana.cli("join", host.invitation()), 0, "Joined Reunion")
    ana.cli("profile", "--name", "Ana")
    wait_until("both are known", lambda: len(host.get("people")["people"]) == 2)
    made = ana.cli("devices", "link", "--json")
    check("a link for another device is made", made.returncode == 0, made.stderr)
    link = json.loads(made.stdout)["link"]
    says("it is no link for relays", phone.cli("relay", link, data=phone.data + "-relay"), 12, "adds another device")
    bare = without_addresses(link)
    begin = time.monotonic()
    says("the phone finds the laptop by the link alone", phone.cli("join", "--device", bare), 0, "one of your devices in Reunion")
    measure("linking a device without an address", time.monotonic() - begin, 6)
    check("it is the same person", phone.person == ana.person)
    says("the laptop says so", ana.cli("status"), 0, "new device of yours", "retire")
    says("both are listed", ana.cli("devices"), 0, "this device", "here")
    thief = Node(8, "own-thief", shift=30).start()
    says("nobody else comes by the link", thief.cli("join", "--device", link), 12, "another device used the link")
    thief.stop()
    ana.stop()
    target = phone.get("moments")["moments"][0]["id"]
    path = f"comments?target={target}"
    phone.comment(target, "from the phone")
    said = lambda: [(one["author"]["name"], one["text"]) for one in host.get(path)["comments"]]
    wait_until("the host reads it", lambda: ("Ana", "from the phone") in said())
    check("what the phone writes is the person's, while the laptop is off", len(host.get("people")["people"]) == 2, said())
    says("the phone links no other", phone.cli("devices", "link"), 12, "Make the link there")
    lost = next(device for device in phone.get("devices")["devices"] if not device["this"])
    retire = lambda *flags: phone.cli("devices", "retire", "--yes", lost["name"], *flags)
    host.stop()
    says("with nobody near what only others hold of a lost laptop would be lost", retire(), 1, "--force")
    says("it can be retired all the same", retire("--force"), 0, "is retired")
    host.start()
    body = link.removeprefix(SCHEME)[:150]
    check("no log has the link", not any(body in node.log_text() for node in (host, ana, phone, thief)))
    for node in (host, phone):
        node.stop()


def without_addresses(link):
    text = link.removeprefix(SCHEME).upper()
    body = base64.b32decode(text + "=" * (-len(text) % 8))[:129] + b"\0"
    return SCHEME + base64.b32encode(body + checksum(body + b"device")).decode().rstrip("=").lower()
