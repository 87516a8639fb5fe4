# SPDX-License-Identifier: Apache-2.0
"""What people get wrong and what machines do to them, through the command line: each has its exit code and says why."""

import glob
import os
import random
import select
import shutil
import sqlite3
import subprocess
import threading
import time
from datetime import datetime, timezone

import pictures
from event import new_moment
from nodes import WORK, Node, NeverHappened, lan, read_link, wait_until, write_link
from report import check, measure


def says(what, result, code, *words):
    """A refusal with its exit code, one that explains itself and shows no insides."""
    text = (result.stdout + result.stderr).strip()
    explained = all(word.lower() in text.lower() for word in words) and "Error(" not in text and "errno" not in text
    return check(what, result.returncode == code and explained, f"exit {result.returncode}: {tidy(text)}")


def tidy(text):
    """What was said in one line, without what every join says."""
    return " | ".join(line for line in text.splitlines() if line and not line.startswith("Looking for"))[:400]


class Stage:
    """Two nodes of an event, and a third that is in none."""

    def __init__(self):
        self.founder = Node(1, "fay").start()
        self.member = Node(2, "gus").start()
        self.guest = Node(3, "hal").start()
        self.founder.ask("POST", "events", {"title": "Mishaps"})
        self.link = self.founder.invitation()
        self.member.ask("POST", "join", {"link": self.link})
        self.lonely = None
        self.folder = os.path.join(WORK, "mishaps")
        os.makedirs(self.folder, exist_ok=True)
        self.picture = pictures.make_photos(self.folder, 1)[0]
        self.photo = self.founder.share(self.picture)["id"]


def bad_links(stage):
    guest, founder = stage.guest, stage.founder
    says("a link that is none is refused", guest.cli("join", "https://example.org/"), 2, "mingle://join/")
    says("a shortened link is refused", guest.cli("join", stage.link[:-5]), 2, "damaged")
    says("a link with a wrong letter is refused", guest.cli("join", changed(stage.link)), 2, "damaged")
    says("an empty link is refused", guest.cli("join", ""), 2, "invitation")
    parts = read_link(stage.link)
    stranger = write_link(parts["event"], parts["psk"], os.urandom(32), parts["hints"])
    says("a link that nobody issued is refused", guest.cli("join", stranger), 12, "let you in")

    foreign = {}
    other = write_link(os.urandom(32), os.urandom(32), os.urandom(32), parts["hints"])
    thread = threading.Thread(target=lambda: foreign.update(result=guest.cli("join", other)))
    thread.start()
    stage.lonely = thread, foreign

    short = founder.ask("POST", "invitations", {"expires_in_seconds": 1})
    ends = datetime.fromisoformat(short["expires"])
    once = founder.ask("POST", "invitations", {"uses": 1})["link"]
    wait_until("the link expires", lambda: datetime.now(timezone.utc) > ends)
    kim = Node(4, "kim").start()
    lea = Node(3, "lea", shift=1).start()
    says("an expired link is refused", kim.cli("join", short["link"]), 12, "let you in", "expired")
    known = len(founder.get("people")["people"])
    says("a link for one lets one in", kim.cli("join", once), 0, "Joined")
    wait_until("the founder knows who came", lambda: len(founder.get("people")["people"]) > known)
    says("a link for one lets no second in", lea.cli("join", once), 12, "let you in", "use")
    says("who was refused can come by another link", lea.cli("join", stage.link), 0, "Joined")
    kim.stop()
    lea.stop()


def nobody_there(stage):
    """What began with the bad links, and took half a minute, ends here."""
    if not stage.lonely:
        return
    stage.lonely[0].join()
    guest = stage.guest
    says("a link of an event that nobody here runs", stage.lonely[1]["result"], 5, "no participant", "30 seconds")
    left = os.listdir(os.path.join(guest.data, "events"))
    check("a failed join leaves no event behind", not guest.get("events")["events"] and not left, left)


def changed(link):
    return link[:60] + ("a" if link[60] != "a" else "b") + link[61:]


