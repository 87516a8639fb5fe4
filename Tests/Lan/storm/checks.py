# SPDX-License-Identifier: Apache-2.0
"""The checks after a round's healing, and those when all is over."""

import glob
import os
import sqlite3
import time
from collections import Counter

from event import equal_dumps
from nodes import WORK, NeverHappened, wait_until
from report import check, measure
from storm import shown, watch
from storm.ledger import YES

# Seconds after the last healing in which all nodes must show the same and hold everything; the other is how long is
# waited to tell late from never.
HEALING_LIMIT, PATIENCE = 30, 90
# Seconds after which deleted words have left the database's files as well: docs/merging.md says a minute.
ERASED_AFTER = 90
# Seconds after its daemons are back in which a node has found them, and warns no more: it looks every two seconds.
CONTENT_WITHIN = 5


def tell(name, complaints, detail=""):
    """A check that holds if there are no complaints; the first few are told."""
    text = f"{len(complaints)}: " + " | ".join(map(str, complaints[:4])) if complaints else detail
    return check(name, not complaints, text[:2000])


def healed(fleet, title):
    """Waits until all nodes show the same and hold all photos; returns the dump, or None if they never show the same."""
    begin = time.monotonic()
    try:
        took, dump = wait_until("equal", lambda: equal_dumps(fleet.nodes), PATIENCE)
    except NeverHappened:
        check(f"{title}: all nodes show the same", False, f"never, within {PATIENCE} s: {differences(fleet)}")
        return None
    note = f"{len(dump.splitlines())} records"
    measure(f"{title}: all nodes show the same after healing", took, HEALING_LIMIT, note=note, tolerance=1)
    try:
        wait_until("photos", lambda: all(map(holds_all, fleet.nodes)), max(1, begin + HEALING_LIMIT - time.monotonic()))
        took = time.monotonic() - begin
        measure(f"{title}: all nodes hold all photos", took, HEALING_LIMIT, note=f"{count(dump, 'photo')} photos", tolerance=1)
    except NeverHappened:
        lacks = [f"{node.name} {node.get('status')['sync']}" for node in fleet.nodes if not holds_all(node)]
        check(f"{title}: all nodes hold all photos", False, f"not within {HEALING_LIMIT} s: {lacks}")
    fleet.healings.append(took)
    return dump


def count(dump, kind):
    return dump.count(f"\n{kind}\t".encode())


def holds_all(node):
    """Whether each photo is here as a whole."""
    return node.get("status")["sync"]["blobs_waiting"] == 0 and all(map(is_held, node.all_photos()))


def is_held(photo):
    held = photo["held"]
    return held["original"] and held["preview"] and held["thumbnail"] and held["bytes"] == photo["size"]


def differences(fleet):
    """What nodes lack that others have, in short; the dumps are left beside the logs."""
    dumps = {node.name: set(node.dump().decode().split("\n")) for node in fleet.nodes}
    for name, lines in dumps.items():
        with open(os.path.join(WORK, "fleet", f"{name}.dump"), "w") as file:
            file.write("\n".join(sorted(lines)))
    every = set.union(*dumps.values())
    states = {node.name: node.get("status")["sync"] for node in fleet.nodes}
    return [f"{name} lacks {len(every - lines)} lines, {states[name]}" for name, lines in dumps.items()]


def values(fleet, dump, title):
    """The ledger against what all nodes show, and what each counts."""
    seen = shown.Shown(dump)
    for name, function in shown.VALUES.items():
        tell(f"{title}: {name}", function(fleet.ledger, seen))
    complaints = [text for node in fleet.nodes for text in shown.counts(fleet.ledger, seen, node)]
    tell(f"{title}: every node counts distinct authors", complaints)


def originals(fleet, title, records):
    """Photos are on each node what was shared, byte by byte."""
    wanted = [record for record in records if record.shown() == YES]
    complaints = [
        f"{node.name} has {told[:12]}: {record}"
        for node in fleet.nodes
        for record in wanted
        if (told := node.original_hash(record.id)) != record.digest
    ]
    tell(f"{title}: originals are the bytes that were shared, on every node", complaints, f"{len(wanted)} photos")


