# SPDX-License-Identifier: Apache-2.0
"""A door comes in by a guests' link; on another machine somebody scans its code, sees what is shared from then on and nothing
that is private, and changes nothing, until a host takes the door out. Another door comes in by a link for doors; two people share
and comment with browsers, until a host removes one of them. Nothing that lets anybody in is in a log."""

import json
import os
import subprocess
import time

import pictures
from canaries import files
from guests import take_part
from mishaps import says
from nearby import moment
from nodes import LAN, WORK, Node, wait_until
from report import check, measure
from visitors import PAGE, Door, Visitor, keeps_quiet

SECRET = "canary-of-a-private-moment"
PATHS = ["visit", "news", "people", "photos", "moments"]


def door(stage):
    founder, member = Node(5, "shown-0", shift=30).start(), Node(6, "shown-1", shift=30).start()
    founder.ask("POST", "events", {"title": "Street party"})
    member.ask("POST", "join", {"link": founder.invitation()})
    link = founder.ask("POST", "invitations", {"level": "guest", "uses": 1})["link"]
    machine, visitor = Door(1, "screen", shift=30), Visitor(4)
    refused(machine, link)
    begin = time.monotonic()
    machine.start(link)
    wait_until("the poster", machine.poster)
    measure("a door shows the event after its start", time.monotonic() - begin, 5)
    says("its link is used up", Node(2, "second").cli("door", link, "--listen", "0.0.0.0:8099"), 12, "used up", "--door")
    address = machine.poster()[0]
    base, code = address.rsplit("/", 1)
    check("the poster names the machine's address", base == f"http://10.77.0.1:{PAGE}", machine.poster())
    look(visitor, base, code)
    photo = follow(visitor, base, member)
    change_nothing(visitor, base, photo, founder)
    keep_private(visitor, base, founder, machine)
    stop_and_start(visitor, base, machine)
    close(visitor, base, founder, machine)
    keeps_quiet(machine, code, link, visitor)
    check("nothing private is on its disk", not any(SECRET.encode() in file for file in files(machine.data)))
    take_part(founder, member)
    for node in (founder, member, machine):
        node.stop()