def bad_files(stage):
    founder = stage.founder
    text, cut, empty = (os.path.join(stage.folder, name) for name in ("text.jpg", "cut.jpg", "empty.jpg"))
    with open(text, "w") as file:
        file.write("This is no picture.\n" * 50)
    with open(stage.picture, "rb") as file, open(cut, "wb") as other:
        other.write(file.read()[:200_000])
    open(empty, "w").close()
    says("a text file is no photo", founder.cli("photo", "add", text), 1, "picture")
    says("an empty file is no photo", founder.cli("photo", "add", empty), 1, "empty")
    says("a truncated JPEG is no photo", founder.cli("photo", "add", cut), 1)
    says("a file that is not there", founder.cli("photo", "add", "/nowhere.jpg"), 4, "/nowhere.jpg")
    says("of two files one is shared", founder.cli("photo", "add", text, stage.picture), 3, "Shared")
    start = "2026-06-20T18:00Z"
    end = "2026-06-20T17:00Z"
    says("a moment that ends before it starts", founder.cli("moment", "create", "Odd", "--place", "Bar", "--at", "52.5,13.4", "--start", start, "--end", end), 2, "end")
    says("a position that is none", founder.cli("moment", "create", "Odd", "--place", "Bar", "--at", "152.5,13.4"), 2)
    says("a comment on nothing", founder.cli("comment", "nothing", "hello"), 4)
    wait_until("the photo", lambda: stage.member.find(f"photos/{stage.photo}"))
    says("deleting another's photo is refused", stage.member.cli("photo", "delete", "--yes", stage.photo), 12)
    says("a member makes no invitation", stage.member.cli("invite", "--new"), 12, "Ask a host")
    says("asking without a node", founder.cli("status", data=os.path.join(WORK, "nobody")), 10, "mingle run")
    check("the node goes on", founder.is_well())


def taken(stage):
    founder = stage.founder
    says("a second node on one data folder", founder.cli("run", "--port", "0"), 11, founder.data)
    says("the page's port is in use", run_elsewhere(stage, "--port", "4780", "--peer-port", "47805"), 1, "4780", "--port")
    says("the peers' port is in use", run_elsewhere(stage, "--port", "0", "--peer-port", "47800"), 1, "47800", "--peer-port")
    check("the first node goes on", founder.is_well())
    tells_where(stage)


def run_elsewhere(stage, *options):
    """Starts another node beside the founder's, which should end by itself."""
    data = os.path.join(WORK, "beside")
    try:
        return stage.founder.cli("run", *options, data=data, seconds=10)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess([], None, "it runs", "")


def tells_where(stage):
    """Programs that start a node read from a pipe where its page is."""
    process = stage.founder.popen("run", "--port", "0", "--peer-port", "47806", "--no-discovery", data=os.path.join(WORK, "piped"))
    ready, _, _ = select.select([process.stdout], [], [], 5)
    text = process.stdout.readline() if ready else ""
    process.terminate()
    process.communicate()
    check("a node says through a pipe where its page is", "http://127.0.0.1:" in text, text.strip() or "nothing within 5 s")


def copied_folder(stage):
    """One data folder on two hosts: each goes on as a device of its own."""
    founder, member = stage.founder, stage.member
    stage.guest.stop()
    wait_until("records", lambda: founder.dump() == member.dump())
    member.comment(stage.photo, "before the copy")
    wait_until("the comment", lambda: "before the copy" in founder.comments(stage.photo))
    member.stop()
    twin = Node(3, "gus-copy")
    shutil.copytree(member.data, twin.data, ignore=shutil.ignore_patterns("node.sock"))
    # Both speak while they cannot see each other: the same journal forks.
    lan("cut", 3)
    member.start()
    twin.start()
    for number in range(5):
        member.comment(stage.photo, f"original {number}")
        twin.comment(stage.photo, f"copy {number}")
    lan("heal", 3)
    nodes = [founder, member, twin]
    begin = time.monotonic()
    expected = {f"{who} {number}" for who in ("original", "copy") for number in range(5)} | {"before the copy"}
    try:
        wait_until("equal dumps", lambda: all(expected <= node.comments(stage.photo) for node in nodes) and founder.dump() == member.dump() == twin.dump(), 30)
    except NeverHappened:
        pass
    took = time.monotonic() - begin
    lost = {node.name: sorted(expected - node.comments(stage.photo)) for node in nodes}
    check("a copied folder: nothing said on either copy is lost", not any(lost.values()), lost)
    check("a copied folder: dumps are equal", founder.dump() == member.dump() == twin.dump(), f"{took:.1f} s after they met")
    try:
        member.comment(stage.photo, "after, original")
        twin.comment(stage.photo, "after, copy")
        later = {"after, original", "after, copy"}
        took, _ = wait_until("later comments", lambda: all(later <= node.comments(stage.photo) for node in nodes), 30)
        check("a copied folder: both go on", True, f"{took:.2f} s")
    except Exception as error:
        check("a copied folder: both go on", False, error)
    warnings = [text for node in (member, twin) for text in node.get("status")["warnings"]]
    check("a copied folder: somebody is told", any("copied" in text for text in warnings), warnings)
    for node in (member, twin):
        node.stop()
        node.start()
    try:
        took, _ = wait_until("equal dumps", lambda: founder.dump() == member.dump() == twin.dump(), 15)
        check("a copied folder: still equal after a restart", all(expected <= node.comments(stage.photo) for node in nodes), f"{took:.1f} s")
    except NeverHappened as error:
        check("a copied folder: still equal after a restart", False, error)
    twin.stop()


