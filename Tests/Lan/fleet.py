# SPDX-License-Identifier: Apache-2.0
"""Eight nodes under faults that a seed chooses, held against a ledger of what they acknowledged: docs/testing.md."""

import os
import random
import threading
import time
from collections import Counter

from event import all_met
from nodes import WORK, Node, wait_until
from report import check, line, measure, percentile
from storm import checks, plan
from storm.answers import ACKED
from storm.faults import FAULTS, SMALL_DISK
from storm.guests import Guest
from storm.ledger import Ledger
from storm.plants import PLANTS
from storm.watch import Watch, secrets_of

NAMES = ["ana", "bob", "carla", "dan", "eva", "finn", "gina", "hugo"]


class Member(Node):
    """A node of the fleet; the last one's data is on a disk of its own."""

    def __init__(self, host):
        name = NAMES[host - 1]
        folder = os.path.join(WORK, "tight" if host == SMALL_DISK else "fleet")
        super().__init__(host, name, os.path.join(folder, name))
        self.log = os.path.join(WORK, "fleet", f"{name}.log")
        self.id = None

    def all_photos(self):
        """All photos, page by page."""
        page = self.get("photos?limit=500")
        photos = page["photos"]
        while page.get("next"):
            page = self.get(f"photos?limit=500&before={page['next']}")
            photos += page["photos"]
        return photos


class Fleet:
    """The nodes, who writes on them, and what is known of both."""

    def __init__(self, seed):
        os.makedirs(os.path.join(WORK, "fleet"), exist_ok=True)
        self.ledger, self.ended, self.open = Ledger(), threading.Event(), threading.Event()
        self.lock = threading.Lock()
        self.nodes = [Member(host) for host in plan.HOSTS]
        self.guests = {node: Guest(self, node, random.Random(f"{seed} {node.name}")) for node in self.nodes}
        self.watch = Watch(self)
        # Nodes with a full disk now, and those that ever had one.
        self.full, self.had_full_disk = set(), {self.nodes[SMALL_DISK - 1]}
        self.active, self.answers, self.complaints = [], Counter(), {}
        self.tally = {fault.name: Counter(happened=0, acknowledged=0, there=0) for fault in FAULTS}
        self.healings, self.relays = [], []
        self.checked_photos = 0

    def hand(self, node, dice):
        """Writes for a fault on a node, beside the node's guest."""
        return Guest(self, node, dice)

    def complain(self, kind, text):
        with self.lock:
            self.complaints.setdefault(kind, []).append(text)

    def count(self, node, answer):
        """Counts an answer under every fault that is going on."""
        with self.lock:
            self.answers[answer.state] += 1
            for step in self.active if answer.state == ACKED else ():
                self.tally[step.fault.name]["acknowledged"] += 1
                self.tally[step.fault.name]["there"] += node.host in step.hosts

    def fair_refusals(self, node):
        return {507} if node in self.full else set()

    def kill(self, node):
        code = node.process.poll()
        if code is not None:
            self.complain("deaths", f"{node.name} had ended with {code} before it was killed: {node.log_tail()}")
        node.kill()

    # A round

    def gather(self):
        """Everybody joins the founder's event; a photo and a moment that stay are there for the first words."""
        for node in self.nodes:
            node.launch("--log-level", "debug")
        for node in self.nodes:
            node.await_start(30)
        founder = self.nodes[0]
        founder.ask("POST", "events", {"title": "Fleet"})
        self.link = founder.invitation()
        for node in self.nodes:
            if node is not founder:
                node.ask("POST", "join", {"link": self.link})
            node.id = node.person
            self.guests[node].rename_myself()
        self.anchor = self.guests[founder].photo(200)
        self.anchor.stays = True
        self.guests[founder].moment()
        took, _ = wait_until("everybody meets", lambda: all_met(self.nodes), 60)
        check("eight nodes of an event are connected to each other", True, f"{took:.2f} s after the last has joined")
        for thread in [*self.guests.values(), self.watch]:
            thread.start()

    def storm(self, steps):
        """Guests write and the steps happen, each on a thread of its own; returns when everything is healed."""
        self.open.set()
        begin = time.monotonic()
        threads = [threading.Thread(target=self.carry_out, args=(step, begin), daemon=True) for step in steps]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.open.clear()
        wait_until("guests are done", lambda: all(guest.is_idle for guest in self.guests.values()), 70)

    def carry_out(self, step, begin):
        nodes, dice = [self.nodes[host - 1] for host in step.hosts], random.Random(step.seed)
        fault = step.fault
        self.ended.wait(begin + step.begins - time.monotonic())
        try:
            try:
                fault.begin(self, dice, *nodes)
                until = time.monotonic() + step.lasts
                with self.lock:
                    self.active.append(step)
                    self.tally[fault.name]["happened"] += 1
                fault.show(self, dice, *nodes)
                self.ended.wait(until - time.monotonic())
            finally:
                with self.lock:
                    self.active = [each for each in self.active if each is not step]
                fault.heal(self, dice, *nodes)
        except Exception as error:
            self.complain("faults", f"{plan.told(step)}: {type(error).__name__}: {error}")

    def round(self, number, steps):
        """A storm and what is left of it; false if the nodes do not become equal again."""
        title = f"round {number}"
        print(f"          {title}: " + ", ".join(map(plan.told, steps)), flush=True)
        self.storm(steps)
        checks.no_deaths(self, title)
        dump = checks.healed(self, title)
        if dump is None:
            return False
        checks.values(self, dump, title)
        photos = self.ledger.all("photo")
        checks.originals(self, title, photos[self.checked_photos :])
        self.checked_photos = len(photos)
        checks.complaints(self, title)
        return True