def refused(machine, link):
    """Starts that fail, after which the link is as good as before."""
    with_page = lambda page: machine.cli("door", link, "--listen", page, data=machine.data + ".refused")
    listener = subprocess.Popen(
        [LAN, "exec", str(machine.host), "python3", "-m", "http.server", "8098"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        reaches = [LAN, "exec", str(machine.host), "curl", "-s", "-o", "/dev/null", "http://127.0.0.1:8098/"]
        wait_until("another program has the port", lambda: subprocess.run(reaches).returncode == 0)
        says("a page whose port is taken is refused", with_page("0.0.0.0:8098"), 1, "in use", "--listen")
    finally:
        listener.terminate()
        listener.wait()
    says("an address of another machine is refused", with_page("10.77.0.2:8080"), 1, "not an address of this machine", "10.77.0.1")
    says("a name that nobody has is refused", with_page("nobody.invalid:8080"), 1, "No machine has the name")
    says("an IPv6 address without brackets is refused", with_page("::1:8080"), 2, "brackets")
    check("such a start leaves nothing", not os.path.exists(machine.data + ".refused"))


def look(visitor, base, code):
    check("who has not scanned the code sees nothing", all(visitor.open(f"{base}/api/v1/{path}")[0] == 403 for path in PATHS))
    check("a wrong code lets nobody in", visitor.open(f"{base}/aaaaaaaa")[0] == 403)
    status, page = visitor.open(f"{base}/{code}")
    check("the code lets a browser in", status == 200 and 'class="visitor"' in page, status)
    status, text = visitor.open(f"{base}/api/v1/visit")
    check("and its cookie from then on", status == 200 and json.loads(text)["title"] == "Street party", text[:80])
    status, _ = visitor.open(f"{base}/api/v1/visit", "-H", "Host: elsewhere.example")
    check("by another name nobody is answered", status == 421, status)


def follow(visitor, base, member):
    """A photo that is shared while somebody looks on comes to the page, and the page is told of it."""
    heard = os.path.join(WORK, "visitor.stream")
    stream = visitor.watch(f"{base}/api/v1/stream", heard)
    text = lambda: open(heard).read()
    try:
        wait_until("the stream begins", text)
        begin = time.monotonic()
        photo = member.share(pictures.make_photos(os.path.join(WORK, "shown"), 1)[0])["id"]
        thumbnail = lambda: visitor.open(f"{base}/api/v1/media/{photo}/thumbnail", "-o", "/dev/null")[0] == 200
        wait_until("the photo", thumbnail)
        measure("a visitor sees a photo after a member has shared it", time.monotonic() - begin, 3)
        wait_until("the page is told", lambda: '"photo"' in text())
        check("and the page is told of it", True)
    finally:
        stream.terminate()
        stream.wait()
    return photo


def change_nothing(visitor, base, photo, founder):
    wait_until("the founder has the photo", lambda: founder.find(f"photos/{photo}"))
    said = json.dumps({"target": photo, "text": "I was here"})
    options = ["-H", "Content-Type: application/json", "-d", said]
    answers = [
        visitor.open(f"{base}/api/v1/comments", *options)[0],
        visitor.open(f"{base}/api/v1/faves/{photo}", "-X", "PUT")[0],
        visitor.open(f"{base}/api/v1/photos/{photo}", "-X", "DELETE")[0],
    ]
    check("a visitor writes nothing", answers == [403] * 3, answers)
    of_node = [visitor.open(f"{base}/api/v1/{path}")[0] for path in ("status", "dump", "invitation", "peers")]
    check("nor sees anything of the node", of_node == [404] * 4, of_node)
    shown = founder.get(f"photos/{photo}")
    check("the photo is as it was", shown["comments"] == 0 and shown["faves"] == 0)


def keep_private(visitor, base, founder, machine):
    """A private moment to which the door itself is invited by mistake; what everybody sees comes after it."""
    person = machine.get("status")["person"]
    wait_until("the founder has met it", lambda: person in [one["id"] for one in founder.get("people")["people"]])
    secret = founder.ask("POST", "moments", {**moment(), "title": SECRET, "private": True})["id"]
    founder.ask("POST", f"moments/{secret}/guests", {"people": [person]})
    founder.comment(secret, SECRET)
    public = founder.ask("POST", "moments", moment())["id"]
    sees = lambda: [one["id"] for one in json.loads(visitor.open(f"{base}/api/v1/moments")[1])["moments"]]
    _, ids = wait_until("the public moment", lambda: public in sees() and sees())
    whole = lambda: machine.get("status")["sync"]["records"] == founder.get("status")["sync"]["records"]
    wait_until("all has come", whole)
    texts = [visitor.open(f"{base}/api/v1/{path}")[1] for path in PATHS]
    check("of a private moment visitors see nothing", ids == [public] and not any(SECRET in text for text in texts), ids)
    status = visitor.open(f"{base}/api/v1/moments/{secret}")[0]
    check("nor by its address", status == 404, status)


def stop_and_start(visitor, base, machine):
    code = machine.stop()
    check("SIGTERM ends it in order", code == 0, f"exit {code}")
    before = machine.poster()
    machine.start()
    took, _ = wait_until("it shows the event again", lambda: visitor.open(f"{base}/api/v1/visit")[0] == 200)
    check("without a link it goes on, for those who looked before", machine.poster() == before, f"{took:.2f} s")


def close(visitor, base, founder, machine):
    person = machine.get("status")["person"]
    begin = time.monotonic()
    says("a host takes it out", founder.cli("people", "remove", "--yes", person), 0, "removed")
    wait_until("the page is closed", lambda: visitor.open(f"{base}/api/v1/visit")[0] == 403)
    measure("visitors see nothing any more after a host took it out", time.monotonic() - begin, 3)
    answers = [visitor.open(f"{base}/api/v1/{path}") for path in PATHS]
    check("whatever they open", all(status == 403 and "closed this page" in text for status, text in answers), answers[0])
    wait_until("its operator is told", lambda: "removed this door from the event" in machine.log_text())
    check("its operator is told, and the poster is gone", not machine.poster())
