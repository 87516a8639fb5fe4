# SPDX-License-Identifier: Apache-2.0
"""An event as it goes: joining, photos, comments, cables pulled, the founder away, Avahi gone."""

import glob
import hashlib
import os
import time

import pictures
from nodes import WORK, Node, NeverHappened, lan, read_link, wait_until, write_link
from report import check, measure, percentile

# Seconds that a cable is away in the midst of a transfer.
OUTAGE_SECONDS = 15

PLACE = {"name": "Garden", "latitude": 52.52, "longitude": 13.405, "radius_m": 100}


class Party:
    """Three nodes of one event; the founder's is the first."""

    def __init__(self):
        self.nodes = [Node(1, "ana"), Node(2, "bob"), Node(3, "carla")]
        self.ana, self.bob, self.carla = self.nodes
        self.photo = None
        self.link = None


def new_moment(title):
    now = time.time()
    stamp = lambda seconds: time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(seconds))
    return {"title": title, "start": stamp(now - 60), "end": stamp(now + 3600), "place": PLACE}


def joining(party):
    ana, bob, carla = party.nodes
    for node in party.nodes:
        node.start()
    ana.ask("POST", "events", {"title": "LAN party"})
    party.link = ana.invitation()

    begin = time.monotonic()
    bob.ask("POST", "join", {"link": party.link})
    measure("joining by a link", time.monotonic() - begin, 2)

    without_hints = {**read_link(party.link), "hints": []}
    begin = time.monotonic()
    carla.ask("POST", "join", {"link": write_link(**without_hints)})
    measure("joining by a link without addresses, found by Avahi", time.monotonic() - begin, 2)
    for node in party.nodes:
        node.ask("PUT", "profile", {"name": node.name.capitalize()})
    took, _ = wait_until("everybody meets", lambda: all_met(party.nodes))
    check("everybody is connected to everybody", True, f"{took:.2f} s later")
    names = {"Ana", "Bob", "Carla"}
    took, _ = wait_until("names", lambda: all(names_on(node) == names for node in party.nodes))
    check("everybody knows everybody's name", True, f"{took:.2f} s later")


def names_on(node):
    return {person["name"] for person in node.get("people")["people"]}


def all_met(nodes):
    return all(node.met(*[other for other in nodes if other is not node]) for node in nodes)


def meeting_again(party):
    """A node that starts anew knows nobody's address: Avahi brings it to the others."""
    figures, codes = [], []
    for node in (party.bob, party.carla, party.bob, party.carla):
        codes.append(node.stop())
        begin = time.monotonic()
        node.start()
        wait_until("meeting again", lambda: all_met(party.nodes))
        figures.append(time.monotonic() - begin)
    check("nodes stop when they are told to", codes == [0] * len(codes), f"exit codes {codes}")
    note = f"all: {', '.join(f'{figure:.2f}' for figure in figures)} s"
    measure("from a node's start until all list each other", max(figures), 2, note=note)


