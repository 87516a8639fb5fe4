# SPDX-License-Identifier: Apache-2.0
"""The ledger: everything that nodes were asked to write, how that ended, and so what has to be shown in the end."""

import math
import threading
import time

from storm.answers import ACKED, MAYBE, UNSENT

YES, NO, PERHAPS = "yes", "no", "perhaps"


class Record:
    """One comment, photo or moment that a node was asked to make."""

    def __init__(self, kind, author, marker, target=None, digest=None):
        """`marker` is its text or title and occurs once in a run; `digest` is the SHA-256 of a photo's file."""
        self.kind, self.author, self.marker, self.target, self.digest = kind, author, marker, target, digest
        self.id, self.made, self.deleted = None, UNSENT, UNSENT
        self.deleted_at = math.inf
        # Whether guests may not delete it, since others look for it.
        self.stays = False

    def shown(self):
        """Whether it has to be seen: made, not deleted, and on something that is seen."""
        parent = self.target.shown() if self.target else YES
        if NO in (parent, certainty(self.made)) or self.deleted == ACKED:
            return NO
        doubtful = PERHAPS in (parent, certainty(self.made)) or self.deleted == MAYBE
        return PERHAPS if doubtful else YES

    def __repr__(self):
        return f"{self.kind} {self.id or '?'} “{self.marker[:40]}” ({self.made}, deletion {self.deleted})"


def certainty(state):
    return {ACKED: YES, MAYBE: PERHAPS}.get(state, NO)


class Register:
    """A value that one node sets again and again; what it may show follows from the answers, in their order."""

    def __init__(self, initial, grows=False):
        """One that `grows` never goes back to a smaller value."""
        self.allowed, self.grows = {initial}, grows

    def set(self, value, state):
        after = {max(old, value) for old in self.allowed} if self.grows else {value}
        if state == ACKED:
            self.allowed = after
        elif state == MAYBE:
            self.allowed = self.allowed | after


class Ledger:
    """All records and registers, written by many threads."""

    def __init__(self):
        self.lock = threading.Lock()
        self.records, self.registers = [], {}
        self.by_id, self.pools = {}, {}
        self.serial = 0

    def next_serial(self):
        with self.lock:
            self.serial += 1
            return self.serial

    def note(self, record, answer):
        """Notes how the making of a record ended; one that was never sent is no record."""
        if answer.state == UNSENT:
            return
        with self.lock:
            record.made, record.id = answer.state, answer.value.get("id")
            self.records.append(record)
            if answer.state == ACKED:
                self.by_id[record.id] = record
                for author in (None, record.author):
                    self.pools.setdefault((record.kind, author), []).append(record)

    def note_deletion(self, record, answer):
        """Notes how a deletion ended; what it says stays true if another fails later."""
        with self.lock:
            if answer.state == ACKED or (answer.state == MAYBE and record.deleted == UNSENT):
                record.deleted, record.deleted_at = answer.state, time.monotonic()

    def set(self, key, value, answer, initial=None, grows=False):
        """Notes how the setting of a register ended; `key` is (what, person, target)."""
        with self.lock:
            self.registers.setdefault(key, Register(initial, grows)).set(value, answer.state)

    def pick(self, dice, kind, author=None):
        """Some record that should be shown, of one author or of anybody; None if a few tries find none."""
        with self.lock:
            pool = self.pools.get((kind, author), [])
            tries = [dice.choice(pool) for _ in range(20)] if pool else []
        return next((record for record in tries if record.shown() == YES), None)

    def all(self, *kinds):
        with self.lock:
            return [record for record in self.records if record.kind in kinds]
