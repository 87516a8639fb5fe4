# SPDX-License-Identifier: Apache-2.0
"""Plays events with one defect after the other, until a checker finds it."""

import dataclasses
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

# How much longer than the slowest event without a defect one may compute before it counts as hanging.
PATIENCE = 6
# How much longer than that it may take on a busy machine.
BUSY = 10


class Unplayable(Exception):
    """An event could not be played, which says nothing about any defect."""


@dataclasses.dataclass
class Result:
    """What became of looking for one defect."""

    defect: object
    checkers: list
    detail: str
    seed: int | None
    seeds: int
    seconds: float

    @property
    def is_sought(self):
        return not self.defect.waits

    @property
    def is_found(self):
        return self.seed is not None

    @property
    def is_found_as_meant(self):
        """Whether the checker that the defect names was among those that found it."""
        return self.is_found and self.defect.checker in self.checkers


class Player:
    """Plays events by the program that holds all defects."""

    def __init__(self, program, folder, options):
        self.program, self.folder, self.options = program, folder, options
        self.limit = 600.0

    def play(self, seed, defect=None, is_planted=True):
        """Plays one event in a defect's world; returns what found something, in words, and the first detail."""
        memory = "/dev/shm"
        base = memory if os.access(memory, os.W_OK) else str(self.folder)
        folder = f"{base}/mingle-mutant-{os.getpid()}-{threading.get_ident()}"
        number = defect.number if defect and is_planted else 0
        environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", "MINGLE_DEFECT": str(number)}
        command = [str(self.program), str(seed), folder, *self.world(defect)]
        try:
            done = subprocess.run(
                command,
                env=environment,
                capture_output=True,
                text=True,
                timeout=self.limit * BUSY,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(self.limit), int(self.limit) + 5)),
            )
        except subprocess.TimeoutExpired:
            return ["hang"], f"did not end within {self.limit * BUSY:.0f} s"
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return self.read(done)

    def world(self, defect):
        """What the event is like: as everywhere, or as the defect needs it."""
        usual = {"peers": self.options.peers, "hours": self.options.hours}
        needs = dict(word.split("=") for word in defect.needs.split()) if defect else {}
        return [f"{name}={value}" for name, value in (usual | needs).items()]

    def read(self, done):
        if done.returncode == -signal.SIGXCPU:
            return ["hang"], f"did not end after {self.limit:.0f} s of CPU"
        if done.returncode in (21, 64):
            raise Unplayable(f"{' '.join(done.args)} ends with {done.returncode}: {done.stdout.strip()[:300]}")
        if done.returncode not in (0, 20):
            return ["crash"], (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[0][:300]
        findings = json.loads(done.stdout)["findings"]
        return list(dict.fromkeys(finding["checker"] for finding in findings)), findings[0]["detail"] if findings else ""

    def seeds(self, count):
        return range(self.options.first, self.options.first + count)

    @property
    def patience(self):
        """Seeds after which a defect counts as missed."""
        return self.options.seeds + self.options.further

    def prove_clean(self, count):
        """Ends the program unless it comes through all seeds without a defect; sets how long an event may take."""
        slowest = 1.0
        for seed in self.seeds(count):
            start = computed()
            checkers, detail = self.play(seed)
            if checkers:
                sys.exit(f"Seed {seed} fails without any defect: {', '.join(checkers)}: {detail}")
            slowest = max(slowest, computed() - start)
        if count:
            print(f"{count} seeds pass without a defect, the slowest in {slowest:.1f} s", flush=True)
            self.limit = max(30.0, PATIENCE * slowest)

    def prove_guilty(self, seed, defect):
        """Ends the program if the same event fails without the defect as well: then it was not the defect."""
        checkers, detail = self.play(seed, defect, is_planted=False)
        if checkers:
            world = " ".join(self.world(defect))
            sys.exit(f"Seed {seed} with {world} fails without {defect.name}, too: {', '.join(checkers)}: {detail}")

    def look_for(self, defect):
        """Plays seed after seed until something finds the defect."""
        start = time.monotonic()
        played = 0
        if not defect.waits:
            for seed in self.seeds(self.patience):
                played += 1
                checkers, detail = self.play(seed, defect)
                if checkers:
                    self.prove_guilty(seed, defect)
                    return Result(defect, checkers, detail, seed, played, time.monotonic() - start)
        return Result(defect, [], "", None, played, time.monotonic() - start)


def computed():
    """Seconds for which the programs that have ended computed."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def verdict(result):
    if not result.is_sought:
        return f"waits for {result.defect.waits}"
    if not result.is_found:
        return "MISSED"
    others = "" if result.is_found_as_meant else f" (not by {result.defect.checker})"
    return ", ".join(result.checkers) + others


def line(result):
    """One row of what is printed."""
    seed = "-" if result.seed is None else str(result.seed)
    words = f"{result.defect.area:10} {result.defect.name:44} seed {seed:>4} ({result.seeds:>2}) {result.seconds:6.1f} s"
    return f"{words}  {verdict(result)}  {result.detail[:110]}"


def summary(results, options):
    """How many defects were found, when, and by whom."""
    sought = [result for result in results if result.is_sought]
    found = [result for result in sought if result.is_found]
    soon = sum(result.seeds <= options.seeds for result in found)
    meant = sum(result.is_found_as_meant for result in found)
    words = [f"{len(found)} of {len(sought)} found, {meant} by the expected checker"]
    if options.further:
        last = options.first + options.seeds - 1
        words.append(f"{soon} in seeds {options.first} to {last}, {len(found) - soon} in the next {options.further}")
    return "; ".join(words)


def write_report(path, results, options):
    """Writes a table of all defects and what found them."""
    rows = ["| area | defect | consequence | found by | seed | seeds | seconds |", "|---|---|---|---|---|---|---|"]
    for result in results:
        seed = "–" if result.seed is None else result.seed
        cells = [result.defect.area, f"`{result.defect.name}`", result.defect.why, verdict(result), seed]
        rows.append("| " + " | ".join(str(cell) for cell in [*cells, result.seeds, f"{result.seconds:.0f}"]) + " |")
    path.write_text("\n".join([f"{summary(results, options)}.", "", *rows, ""]))
    print(f"Wrote {path}")
