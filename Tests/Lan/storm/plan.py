# SPDX-License-Identifier: Apache-2.0
"""Which faults happen when and to whom: a function of the seed."""

import random
from typing import NamedTuple

from storm.faults import FAULTS, Fault

HOSTS = range(1, 9)


class Step(NamedTuple):
    """One fault in a round: its hosts, the seconds until it begins and that it lasts, and the seed of its dice."""

    fault: Fault
    hosts: tuple
    begins: float
    lasts: float
    seed: int


class Pace(NamedTuple):
    """How long a round's storm is, how many faults it has, and how long each lasts."""

    storm: float
    faults: int
    shortest: float
    longest: float


SHORT = Pace(storm=11, faults=5, shortest=2, longest=6)
LONG = Pace(storm=30, faults=7, shortest=2, longest=22)


def rounds(seed, pace):
    """Rounds without end. Every fault comes once before any comes again."""
    dice, deck = random.Random(seed), []
    while True:
        steps, taken, left = [], set(), []
        while len(steps) < pace.faults:
            if not deck:
                deck = dice.sample(FAULTS, len(FAULTS))
            fault = deck.pop()
            hosts = seat(fault, dice, taken)
            if hosts:
                steps.append(step(fault, hosts, dice, pace))
            else:
                left.append(fault)
        # What found no host comes first in the next round.
        deck += left
        yield sorted(steps, key=lambda step: step.begins)


def seat(fault, dice, taken):
    """Hosts for a fault of which nothing is taken yet; none if there are none."""
    hosts = []
    for layers, host in fault.seats:
        free = [
            each
            for each in ([host] if host else HOSTS)
            if each not in hosts and not any((each, layer) in taken for layer in layers)
        ]
        if not free:
            return ()
        hosts.append(dice.choice(free))
    taken.update((host, layer) for host, seat in zip(hosts, fault.seats) for layer in seat.layers)
    return tuple(hosts)


def step(fault, hosts, dice, pace):
    lasts = dice.uniform(pace.shortest, pace.longest)
    return Step(fault, hosts, dice.uniform(0, pace.storm - lasts), lasts, dice.randrange(1 << 32))


def told(step):
    return f"{step.fault.name} (host {', '.join(map(str, step.hosts))}, {step.begins:.1f}–{step.begins + step.lasts:.1f} s)"
