# SPDX-License-Identifier: Apache-2.0
"""What an operator does: settings, ending in order, health, looking at stored data, mending it, backups."""

import glob
import json
import os
import pty
import random
import shutil
import signal
import subprocess
import threading
import time

from mishaps import says
import pictures
from nodes import LAN, MINGLE, WORK, LocalConnection, Node, wait_until
from relays import Relay, is_whole
from report import check, measure

# How often each is killed.
KILLS = int(os.environ.get("LAN_KILLS", "8"))
# Then somebody else goes on: in an hour one person may write 6000 words.
KILLS_OF_ONE = 25


def plain(node, path):
    """What the node serves outside of its API: status and text."""
    connection = LocalConnection(os.path.join(node.data, "node.sock"))
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def settings(stage):
    node = Node(5, "olga")
    folder = os.path.join(WORK, "settings")
    os.makedirs(folder, exist_ok=True)
    file = os.path.join(folder, "mingle.conf")

    def write(text):
        with open(file, "w") as target:
            target.write(text)

    def started(*arguments, **environment):
        return subprocess.run(
            [LAN, "exec", str(node.host), "env", *(f"{k}={v}" for k, v in environment.items())]
            + [MINGLE, "run", "--data", node.data, *arguments],
            capture_output=True,
            text=True,
            timeout=20,
        )

    write("# a remark\npeer-prot = 1\n")
    says("a setting that is none is named with the nearest", started("--config", file), 2, "line 2", "peer-prot", "'peer-port'")
    write("log-level = loud\n")
    says("a value that is none is named", started("--config", file), 2, "line 1", "loud", "log-level")
    write("peer = 10.9.8.7:4781\npeer = nohost\n")
    says("an address of a peer that is none is named", started("--config", file), 2, "line 2", "nohost", "peer")
    write("port = 4999\npeer = 10.9.8.7:4781\npeer = 10.9.8.8:4781\nport = 4998\n")
    says("a setting that stands twice is named", started("--config", file), 2, "line 4", "'port'", "line 1")
    write("just words\n")
    says("a line that is none is named", started("--config", file), 2, "line 1", "KEY = VALUE")
    says("a variable that is none is named", started(MINGLE_PEER_PROT="1"), 2, "MINGLE_PEER_PROT", "peer-port")
    says("a file that is not there is named", started("--config", file + "x"), 2, "mingle.confx")

    write("log-level = debug\nlog-format = json\nmetrics = 127.0.0.1:9478\n")
    node.start("--config", file)
    lines = [line for line in node.log_text().splitlines() if line.startswith("{")]
    check("a log in JSON is one", bool(lines) and all(json.loads(line)["level"] for line in lines), f"{len(lines)} lines")
    address = [LAN, "exec", str(node.host), "curl", "-s", "http://127.0.0.1:9478"]
    metrics = subprocess.run([*address[:-1], address[-1] + "/metrics"], capture_output=True, text=True).stdout
    check("metrics are served apart", "mingle_build_info" in metrics, f"{len(metrics)} bytes")
    other = subprocess.run([*address[:-1], address[-1] + "/api/v1/status"], capture_output=True, text=True).stdout
    check("and nothing else is", "not-found" in other, other[:100])

    # The ports stand on the command line, which goes before the file.
    write("log-level = warning\nlog-format = text\nport = 4999\nno-discovery = true\n")
    before = len(node.log_text())
    node.process.send_signal(signal.SIGHUP)
    told = lambda: node.log_text()[before:]
    took, _ = wait_until("the settings are read", lambda: "'no-discovery' has changed" in told(), 10)
    check("SIGHUP reads the settings again, and says what needs a restart", "'metrics' has changed" in told(), f"{took:.2f} s")
    check("and what the command line says goes on", "'port'" not in told())
    write("nonsense = 1\n")
    before = len(node.log_text())
    node.process.send_signal(signal.SIGHUP)
    wait_until("the mistake is told", lambda: "stay in effect" in told(), 10)
    check("a file that has become wrong changes nothing", "nonsense" in told() and node.is_running(), told().strip()[:200])
    node.stop()


