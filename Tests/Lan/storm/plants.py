# SPDX-License-Identifier: Apache-2.0
"""Defects planted on purpose, to see that the checks find them: `Tests/Lan/fleet --plant NAME` has to fail."""

import random

from nodes import lan
from storm.answers import ACKED, Answer
from storm.ledger import Record


def lost_write(fleet):
    """The ledger has a comment that nobody wrote."""
    record = Record("comment", fleet.nodes[1].id, "never said", fleet.anchor)
    fleet.ledger.note(record, Answer(ACKED, 201, {"id": fleet.anchor.id[:-1] + "a"}))


def undead(fleet):
    """The ledger has a deletion that nobody asked for."""
    some(fleet, "comment").deleted = ACKED


def behind_its_back(fleet):
    """A comment is deleted, and the ledger does not hear of it."""
    record = some(fleet, "comment")
    author = next(node for node in fleet.nodes if node.id == record.author)
    author.ask("DELETE", f"comments/{record.id}")


def intruder(fleet):
    """A comment is written, and the ledger does not hear of it."""
    fleet.nodes[2].comment(fleet.anchor.id, "who said this?")


def other_value(fleet):
    """The ledger has another name for somebody."""
    node = fleet.nodes[3]
    fleet.ledger.set(("profile", node.id, "-"), "somebody else", Answer(ACKED))


def other_bytes(fleet):
    """The ledger has another file for a photo."""
    fleet.anchor.digest = "0" * 64


def death(fleet):
    """A node dies, which no fault did."""
    fleet.nodes[4].process.kill()
    fleet.nodes[4].process.wait()


def unequal(fleet):
    """A cable that nobody plugs in again."""
    lan("cut", 5)
    fleet.nodes[0].comment(fleet.anchor.id, "Eva does not hear this")


def secret(fleet):
    """The invitation stands in a log."""
    with open(fleet.nodes[5].log, "a") as log:
        log.write(f"a link: {fleet.link}\n")


def defect(fleet):
    """A log has a line of a crash."""
    with open(fleet.nodes[6].log, "a") as log:
        log.write("Fatal error: Index out of range\n")


def some(fleet, kind):
    return fleet.ledger.pick(random.Random(1), kind)


PLANTS = {
    function.__name__.replace("_", "-"): function
    for function in (lost_write, undead, behind_its_back, intruder, other_value, other_bytes, death, unequal, secret, defect)
}