def photos(party):
    paths = pictures.make_photos(os.path.join(WORK, "photos"), 12)
    expected, refused = {}, []
    if os.environ.get("MINGLE_PHOTOS"):
        paths += sorted(path for path in glob.glob(os.environ["MINGLE_PHOTOS"] + "/*") if not path.endswith(".md"))
    delays, uploads, ids = [], [], []
    for path in paths:
        begin = time.monotonic()
        try:
            photo = party.ana.share(path)
        except Exception as error:
            refused.append(f"{os.path.basename(path)}: {error}")
            continue
        uploads.append(time.monotonic() - begin)
        delays += times_until(
            [party.bob, party.carla],
            lambda node: (node.find(f"photos/{photo['id']}") or {"held": {}})["held"].get("thumbnail"),
        )
        ids.append(photo["id"])
        if path.startswith(WORK):
            expected[photo["id"]] = pictures.pixels(path)
    party.photo = ids[0]
    note = f"p50 {percentile(delays, 0.5):.3f} s of {len(delays)}; uploads took p50 {percentile(uploads, 0.5):.2f} s"
    measure("thumbnails on the others after a photo is shared, slowest", max(delays), 1, note=note)
    generated_refused = [text for text in refused if text.startswith("photo-")]
    check("every generated photo is taken", not generated_refused, "; ".join(generated_refused))
    if refused:
        check("photos that are refused are said to be so", all(": 4" in text for text in refused), "; ".join(refused))

    whole = lambda: all(
        sum(photo["held"]["original"] for photo in node.photos()) == len(ids) for node in party.nodes
    )
    took, _ = wait_until("originals", whole, 60)
    hashes = [{photo: node.original_hash(photo) for photo in ids} for node in party.nodes]
    check("originals are the same bytes on all three", hashes[0] == hashes[1] == hashes[2], f"{len(ids)} photos")
    changed = []
    for photo, shared in expected.items():
        path = os.path.join(WORK, "received.jpg")
        with open(path, "wb") as file:
            file.write(party.carla.raw("GET", f"media/{photo}/original")[1])
        if pictures.pixels(path) != shared:
            changed.append(photo)
    check("originals have the pixels that were shared", not changed, f"{len(expected)} photos")
    measure("all originals on the others after the last photo", took, 5)


def times_until(nodes, condition, limit=30):
    """For each of `nodes`, the seconds until the condition holds there."""
    begin = time.monotonic()
    times = {}

    def look():
        for node in nodes:
            if node not in times and condition(node):
                times[node] = time.monotonic() - begin
        return len(times) == len(nodes)

    try:
        wait_until("everywhere", look, limit)
    except NeverHappened as error:
        raise NeverHappened(f"{error}: {[node.name for node in nodes if node not in times]} lack it") from None
    return list(times.values())


def comments(party):
    delays = []
    for number in range(200):
        author = party.nodes[number % 3]
        others = [node for node in party.nodes if node is not author]
        text = f"comment {number}"
        begin = time.monotonic()
        author.comment(party.photo, text)
        posted = time.monotonic() - begin
        delays += [posted + delay for delay in times_until(others, lambda node: text in node.comments(party.photo))]
    note = f"p50 {percentile(delays, 0.5) * 1000:.0f} ms, slowest {max(delays) * 1000:.0f} ms, from sending it"
    measure("200 comments on the others, p99", percentile(delays, 0.99) * 1000, 100, "ms", note)


def partition(party):
    ana, bob, carla = party.nodes
    doomed_here = ana.comment(party.photo, "ana will delete this")["id"]
    doomed_there = bob.comment(party.photo, "bob will delete this")["id"]
    times_until(party.nodes, lambda node: len({"ana will delete this", "bob will delete this"} & node.comments(party.photo)) == 2)
    lan("cut", 2)
    begin = time.monotonic()
    shared = {}
    for node in party.nodes:
        for number in range(10):
            node.comment(party.photo, f"{node.name} says {number} while cut")
        shared[node] = node.ask("POST", "moments", new_moment(f"Moment of {node.name}"))["id"]
        node.comment(shared[node], "come!")
        node.ask("PUT", f"faves/{party.photo}")
        node.ask("PUT", f"faves/{shared[node]}")
    ana.ask("DELETE", f"comments/{doomed_here}")
    bob.ask("DELETE", f"comments/{doomed_there}")
    carla.ask("DELETE", f"faves/{party.photo}")
    bob.ask("PATCH", f"moments/{shared[bob]}", {"title": "Bob's moment, moved"})
    wait_until("the cut is noticed", lambda: not bob.peers(), 60)
    measure("a node with a pulled cable lists nobody any more", time.monotonic() - begin, 15)
    check("the cut keeps the sides apart", ana.dump() != bob.dump())
    lan("heal", 2)
    took, dump = wait_until("equal dumps", lambda: equal_dumps(party.nodes), 60)
    text = dump.decode()
    said = sum(f"{node.name} says {number} while cut" in text for node in party.nodes for number in range(10))
    kept = said == 30 and "Bob's moment, moved" in text and "will delete this" not in text
    check("nothing is lost and what was deleted is gone", kept, f"{said} of 30 comments, {len(text.splitlines())} records")
    faves = [node.get(f"photos/{party.photo}")["faves"] for node in party.nodes]
    check("faves count the same on both sides", faves == [2, 2, 2], faves)
    measure("equal dumps after the cable is back", took, 20, tolerance=1.5)
    lines = [node.cli("dump").stdout for node in party.nodes]
    check("`mingle dump` says the same on all three", lines[0] == lines[1] == lines[2] and lines[0])