def no_deaths(fleet, title):
    """Nobody ended who was not killed; who did is started again, so that all else can still be checked."""
    found = fleet.complaints.pop("deaths", [])
    for node in fleet.nodes:
        if not node.is_running():
            found.append(f"{node.name} ended with {node.process and node.process.poll()}: {node.log_tail()}")
            node.stop()
            node.start("--log-level", "debug")
    tell(f"{title}: no process ended by itself", found)


def complaints(fleet, title):
    for kind in sorted(fleet.complaints):
        tell(f"{title}: {kind}", fleet.complaints[kind])
    fleet.complaints.clear()


def doctors(fleet):
    """`mingle doctor` finds nothing but that a small disk is small, and no node warns."""
    found = {node.name: "was not asked" for node in fleet.nodes}

    def is_content():
        for node in [node for node in fleet.nodes if node.name in found]:
            found[node.name] = discontent(node)
            if not found[node.name]:
                del found[node.name]
        return not found

    try:
        wait_until("every doctor is content", is_content, CONTENT_WITHIN)
    except NeverHappened:
        pass
    tell("`mingle doctor` is content on every node", list(found.values()))


def discontent(node):
    """What a node and its doctor complain of, or nothing."""
    answer = node.cli("doctor")
    text = [line for line in answer.stdout.splitlines() if line[:4] in ("warn", "FAIL") and "disk.free" not in line]
    warnings = node.get("status")["warnings"]
    if answer.returncode or text or warnings:
        return f"{node.name}: exit {answer.returncode} {text} {warnings}"
    return None


def bounded(fleet):
    memory, files = max(fleet.watch.memory.values()), max(fleet.watch.files.values())
    measure("the most memory of a node", memory / (1 << 20), watch.MEMORY_LIMIT >> 20, "MiB", tolerance=1)
    measure("the most open files of a node", files, watch.FILES_LIMIT, "files", tolerance=1)


def folders(fleet, dump):
    """After the nodes have stopped: databases are sound, no file is half, missing or too many."""
    photos, found = count(dump, "photo"), []
    for node in fleet.nodes:
        [event] = glob.glob(os.path.join(node.data, "events", "*"))
        blobs = os.listdir(os.path.join(event, "blobs"))
        halves = [name for name in blobs if name.endswith(".part")]
        left = [name for folder in ("uploads", "importing") for name in list_folder(os.path.join(node.data, folder))]
        if halves or left or len(blobs) != 3 * photos:
            found.append(f"{node.name}: {len(blobs)} blobs of {photos} photos, {len(halves)} of them halves, left: {left}")
        with sqlite3.connect(os.path.join(event, "replica.sqlite")) as database:
            sound = database.execute("PRAGMA integrity_check").fetchall()
        database.close()
        if sound != [("ok",)]:
            found.append(f"{node.name}: {sound[:3]}")
    tell("databases are sound, and folders hold three blobs a photo and nothing half-done", found, f"{photos} photos")


def list_folder(path):
    return os.listdir(path) if os.path.isdir(path) else []


def erased(fleet):
    """Words deleted long enough ago are in no file of any database."""
    before = time.monotonic() - ERASED_AFTER
    words = [record.marker.encode() for record in fleet.ledger.all("comment") if record.deleted_at < before]
    found = []
    for node in fleet.nodes:
        for path in glob.glob(os.path.join(node.data, "events", "*", "replica.sqlite*")):
            with open(path, "rb") as file:
                text = file.read()
            found += [f"{os.path.basename(path)} of {node.name}: {word}" for word in words if word in text]
    name = f"words deleted more than {ERASED_AFTER} s ago are in no file of a database"
    tell(name, found, f"{len(words)} comments")


def logs(fleet, secrets):
    tell("logs speak of no defect", watch.log_complaints(fleet.nodes, fleet.had_full_disk))
    tell("no secret is in a log", watch.secret_complaints(fleet.nodes, secrets), f"{len(secrets)} secrets")


def not_in_vain(fleet):
    """A run in which a fault never happened, or during which nothing was written, shows nothing."""
    missing = [name for name, row in fleet.tally.items() if not row["happened"] or not row["acknowledged"]]
    for name, row in fleet.tally.items():
        writes = f"{row['acknowledged']} writes acknowledged meanwhile, {row['there']} by nodes concerned"
        print(f"          {name}: {row['happened']} times, {writes}")
    answers = ", ".join(f"{number} {state}" for state, number in sorted(Counter(fleet.answers).items()))
    tell("every fault happened, and nodes acknowledged writes under each", missing, answers)