def ending(stage):
    """The founder has two links and takes an upload while it is told to end."""
    node = Node(5, "pia").start()
    node.ask("POST", "join", {"link": stage.link})
    big = os.path.join(WORK, "settings", "pipe")
    os.makedirs(os.path.dirname(big), exist_ok=True)

    ended = threading.Event()

    def upload():
        connection = LocalConnection(os.path.join(node.data, "node.sock"))
        try:
            connection.putrequest("PUT", "/api/v1/photos?name=a.jpg")
            connection.putheader("Content-Length", str(1 << 30))
            connection.endheaders()
            while not ended.wait(0.01):
                connection.send(b"x" * 65536)
        except OSError:
            pass

    thread = threading.Thread(target=upload, daemon=True)
    thread.start()
    wait_until("the upload goes on", lambda: glob.glob(os.path.join(node.data, "uploads", "*")))
    begin = time.monotonic()
    code = node.stop(signal.SIGTERM, 20)
    ended.set()
    measure("SIGTERM ends a node in the midst of an upload", time.monotonic() - begin, 5.5, note=f"exit {code}", tolerance=1.3)
    left = [name for name in ("node.sock",) if os.path.exists(os.path.join(node.data, name))]
    check("and leaves no socket behind", not left, left)
    begin = time.monotonic()
    node.start()
    code = node.stop(signal.SIGTERM, 20)
    check("an idle node ends with 0", code == 0, f"{time.monotonic() - begin:.2f} s with its start")
    terminal, its_end = pty.openpty()
    node.launch(stdin=its_end)
    node.await_start(20)
    code = node.stop(signal.SIGHUP, 20)
    check("a node whose terminal is closed ends in order", code == 0, f"exit {code}")
    os.close(terminal)
    os.close(its_end)


def watching(stage):
    status, text = plain(stage.founder, "/health/live")
    check("a node lives", status == 200 and text == "alive\n")
    status, text = plain(stage.founder, "/health/ready")
    check("and is ready", status == 200 and json.loads(text) == {"ready": True, "reasons": []}, text)
    status, text = plain(stage.founder, "/metrics")
    held = [line for line in text.splitlines() if line.startswith("mingle_deltas{")]
    events = stage.founder.get("status")["events"]
    tells = status == 200 and len(held) == len(events) and not any(event["title"] in text for event in events)
    check("metrics tell how much is held, and no titles", tells, held)


