# SPDX-License-Identifier: Apache-2.0
"""A door comes in by a guests' link; on another machine somebody scans its code, sees what is shared from then on and nothing
that is private, and changes nothing, until a host takes the door out. Another door comes in by a link for doors; two people share
and comment with browsers, until a host removes one of them. Nothing that lets anybody in is in a log."""

import glob
import json
import os
import subprocess
import time

import pictures
from mishaps import says
from nearby import moment
from nodes import LAN, MINGLE, RUNNING, WORK, Node, wait_until
from report import check, measure

PAGE = 8080
SECRET = "canary-of-a-private-moment"
PATHS = ["visit", "feed", "people", "photos", "moments"]


class Door(Node):
    """The machine beside the screen; its link comes by standard input."""

    def launch(self, link=None, *options):
        given = os.path.join(WORK, f"{self.name}.link")
        with open(given, "w") as file:
            file.write(f"{link or ''}\n")
        with open(self.log, "ab") as log, open(given) as stdin:
            self.process = subprocess.Popen(
                [LAN, "exec", str(self.host), MINGLE, "door", "--data", self.data, "--log-level", "debug"]
                + ["--peer-port", str(self.peer_port), *(["-"] if link else []), *options],
                stdout=log,
                stderr=log,
                stdin=stdin,
            )
        RUNNING.append(self)

    def await_start(self, seconds):
        wait_until(f"{self.name} starts", self.is_up, seconds)
        return self

    def poster(self):
        """The addresses on the poster, or none while there is no poster."""
        try:
            with open(os.path.join(self.data, "door.txt")) as file:
                return file.read().split()
        except FileNotFoundError:
            return []


class Visitor:
    """Somebody with a browser on one of the LAN's hosts."""

    def __init__(self, host, name="visitor"):
        self.host = host
        self.jar = os.path.join(WORK, f"{name}-{host}.jar")

    def cookie(self):
        """The secret that the browser keeps."""
        with open(self.jar) as file:
            return next(line.split()[-1].split(".")[0] for line in file if "mingle-" in line)

    def command(self, url, *options):
        return [LAN, "exec", str(self.host), "curl", "-s", "-b", self.jar, "-c", self.jar, *options, url]

    def open(self, url, *options):
        """The status and the text behind an address; 0 if nobody answers."""
        command = self.command(url, "-m", "20", "-w", "\n%{http_code}", *options)
        text, _, status = subprocess.run(command, capture_output=True).stdout.decode(errors="replace").rpartition("\n")
        return int(status or 0), text

    def watch(self, url, path):
        with open(path, "wb") as file:
            return subprocess.Popen(self.command(url, "-N"), stdout=file, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)


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
    check("nothing private is on its disk", not on_disk(machine.data, SECRET))
    take_part(founder, member)
    for node in (founder, member, machine):
        node.stop()


def keeps_quiet(machine, code, link, visitor):
    """Nothing that lets anybody in is in the log."""
    with open(glob.glob(os.path.join(machine.data, "events", "*", "door.json"))[0]) as file:
        key = json.load(file)["key"]
    text = machine.log_text()
    lets_in = [word for word in (code, code.lower(), key, link, link[20:60], visitor.cookie()) if word in text]
    check("its log at the level debug has no code, cookie or link", "debug" in text and not lets_in, f"{len(text)} bytes")


def take_part(founder, member):
    """Two people without nodes share and comment by a door, one is removed and comes back as somebody new."""
    link = founder.ask("POST", "invitations", {"door": True})["link"]
    machine, ana, bob = Door(1, "door", shift=60), Visitor(4, "ana"), Visitor(2, "bob")
    machine.start(link, "--listen", f"0.0.0.0:{PAGE + 1}")
    base, code = wait_until("the poster", machine.poster)[1][0].rsplit("/", 1)
    for guest in (ana, bob):
        check("the code lets a browser in", guest.open(f"{base}/{code}")[0] == 200)
    file = pictures.make_photos(os.path.join(WORK, "by-phone"), 1)[0]
    status, text = ana.open(f"{base}/api/v1/photos?name=a.jpg", "-T", file)
    check("a guest shares a photo", status == 201, text[:80])
    photo = json.loads(text)
    took, _ = wait_until("a member has it", lambda: member.find(f"photos/{photo['id']}"))
    # The door may say its name a moment later.
    wait_until("members see by which door", lambda: member.find(f"photos/{photo['id']}")["author"].get("by_door") == "Door")
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


def on_disk(folder, word):
    """The files of a folder that have a word in them."""
    found = []
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            if os.path.isfile(path) and word.encode() in open(path, "rb").read():
                found.append(path)
    return found