def full_disk(stage):
    """`small` is a file system of 64 MB that the runner mounted before the hosts were made."""
    small = os.path.join(WORK, "small")
    stage.guest.stop()
    nina = Node(3, "nina", os.path.join(small, "nina")).start()
    nina.ask("POST", "join", {"link": stage.link})
    wait_until("photo", lambda: (nina.find(f"photos/{stage.photo}") or {"held": {}})["held"].get("original"))
    filler = os.path.join(small, "filler")
    noise = pictures.make_noise(os.path.join(stage.folder, "noise.png"), 2600)
    fill(filler, leaving=8 << 20)
    says("a photo for which there is no room", nina.cli("photo", "add", noise), 14, "space")
    check("the node survives a full disk", nina.is_well())
    fill(filler, leaving=0)
    result = nina.cli("comment", stage.photo, "no room for words")
    check("a comment without any room is refused, or kept", result.returncode in (0, 14), f"exit {result.returncode}: {result.stderr.strip()}")
    says("a photo without any room", nina.cli("photo", "add", stage.picture), 14, "space")
    words = "said while Nina's disk was full"
    stage.founder.comment(stage.photo, words)
    other = stage.founder.share(pictures.make_photos(stage.folder, 2)[1])["id"]
    # She has been offered both, and taken the words or failed to.
    wait_until("the others have both", lambda: (stage.member.find(f"photos/{other}") or {"held": {}})["held"].get("original"))
    is_warned = lambda: any("disk is full" in warning for warning in nina.get("status")["warnings"])
    wait_until("Nina tries", lambda: words in nina.comments(stage.photo) or is_warned())
    check("the node survives a disk without a byte", nina.is_well())
    os.remove(filler)
    took, _ = wait_until("words", lambda: words in nina.comments(stage.photo), 60)
    measure("words arrive after there is room again", took, 15)
    took, _ = wait_until("photo", lambda: (nina.find(f"photos/{other}") or {"held": {}})["held"].get("original"), 60)
    measure("photos arrive after there is room again", took, 15)
    says("a photo is shared after there is room again", nina.cli("photo", "add", stage.picture), 0, "Shared")
    left = [os.path.join(folder, name) for folder in ("uploads", "importing") for name in list_folder(os.path.join(nina.data, folder))]
    check("nothing half-done is left behind", not left, left)
    took, _ = wait_until("equal dumps", lambda: nina.dump() == stage.founder.dump(), 30)
    check("dumps are equal after the full disk", True, f"{took:.2f} s later")
    fill(filler, leaving=0)
    nina.stop()
    try:
        nina.start()
        check("a node starts on a full disk, or says why not", True, "it starts")
    except NeverHappened as error:
        check("a node starts on a full disk, or says why not", "space" in nina.log_tail().lower(), error)
    if nina.is_running():
        nina.stop()
    os.remove(filler)


def list_folder(path):
    return os.listdir(path) if os.path.isdir(path) else []


def fill(path, leaving):
    """Takes all room of the file's disk but so many bytes."""
    # Without a buffer, whose rest would fail once more when the file is closed: others take room meanwhile.
    with open(path, "ab", 0) as file:
        stat = os.statvfs(os.path.dirname(path))
        left = stat.f_bavail * stat.f_frsize - leaving
        try:
            while left > 0:
                left -= file.write(b"x" * min(left, 1 << 20))
        except OSError:
            pass


def damaged_database(stage):
    member = stage.member
    member.stop()
    for where in ("the middle", "the first page"):
        [database] = glob.glob(os.path.join(member.data, "events", "*", "replica.sqlite"))
        with sqlite3.connect(database) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        kept = database + ".kept"
        shutil.copy(database, kept)
        size = os.path.getsize(database)
        dice = random.Random(1)
        with open(database, "r+b") as file:
            if where == "the middle":
                for page in range(4, size // 4096, 2):
                    file.seek(page * 4096)
                    file.write(dice.randbytes(4096))
            else:
                file.write(dice.randbytes(4096))
        offset = len(member.log_text())
        try:
            member.start()
            answers = [member.cli("status"), member.cli("news"), member.cli("photo", "list"), member.cli("doctor")]
            told = "\n".join(answer.stdout + answer.stderr for answer in answers)
            running = member.is_running()
        except NeverHappened as error:
            told, running = str(error), False
        told += member.log_text()[offset:]
        helpful = any(word in told.lower() for word in ("damaged", "corrupt", "malformed", "not a database"))
        advises = any(word in told.lower() for word in ("join again", "move", "delete", "restore", "leave", "mend"))
        check(
            f"a database damaged in {where}: the node says so and what to do",
            helpful and advises,
            ("runs; " if running else "ended; ") + told.strip().replace("\n", " | ")[:500],
        )
        if member.is_running():
            check(f"a database damaged in {where}: the node stops in order", member.stop() == 0)
        shutil.move(kept, database)
        for extra in ("-wal", "-shm"):
            if os.path.exists(database + extra):
                os.remove(database + extra)