def killed(stage):
    """A node that writes all the time is killed at random points; what is stored is sound each time."""
    dice, found, lost, said, idle = random.Random(3), [], 0, 0, 0
    for first in range(0, KILLS, KILLS_OF_ONE):
        if first:
            stage.busy.stop()
        node = stage.busy = Node(6, f"quin{first}").start()
        node.ask("POST", "join", {"link": stage.link})
        acknowledged = set()
        for number in range(first, min(first + KILLS_OF_ONE, KILLS)):
            words = killed_once(stage, node, number, dice.uniform(0.05, 0.6))
            idle += not words
            acknowledged |= words
            verdict = node.cli("verify", "--json")
            if verdict.returncode != 0 or json.loads(verdict.stdout)["events"][0]["skipped"]:
                found.append(verdict.stdout + verdict.stderr)
            node.start()
        said += len(acknowledged)
        lost += len(acknowledged - all_comments(node, stage.photo))
    check(f"verify is clean after each of {KILLS} kills", not found, found[:1] or f"{said} comments acknowledged")
    check("it wrote before nearly all of them", idle <= KILLS // 8, f"nothing acknowledged before {idle}")
    check("nothing that was acknowledged is lost", lost == 0, f"{lost} lost of {said}")


def killed_once(stage, node, number, after):
    """Kills a node that comments `after` so many seconds; returns what it has acknowledged."""
    stop, said = threading.Event(), set()

    def talk():
        while not stop.is_set():
            text = f"word {number} {len(said)}"
            try:
                node.comment(stage.photo, text)
            except Exception:
                return
            said.add(text)

    wait_until("the photo", lambda: node.find(f"photos/{stage.photo}"))
    thread = threading.Thread(target=talk)
    thread.start()
    # At any moment, unless the talking has ended before.
    stop.wait(after)
    node.kill()
    stop.set()
    thread.join()
    return said


def all_comments(node, photo):
    """The texts of all comments on a photo, page by page."""
    texts, cursor = set(), None
    while True:
        answer = node.get(f"comments?target={photo}" + (f"&before={cursor}" if cursor else ""))
        texts |= {comment["text"] for comment in answer["comments"]}
        cursor = answer.get("next")
        if not cursor:
            return texts


def cell_places(data, page=8192):
    """Where the cells of larger trees stand: what lies in gaps means nothing, and without its schema or its few devices nothing
    can be saved of a database."""
    places = []
    for start in range(page, len(data) - page + 1, page):
        kind, cells, content = data[start], data[start + 3] << 8 | data[start + 4], data[start + 5] << 8 | data[start + 6]
        is_schema = b"CREATE " in data[start : start + page]
        if kind in (2, 5, 10, 13) and cells >= 10 and not is_schema:
            places += range(start + content, start + page - 8)
    return places


def mended(stage):
    node = stage.busy
    wait_until("all is held by somebody else", lambda: node.dump() == stage.founder.dump(), 60)
    expected = node.dump()
    node.stop()
    [database] = glob.glob(os.path.join(node.data, "events", "*", "replica.sqlite"))
    dice = random.Random(5)
    with open(database, "r+b") as file:
        for place in dice.sample(cell_places(file.read()), 3):
            file.seek(place)
            byte = file.read(1)[0]
            file.seek(place)
            file.write(bytes([byte ^ (1 << dice.randrange(8))]))
    says("verify finds three flipped bits", node.cli("verify"), 15, "DAMAGED", "mingle repair")
    node.start("--peer", stage.founder.address)
    begin = time.monotonic()
    result = node.cli("repair", "--wait", "60", seconds=90)
    says("repair of the running node mends them", result, 0, "database: rebuilt")
    measure("and says so when all has come", time.monotonic() - begin, 10)
    wait_until("all is as it was", lambda: node.dump() == stage.founder.dump(), 60)
    check("what one peer has comes back", set(expected.splitlines()) <= set(node.dump().splitlines()), f"{time.monotonic() - begin:.1f} s")
    says("and is sound", node.cli("verify"), 0, "no damage")
    node.stop()
    for name in glob.glob(database + "*"):
        os.remove(name)
    says("verify misses a database that is gone, and makes none", node.cli("verify"), 15, "it is missing", "mingle repair")
    check("nor does it leave one", not os.path.exists(database))
    with open(database, "wb") as file:
        file.write(dice.randbytes(100_000))
    says("a folder is repaired where no node runs", node.cli("repair", "--wait", "0"), 3, "empty", "new device")
    node.start("--peer", stage.founder.address)
    took, _ = wait_until("everything comes again", lambda: node.dump() == stage.founder.dump(), 60)
    check("a database of which nothing is left comes again from one peer", True, f"{took:.1f} s")


def backups(stage):
    node, folder = Node(5, "rosa").start(), os.path.join(WORK, "backups")
    node.ask("POST", "join", {"link": stage.link})
    wait_until("the photo", lambda: node.find(f"photos/{stage.photo}"))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    talking = threading.Event()

    def talk():
        number = 0
        while not talking.is_set():
            node.comment(stage.photo, f"during the backup {number}")
            number += 1

    thread = threading.Thread(target=talk)
    thread.start()
    result = node.cli("backup", os.path.join(folder, "day"))
    talking.set()
    thread.join()
    says("a node that writes is backed up", result, 0, "1 event,")
    says("a second one lies beside it", node.cli("backup", os.path.join(folder, "day")), 0, "1 event,")
    check("and both stay", len(glob.glob(os.path.join(folder, "day", "*Z*", "manifest.json"))) == 2)
    says("a folder in use is not restored to", node.cli("restore", os.path.join(folder, "day")), 11, "another mingle node")
    node.stop()
    says("nor one that is not empty", node.cli("restore", os.path.join(folder, "day")), 1, "not empty")
    shutil.copytree(os.path.join(folder, "day"), os.path.join(folder, "short"))
    for database in glob.glob(os.path.join(folder, "short", "*", "events", "*", "replica.sqlite")):
        os.truncate(database, os.path.getsize(database) // 2)
    new = Node(5, "sara").start()
    new.stop()
    says("a backup is restored to where a node ran without an event", new.cli("restore", os.path.join(folder, "day")), 0)
    shutil.rmtree(new.data)
    says("a backup cut short is refused", new.cli("restore", os.path.join(folder, "short")), 15, "is damaged", "replica.sqlite")
    check("and leaves nothing", not os.path.exists(new.data))
    shutil.rmtree(node.data)
    says("a backup is restored", new.cli("restore", os.path.join(folder, "day")), 0, "Start the node as before")
    modes = {oct(os.stat(path).st_mode & 0o777) for path in glob.glob(new.data + "/**", recursive=True)}
    check("to private files", modes <= {"0o700", "0o600"}, modes)
    new.start("--peer", stage.founder.address)
    took, _ = wait_until("it is in sync", lambda: new.dump() == stage.founder.dump(), 60)
    check("it gets what was shared since", True, f"{took:.1f} s")
    new.comment(stage.photo, "back from the backup")
    wait_until("its words", lambda: "back from the backup" in stage.founder.comments(stage.photo))
    warnings = [warning for one in (new, stage.founder) for warning in one.get("status")["warnings"] if "copied" in warning]
    check("it goes on as a new device, and nobody is confused", not warnings, warnings)
    new.stop()


def relay_killed(stage):
    """A relay is killed at random points while somebody shares: what it said that it holds, it holds afterwards."""
    link = stage.founder.ask("POST", "invitations", {"level": "relay", "uses": 1})["link"]
    machine = Relay(7, "felled").start(link)
    wait_until("the relay is let in", lambda: machine.event["state"] == "relaying")
    folder = os.path.join(WORK, "felled-photos")
    dice, stop, faults, shared = random.Random(4), threading.Event(), [], [0, 0]

    def talk():
        while not stop.is_set():
            if shared[0] % 40 == 0:
                # What one shared already is not shared again.
                stage.founder.share(pictures.make_photos(folder, 1, first=shared[0])[0])
                shared[1] += 1
            stage.founder.comment(stage.photo, f"while the relay falls {shared[0]}")
            shared[0] += 1
            # Two hundred rounds take minutes, and in an hour one person may write 6000 words.
            stop.wait(0.02)

    thread = threading.Thread(target=talk)
    thread.start()
    for number in range(KILLS):
        stop.wait(dice.uniform(0.02, 0.4))
        before = machine.event
        machine.kill()
        verdict = machine.cli("verify", "--json")
        machine.start(link)
        after = machine.event
        lost = {part: (before[part], after[part]) for part in ("deltas", "blobs") if after[part] < before[part]}
        if verdict.returncode != 0 or lost:
            faults.append((number, lost, verdict.stdout + verdict.stderr))
    stop.set()
    thread.join()
    note = f"{shared[0]} comments and {shared[1]} photos shared meanwhile"
    check(f"a relay that was killed {KILLS} times lost nothing that it held, and verify was clean", not faults, faults[:1] or note)
    took, _ = wait_until("the relay is whole", lambda: is_whole(machine, stage.founder), 120)
    check("and holds all that was shared", True, f"{took:.1f} s, {machine.event['deltas']} deltas, {machine.event['blobs']} blobs")
    says("and is sound", machine.cli("verify"), 0, "no damage")
    machine.stop()


def venue(stage):
    """A relay as the Debian package starts it: a file has its link and limits. It is copied, and put back after its end."""
    folder = os.path.join(WORK, "venue-files")
    os.makedirs(folder, exist_ok=True)
    file, copy = os.path.join(folder, "relay.conf"), os.path.join(folder, "copy")
    link = stage.founder.ask("POST", "invitations", {"level": "relay", "uses": 1})["link"]

    def write(days):
        with open(file, "w") as target:
            target.write(f"link = {link}\nkeep-days = {days}\nmetrics = 127.0.0.1:9479\nlog-level = info\n")

    write(30)
    machine = Relay(7, "venue").start("--config", file)
    took, _ = wait_until("the relay is let in", lambda: machine.event["state"] == "relaying")
    policy = machine.get("status")["relay"]["policy"]
    check("a relay takes its link and limits from a file", policy["days"] == 30, f"{took:.2f} s, {policy}")
    holds_all = lambda: machine.event["state"] == "relaying" and machine.event["blobs"] and not machine.event["blobs_waiting"]
    wait_until("it holds the photo", holds_all, 60)
    address = [LAN, "exec", str(machine.host), "curl", "-s", "http://127.0.0.1:9479/metrics"]
    metrics = subprocess.run(address, capture_output=True, text=True).stdout
    check("its metrics are served, and tell no words", "mingle_deltas{" in metrics and "Mishaps" not in metrics, f"{len(metrics)} bytes")
    status, text = plain(machine, "/health/ready")
    check("it is ready", status == 200, text)
    write(31)
    machine.process.send_signal(signal.SIGHUP)
    told = lambda: "'keep-days' has changed" in machine.log_text()
    took, _ = wait_until("the settings are read", told, 10)
    check("SIGHUP says that limits need a restart", machine.is_running(), f"{took:.2f} s")
    says("its data is sound", machine.cli("verify"), 0, "no damage")
    says("it is backed up while it runs", machine.cli("backup", copy), 0, "1 event,")
    machine.kill()
    shutil.rmtree(machine.data)
    says("the backup is put back", machine.cli("restore", copy), 0, "Start the node as before")
    machine.start("--config", file)
    is_well = lambda: holds_all() and not machine.get("status")["warnings"]
    took, _ = wait_until("it carries the event again, and warns of nothing", is_well, 60)
    check("and it carries the event again, as a new device", True, f"{took:.1f} s")
    check("with the new limits", machine.get("status")["relay"]["policy"]["days"] == 31)
    code = machine.stop()
    check("SIGTERM ends it in order", code == 0, f"exit {code}")
