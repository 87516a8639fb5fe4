# SPDX-License-Identifier: Apache-2.0
"""One line for every check, with its figure; a bar that is missed is always said so."""

import sys
import time
import traceback

# Machines that build and test are loaded: a figure beyond its bar is told, and fails only beyond this many times the bar.
TOLERANCE = 3

BEGIN = time.monotonic()
counts = {"ok": 0, "SLOW": 0, "FAIL": 0, "skip": 0}


def line(verdict, name, detail=""):
    counts[verdict] += 1
    print(f"{time.monotonic() - BEGIN:6.1f} s  {verdict:4}  {name}{': ' if detail else ''}{detail}", flush=True)


def check(name, holds, detail=""):
    line("ok" if holds else "FAIL", name, str(detail))
    return holds


def measure(name, value, bar, unit="s", note="", tolerance=TOLERANCE):
    """A figure where less is better."""
    verdict = "ok" if value <= bar else "SLOW" if value <= bar * tolerance else "FAIL"
    figures = f"{value:.3g} {unit} (bar {bar:g} {unit}{', met' if verdict == 'ok' else ', MISSED'})"
    line(verdict, name, figures + (f"; {note}" if note else ""))


def skip(name, reason):
    line("skip", name, reason)


def section(function, *arguments):
    """Runs a group of checks; what it throws is a failed check, and the next group goes on."""
    try:
        function(*arguments)
    except Exception as error:
        where = traceback.extract_tb(sys.exc_info()[2])
        place = next((frame.lineno for frame in where if frame.name == function.__name__), 0)
        line("FAIL", function.__name__.replace("_", " "), f"{type(error).__name__}: {error} (line {place})")


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def finish():
    print(f"{counts['ok']} met, {counts['SLOW']} slower than their bar, {counts['FAIL']} failed, {counts['skip']} skipped")
    return 1 if counts["FAIL"] else 0
