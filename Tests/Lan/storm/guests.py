# SPDX-License-Identifier: Apache-2.0
"""Guests: one thread for each node that writes what people write, and enters every answer into the ledger."""

import hashlib
import re
import threading
from urllib.parse import quote

import pictures
from event import PLACE, new_moment
from storm.answers import ACKED, REFUSED, attempt
from storm.ledger import Record

PAUSE = (0.1, 0.45)
# Endings of texts that have to come out as they went in.
SPICE = ["", " 🎉", ' "quoted" \\ back', " a\tb", " line\nbreak", " \u2028 ü ß 漢", " " + "long " * 300 + "end"]
PHOTO_SIDES = [40, 120, 120, 300]


class Guest(threading.Thread):
    """Writes on one node while the fleet lets it."""

    def __init__(self, fleet, node, dice):
        super().__init__(daemon=True)
        self.fleet, self.node, self.ledger, self.dice = fleet, node, fleet.ledger, dice
        self.is_idle, self.turn = True, 0
        self.joined = []

    def run(self):
        while not self.fleet.ended.is_set():
            self.is_idle = True
            self.fleet.open.wait()
            self.is_idle = False
            if self.fleet.open.is_set() and not self.fleet.ended.is_set():
                self.act()
                self.turn += 1
                self.fleet.ended.wait(self.dice.uniform(*PAUSE))

    def act(self):
        [action] = self.dice.choices(list(ACTIONS), list(ACTIONS.values()))
        try:
            action(self)
        except Exception as error:
            self.fleet.complain("guests", f"{self.node.name}, {action.__name__}: {type(error).__name__}: {error}")

    def ask(self, method, path, body=None, may_miss=True):
        """`may_miss`: whether it is fair that the node has not heard of the target yet, or that it is gone."""
        answer = attempt(self.node, method, path, body)
        fair = {404} if may_miss else set()
        self.fleet.count(self.node, answer)
        if answer.state == REFUSED and answer.status not in fair | self.fleet.fair_refusals(self.node):
            self.fleet.complain("refusals", f"{self.node.name}: {method} {path}: {answer.status} {answer.value}")
        return answer

    def words(self, what):
        return f"{what} {self.ledger.next_serial()} of {self.node.name}{self.dice.choice(SPICE)}"

    # What guests do

    def comment(self, target=None, stays=False):
        kind = self.dice.choice(["photo", "moment"])
        target = target or self.ledger.pick(self.dice, kind)
        if not target:
            return None
        record = Record("comment", self.node.id, self.words("comment"), target)
        record.stays = stays
        answer = self.ask("POST", "comments", {"target": target.id, "text": record.marker})
        self.ledger.note(record, answer)
        return record if answer.state == ACKED else None

    def photo(self, side=None, stays=False):
        record, data, path = self.draw(side or self.dice.choice(PHOTO_SIDES))
        record.stays = stays
        answer = self.ask("PUT", path, data, may_miss=False)
        self.ledger.note(record, answer)
        return record if answer.state == ACKED else None

    def draw(self, side):
        """A photo that nobody has: its record, its file, and where to put it."""
        data = pictures.noise(side, self.dice.randbytes)
        record = Record("photo", self.node.id, self.words("photo")[:900].strip(), digest=hashlib.sha256(data).hexdigest())
        return record, data, f"photos?name=noise.png&title={quote(record.marker, safe='')}"

    def moment(self):
        record = Record("moment", self.node.id, f"moment {self.ledger.next_serial()} of {self.node.name}")
        answer = self.ask("POST", "moments", new_moment(record.marker), may_miss=False)
        self.ledger.note(record, answer)
        if answer.state == ACKED:
            self.ledger.set(("title", self.node.id, record.id), record.marker, answer)
            # Who makes a moment has joined it.
            self.ledger.set(("participation", self.node.id, record.id), 2, answer, initial=0, grows=True)

    def rename_moment(self):
        moment = self.ledger.pick(self.dice, "moment", self.node.id)
        if moment:
            title = self.words("moved")[:150].strip()
            answer = self.ask("PATCH", f"moments/{moment.id}", {"title": title}, may_miss=False)
            # A title is one line.
            self.ledger.set(("title", self.node.id, moment.id), re.sub("[\t\n\u2028]", " ", title), answer)

    def rename_myself(self):
        name = f"{self.node.name} {self.ledger.next_serial()}"
        answer = self.ask("PUT", "profile", {"name": name}, may_miss=False)
        self.ledger.set(("profile", self.node.id, "-"), name, answer)

    def fave(self):
        target = self.ledger.pick(self.dice, self.dice.choice(["photo", "moment"]))
        if target:
            on = self.dice.random() < 0.75
            answer = self.ask("PUT" if on else "DELETE", f"faves/{target.id}")
            self.ledger.set(("fave", self.node.id, target.id), int(on), answer, initial=0)

    def join(self):
        target = self.ledger.pick(self.dice, "moment")
        if target:
            answer = self.ask("POST", f"moments/{target.id}/join")
            self.ledger.set(("participation", self.node.id, target.id), 2, answer, initial=0, grows=True)
            if answer.state == ACKED:
                self.joined.append(target)

    def check_in(self):
        if self.joined:
            target = self.dice.choice(self.joined)
            body = {"latitude": PLACE["latitude"], "longitude": PLACE["longitude"]}
            answer = self.ask("POST", f"moments/{target.id}/check-in", body)
            self.ledger.set(("participation", self.node.id, target.id), 3, answer, initial=0, grows=True)

    def delete(self, kind):
        record = self.ledger.pick(self.dice, kind, self.node.id)
        if record and not record.stays:
            answer = self.ask("DELETE", f"{'comments' if kind == 'comment' else kind + 's'}/{record.id}")
            self.ledger.note_deletion(record, answer)

    def delete_comment(self):
        self.delete("comment")

    def delete_photo(self):
        self.delete("photo")

    def delete_moment(self):
        self.delete("moment")


ACTIONS = {
    Guest.comment: 45,
    Guest.fave: 16,
    Guest.photo: 4,
    Guest.moment: 3,
    Guest.rename_moment: 6,
    Guest.rename_myself: 3,
    Guest.join: 6,
    Guest.check_in: 4,
    Guest.delete_comment: 9,
    Guest.delete_photo: 1,
    Guest.delete_moment: 1,
}
