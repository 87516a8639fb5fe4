# SPDX-License-Identifier: Apache-2.0
"""What happens to nodes: a table of faults, each with how it begins, what is shown while it lasts, and how it heals."""

import os
import signal
from typing import Callable, NamedTuple

from mishaps import fill
from nodes import NeverHappened, lan, wait_until
from storm.answers import ACKED, MAYBE, Answer, begin_upload

# What of a host a fault takes hold of; a host has at most one fault of each at a time.
CABLE, DAEMONS, PROCESS = "cable", "daemons", "process"
ALL = (CABLE, DAEMONS, PROCESS)
HUB, SMALL_DISK = 1, 8


class Seat(NamedTuple):
    """A host that a fault needs: what of it, and which if not any."""

    layers: tuple
    host: int = 0


class Fault(NamedTuple):
    """`begin`, `show` and `heal` take the fleet, the step's dice and its nodes."""

    name: str
    seats: tuple
    begin: Callable
    heal: Callable
    show: Callable = lambda fleet, dice, *nodes: None


def kill(fleet, dice, node):
    fleet.kill(node)


def start(fleet, dice, node, *others):
    # It runs still if the fault could not begin.
    if node.process is None:
        node.start("--log-level", "debug")


def kill_uploading(fleet, dice, node):
    """Half the time in the midst of the body, else soon after it: while the picture is read, stored or written down."""
    record, data, path = fleet.hand(node, dice).draw(500)
    part = dice.choice([0.5, 1])
    connection = begin_upload(node, path, data, part)
    try:
        if part < 1:
            wait_until("half of the upload is on the disk", lambda: upload_bytes(node) > len(data) / 4, 10)
        else:
            fleet.ended.wait(dice.uniform(0, 0.4))
        fleet.kill(node)
    finally:
        connection.close()
    # What came only by half is nobody's photo; of the other nobody knows.
    fleet.ledger.note(record, Answer(MAYBE if part == 1 else "cut off"))


def upload_bytes(node):
    folder = os.path.join(node.data, "uploads")
    return sum(entry.stat().st_size for entry in os.scandir(folder))


def kill_receiving(fleet, dice, node, author):
    """Kills a node that holds some and not all of a photo, which comes over a slow link, from whomever."""
    lan("inlet", node.host, "10mbit")
    record = fleet.hand(author, dice).photo(1100, stays=True)
    if not record:
        raise NeverHappened(f"{author.name} shares a photo")
    held = lambda: ((node.find(f"photos/{record.id}") or {}).get("held") or {}).get("bytes", 0)
    total = author.get(f"photos/{record.id}")["size"]
    wait_until("a part of the photo has come", lambda: 0 < held() < total, 30)
    fleet.kill(node)


def start_and_speed_up(fleet, dice, node, author):
    lan("inlet", node.host, "off")
    start(fleet, dice, node)


def fill_disk(fleet, dice, node):
    node.ballast = os.path.join(os.path.dirname(node.data), "ballast")
    fleet.full.add(node)
    fill(node.ballast, leaving=dice.choice([0, 0, 200_000]))


def full_disk_is_told(fleet, dice, node):
    """A photo is refused with 507 and a reason, and what needs no room still works."""
    hand = fleet.hand(node, dice)
    for _ in range(5):
        # What the node has freed since, as a log that it cut short, is taken as well.
        fill(node.ballast, leaving=0)
        record, data, path = hand.draw(500)
        answer = hand.ask("PUT", path, data, may_miss=False)
        fleet.ledger.note(record, answer)
        if answer.state != ACKED:
            break
    if answer.status != 507 or "full" not in answer.value.get("detail", ""):
        fleet.complain("full disk", f"a photo on a full disk: {answer}")
    if not node.get("status")["events"] or not node.dump():
        fleet.complain("full disk", f"{node.name} shows nothing")


def free_disk(fleet, dice, node):
    os.remove(node.ballast)
    # What the guest asked while it was full may be answered only now.
    guest = fleet.guests[node]
    turn = guest.turn
    wait_until("the guest has gone on", lambda: guest.is_idle or guest.turn > turn)
    fleet.full.discard(node)


def relay(fleet, dice, hub, speaker, listener):
    """Between hosts that cannot reach each other what is said goes through the one that all reach."""
    record = fleet.hand(speaker, dice).comment(fleet.anchor, stays=True)
    if not record:
        raise NeverHappened(f"{speaker.name} comments")
    took, _ = wait_until("a comment comes through the hub", lambda: record.marker in listener.comments(fleet.anchor.id), 30)
    fleet.relays.append(took)


def freeze(fleet, dice, node):
    node.process.send_signal(signal.SIGSTOP)


def thaw(fleet, dice, node):
    node.process.send_signal(signal.SIGCONT)


FAULTS = [
    Fault("kill -9", (Seat((PROCESS,)),), kill, start),
    Fault("kill -9 while uploading", (Seat((PROCESS,)),), kill_uploading, start),
    Fault("kill -9 while receiving", (Seat((CABLE, PROCESS)), Seat((CABLE, PROCESS))), kill_receiving, start_and_speed_up),
    Fault("process stopped", (Seat((PROCESS,)),), freeze, thaw),
    Fault("disk full", (Seat((PROCESS,), SMALL_DISK),), fill_disk, free_disk, full_disk_is_told),
    Fault(
        "cable pulled",
        (Seat((CABLE,)),),
        lambda fleet, dice, node: lan("cut", node.host),
        lambda fleet, dice, node: lan("heal", node.host),
    ),
    Fault(
        "slow link",
        (Seat((CABLE,)),),
        lambda fleet, dice, node: lan("rate", node.host, dice.choice(["500kbit", "2mbit", "8mbit"])),
        lambda fleet, dice, node: lan("rate", node.host, "off"),
    ),
    Fault(
        "client isolation",
        (Seat(ALL, HUB), Seat(ALL), Seat(ALL)),
        lambda fleet, dice, *nodes: lan("isolate", "on"),
        lambda fleet, dice, *nodes: lan("isolate", "off"),
        relay,
    ),
    Fault(
        "Avahi restarted",
        (Seat((DAEMONS,)),),
        lambda fleet, dice, node: lan("avahi", node.host, "stop"),
        lambda fleet, dice, node: lan("avahi", node.host, "start"),
    ),
    Fault(
        "D-Bus killed",
        (Seat((DAEMONS,)),),
        lambda fleet, dice, node: lan("bus", node.host, "stop"),
        lambda fleet, dice, node: lan("bus", node.host, "start"),
    ),
]