def fleet(seed=None, seconds=60, plant=None):
    """Rounds until the time is over, at least until every fault has come; then everything once more."""
    seed = random.randrange(1 << 32) if seed is None else seed
    print(f"          fleet: --seed {seed} --seconds {seconds:g}{f' --plant {plant}' if plant else ''}", flush=True)
    party = Fleet(seed)
    try:
        run(party, seed, seconds, plant)
    except Exception as error:
        line("FAIL", "fleet", f"{type(error).__name__}: {error}")
        raise
    finally:
        party.ended.set()
        party.open.set()


def run(party, seed, seconds, plant):
    party.gather()
    pace = plan.LONG if seconds > 200 else plan.SHORT
    begin, unequal = time.monotonic(), 0
    for number, steps in enumerate(plan.rounds(seed, pace), 1):
        unequal += not party.round(number, steps)
        over = time.monotonic() - begin + pace.storm > seconds
        if over and (plant or all(row["happened"] for row in party.tally.values()) or number > seconds / pace.storm + 3):
            break
        if unequal == 3:
            break
    if party.relays:
        note = f"all: {', '.join(f'{took:.2f}' for took in party.relays)} s"
        measure("the slowest comment between isolated hosts, through a third", max(party.relays), 5, note=note)
    finish(party, plant)


def finish(party, plant):
    """The whole ledger once more, then what nodes leave behind when they stop."""
    secrets = secrets_of(party.nodes, party.link)
    healings = f"p50 {percentile(party.healings, 0.5):.2f} s, slowest {max(party.healings):.2f} s"
    print(f"          {len(party.healings)} rounds; healing took {healings}; {len(party.ledger.records)} records asked for")
    if plant:
        PLANTS[plant](party)
    checks.no_deaths(party, "at the end")
    dump = checks.healed(party, "at the end")
    if dump is not None:
        checks.values(party, dump, "at the end")
        checks.originals(party, "at the end", party.ledger.all("photo"))
    checks.doctors(party)
    checks.bounded(party)
    # While they run: a stop in order empties and removes the log, where words may be as well.
    checks.erased(party)
    party.ended.set()
    party.open.set()
    codes = [node.stop() for node in party.nodes]
    check("nodes stop when they are told to", codes == [0] * len(codes), f"exit codes {codes}")
    if dump is not None:
        checks.folders(party, dump)
    checks.logs(party, secrets)
    checks.not_in_vain(party)