def isolation(party):
    """The access point keeps all but the founder's machine apart; what the others say goes through that."""
    ana, bob, carla = party.nodes
    lan("isolate", "on")
    begin = time.monotonic()
    bob.comment(party.photo, "through Ana")
    times_until([carla], lambda node: "through Ana" in node.comments(party.photo))
    measure("a comment between isolated hosts, through a third", time.monotonic() - begin, 5)
    photo = carla.share(os.path.join(WORK, "photos", "photo-1.jpg"))["id"]
    original = lambda node: (node.find(f"photos/{photo}") or {"held": {}})["held"].get("original")
    measure("a photo between isolated hosts, through a third", times_until([bob], original)[0], 20)
    lan("isolate", "off")


def equal_dumps(nodes):
    """The dump that all of them have; None if one differs, of which no more are asked then."""
    first = nodes[0].dump()
    return first if all(node.dump() == first for node in nodes[1:]) else None


def transfer(party):
    """200 MB from a slow sender; the receiver's cable is pulled, and it is killed, in the middle of it."""
    ana, bob, carla = party.nodes
    paths = [pictures.make_noise(os.path.join(WORK, f"noise-{number}.png"), 2600) for number in range(10)]
    lan("cut", 1)
    shared = [ana.share(path) for path in paths]
    total = sum(photo["size"] for photo in shared)
    ids = [photo["id"] for photo in shared]
    renditions = sum(len(ana.raw("GET", f"media/{photo}/{size}")[1]) for photo in ids for size in ("preview", "thumbnail"))
    lan("rate", 1, "200mbit")
    before = bob.interface_bytes_received()
    lan("heal", 1)
    begin = time.monotonic()

    def held(node=bob):
        known = {photo["id"]: photo["held"]["bytes"] for photo in node.photos()}
        return sum(known.get(photo, 0) for photo in ids)

    took, _ = wait_until("the transfer begins", held, 60)
    measure("fetching begins after the sender's cable is back", took, 20)
    wait_until("a quarter is here", lambda: held() > total * 0.25, 60)
    lan("cut", 2)
    cut_at = held()
    check("the receiver outlives the outage", bob.outlives(OUTAGE_SECONDS))
    lan("heal", 2)
    was = held()
    took, _ = wait_until("the transfer goes on", lambda: held() > was, 60)
    measure(f"fetching goes on after {OUTAGE_SECONDS} s without a cable", took, 20, note=f"cut at {cut_at >> 20} of {total >> 20} MiB")
    wait_until("60 % is here", lambda: held() > total * 0.6, 60)
    at_kill = held()
    bob.kill()
    bob.start()
    after_kill = held()
    check("what was fetched before kill -9 is held after it", after_kill >= at_kill, f"{at_kill >> 20} MiB before, {after_kill >> 20} MiB after")
    wait_until("all originals", lambda: held() >= total and held(carla) >= total, 120)
    took = time.monotonic() - begin
    received = bob.interface_bytes_received() - before
    extra = received - total - renditions
    note = f"{total / 1e6:.0f} MB in {took:.0f} s to two nodes, with one cut and one kill; killed at {at_kill / 1e6:.0f} MB; renditions {renditions / 1e6:.1f} MB"
    measure("bytes received beyond the pictures' size", extra / 1e6, (8 << 20) / 1e6 + total * 0.05 / 1e6, "MB", note, 1.5)
    sent = {}
    for path, photo in zip(paths, ids):
        with open(path, "rb") as file:
            sent[photo] = hashlib.sha256(file.read()).hexdigest()
    same = all(node.original_hash(photo) == sent[photo] for node in party.nodes for photo in ids)
    check("large originals are the same bytes on all three", same, f"{len(ids)} files")
    lan("rate", 1, "off")
    for path in paths:
        os.remove(path)


