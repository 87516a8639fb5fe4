# SPDX-License-Identifier: Apache-2.0
"""What a node shows, read from its canonical dump, and what of it contradicts the ledger: lists of complaints."""

import json
from collections import Counter, namedtuple

from storm.answers import ACKED
from storm.ledger import NO, YES

Line = namedtuple("Line", "kind id author target fields")
MARKED = {"comment": "text", "photo": "title", "moment": "title"}


class Shown:
    """The lines of a dump by kind, and records by their id."""

    def __init__(self, dump):
        self.lines = [read_line(line) for line in dump.decode().split("\n") if line]
        self.by_id = {line.id: line for line in self.lines if line.id != "-"}
        self.keyed = {(line.kind, line.author, line.target): line.fields for line in self.lines if line.id == "-"}

    def of(self, kind):
        return [line for line in self.lines if line.kind == kind]


def read_line(line):
    kind, id, author, target, _, *fields = line.split("\t")
    return Line(kind, id, author, target, dict(map(read_field, fields)))


def read_field(word):
    name, value = word.split("=", 1)
    return name, json.loads(value) if value.startswith('"') else value


def lost(ledger, shown):
    """Acknowledged records that are not shown as they were written."""
    complaints = []
    for record in ledger.all(*MARKED):
        line = shown.by_id.get(record.id)
        if record.shown() == YES and not line:
            complaints.append(f"lost: {record}")
        elif line and record.kind != "moment" and line.fields[MARKED[record.kind]] != record.marker:
            complaints.append(f"not as it was written: {record}: {line}")
        elif line and (line.author, line.target) != (record.author, record.target.id if record.target else "-"):
            complaints.append(f"of another author or on another target: {record}")
    return complaints


def undead(ledger, shown):
    """Records that are shown though they were deleted, or refused, or never sent as a whole."""
    seen = Counter(line.fields.get(MARKED[line.kind]) for line in shown.lines if line.kind in MARKED)
    complaints = []
    for record in ledger.all(*MARKED):
        # A moment's title may have been edited since; its id tells, where there is one.
        if record.shown() == NO and (record.id in shown.by_id or seen[record.marker]):
            complaints.append(f"shown all the same: {record}")
        elif record.kind != "moment" and seen[record.marker] > 1:
            complaints.append(f"shown {seen[record.marker]} times: {record}")
    return complaints


def unexplained(ledger, shown):
    """Records that nobody in this test asked for."""
    known = {record.id for record in ledger.all(*MARKED)}
    perhaps = {record.marker for record in ledger.all(*MARKED) if record.made != ACKED}
    return [
        f"nobody wrote: {line}"
        for line in shown.lines
        if line.kind in MARKED and line.id not in known and line.fields.get(MARKED[line.kind]) not in perhaps
    ]


def wrong_values(ledger, shown):
    """Faves, titles, names and participation that are none of those which the answers leave open."""
    complaints = []
    with ledger.lock:
        registers = list(ledger.registers.items())
    for (what, person, target), register in registers:
        record = ledger.by_id.get(target)
        if record and record.shown() != YES:
            continue
        value = value_of(shown, what, person, target)
        if value not in register.allowed:
            complaints.append(f"{what} of {person[:8]} on {target}: {value!r}, none of {register.allowed}")
    return complaints


def value_of(shown, what, person, target):
    if what == "title":
        line = shown.by_id.get(target)
        return line.fields.get("title") if line else None
    fields = shown.keyed.get((what, person, target), {})
    match what:
        case "fave": return int(fields.get("on", 0))
        case "participation": return int(fields.get("state", 0))
        case "profile": return fields.get("name")


def halves(ledger, shown):
    """What is written together and is there by halves: a check-in and its participation, a moment and its place."""
    came = {(line.author, line.target) for line in shown.of("check_in")}
    stated = {(line.author, line.target) for line in shown.of("participation") if line.fields["state"] == "3"}
    complaints = [f"a check-in by halves: {half}" for half in came ^ stated]
    complaints += [f"hangs on nothing: {line}" for line in shown.lines if line.target not in shown.by_id and line.target != "-"]
    return complaints + [
        f"a moment without its place: {line}" for line in shown.of("moment") if line.fields["place"] not in shown.by_id
    ]


def counts(ledger, shown, node):
    """Counts on a node that are not the number of distinct authors (faves) or of comments in the dump."""
    faves, comments = Counter(), Counter(line.target for line in shown.of("comment"))
    faves.update(target for _, target in {(line.author, line.target) for line in shown.of("fave")})
    complaints, listed = [], node.all_photos() + node.get("moments")["moments"]
    for item in listed:
        told, counted = (item["faves"], item["comments"]), (faves[item["id"]], comments[item["id"]])
        if told != counted:
            complaints.append(f"{node.name} says {told} faves and comments of {item['id']}, which has {counted}")
    expected = {line.id for line in shown.of("photo") + shown.of("moment")}
    if expected != {item["id"] for item in listed}:
        complaints.append(f"{node.name} lists {len(listed)} photos and moments, not {len(expected)}")
    return complaints


VALUES = {
    "no acknowledged write is lost": lost,
    "nothing deleted or refused is shown": undead,
    "nothing is shown that nobody wrote": unexplained,
    "faves, titles, names and participation are as answered": wrong_values,
    "what is written together is there together": halves,
}