def founder_away(party):
    """Who let Bob and Carla in is gone; they let Dan in."""
    dan = Node(4, "dan").start()
    party.ana.stop()
    begin = time.monotonic()
    dan.ask("POST", "join", {"link": party.link})
    measure("joining while the founder is away", time.monotonic() - begin, 5)
    took, _ = wait_until("equal dumps", lambda: equal_dumps([dan, party.bob, party.carla]))
    check("who joined has everything that the others have", True, f"{took:.2f} s later")
    dan.comment(party.photo, "dan was here")
    party.ana.start()
    party.nodes.append(dan)
    took, _ = wait_until("equal dumps", lambda: equal_dumps(party.nodes))
    check("the founder accepts who joined in the meantime", b"dan was here" in party.ana.dump(), f"{took:.2f} s after its start")


def avahi_gone(party):
    ana, bob, carla, dan = party.nodes
    for node in (ana, bob, dan):
        node.stop()
    # Only Carla is up, and her daemon goes: all that can bring Dan to her is that she publishes anew.
    lan("avahi", 3, "stop")
    took, _ = wait_until("absence", lambda: carla.get("status")["discovery"]["state"] == "absent", 10)
    check("a node notices that Avahi is gone", True, f"{took:.2f} s later; {carla.get('status')['discovery']['detail']}")
    lan("avahi", 3, "start")
    begin = time.monotonic()
    dan.start()
    wait_until("meeting", lambda: all_met([carla, dan]), 60)
    measure("meeting after Avahi was killed and started again", time.monotonic() - begin, 10)
    carla.stop()
    dan.stop()

    lan("avahi", 2, "stop")
    ana.start()
    bob.start()
    def warning():
        state = bob.get("status")["discovery"]
        return state["state"] == "absent" and "cannot be discovered" in bob.log_text() and state["detail"]

    _, detail = wait_until("a warning", warning)
    check("a node without Avahi says so", bool(detail), detail)
    # Who has Avahi meets meanwhile.
    carla.start()
    took, _ = wait_until("meeting", lambda: all_met([ana, carla]))
    check("without Avahi and addresses nobody meets", not bob.peers(), f"others met after {took:.2f} s")
    carla.stop()
    doctor = bob.cli("doctor")
    check("`mingle doctor` names Avahi", "avahi" in doctor.stdout.lower(), doctor.stdout.replace("\n", " | ")[:300])
    bob.stop()
    begin = time.monotonic()
    bob.start("--peer", ana.address)
    wait_until("meeting", lambda: all_met([ana, bob]))
    measure("meeting by --peer, without Avahi", time.monotonic() - begin, 2)
    bob.stop()
    bob.start()
    lan("avahi", 2, "start")
    took, _ = wait_until("meeting", lambda: all_met([ana, bob]), 60)
    measure("meeting after Avahi was started late", took, 10)
    eva = Node(4, "eva").start("--no-discovery", "--peer", ana.address)
    begin = time.monotonic()
    eva.ask("POST", "join", {"link": write_link(**{**read_link(party.link), "hints": []})})
    measure("joining by --peer alone", time.monotonic() - begin, 2)
    eva.stop()
