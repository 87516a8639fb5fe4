# SPDX-License-Identifier: Apache-2.0
"""Watches the nodes' processes from outside: deaths, memory, open files; and reads their logs when all is over."""

import glob
import json
import os
import re
import threading

from nodes import read_link

# Several times what nodes need in these tests, and far below what a leak would take in ten minutes.
MEMORY_LIMIT, FILES_LIMIT = 400 << 20, 160
BAD_WORDS = re.compile(r"fatal error|precondition|assertion|sigsegv|segmentation|crash|\bbug\b|stack trace|sanitizer", re.I)


class Watch(threading.Thread):
    """Looks every half second."""

    def __init__(self, fleet):
        super().__init__(daemon=True)
        self.fleet = fleet
        self.memory, self.files = {}, {}

    def run(self):
        while not self.fleet.ended.wait(0.5):
            for node in self.fleet.nodes:
                self.look(node, node.process)

    def look(self, node, process):
        if process is None:
            return
        try:
            with open(f"/proc/{process.pid}/status") as file:
                peak = next((int(line.split()[1]) for line in file if line.startswith("VmHWM")), 0) << 10
            files = len(os.listdir(f"/proc/{process.pid}/fd"))
        except OSError:
            return
        self.memory[node.name] = max(self.memory.get(node.name, 0), peak)
        self.files[node.name] = max(self.files.get(node.name, 0), files)


def log_complaints(nodes, with_full_disk):
    """Lines that speak of a defect; that a disk was full is no defect, where it was."""
    complaints = []
    for node in nodes:
        for line in node.log_text().splitlines():
            excused = node in with_full_disk and "Free some space" in line
            if BAD_WORDS.search(line) or " critical " in line or (" error " in line and not excused):
                complaints.append(f"{node.name}: {line[:300]}")
    return complaints


def secrets_of(nodes, link):
    """Every secret word of the nodes: of the link and of each `secrets.json`."""
    parts = read_link(link)
    words = {link: "invitation link", link[60:120]: "invitation link"}
    words |= {parts[part].hex(): part for part in ("psk", "seed")}
    for node in nodes:
        for path in glob.glob(os.path.join(node.data, "events", "*", "secrets.json")):
            with open(path) as file:
                secrets = json.load(file)
            for name, value in secrets.items():
                for word in value if isinstance(value, list) else [value]:
                    if name != "hints" and isinstance(word, str) and len(word) > 20:
                        words[word.lower()] = f"{name} of {node.name}"
    return words


def secret_complaints(nodes, words):
    """Where a secret stands in a log."""
    complaints = []
    for node in nodes:
        text = node.log_text().lower()
        complaints += [f"{what} is in the log of {node.name}" for word, what in words.items() if word in text]
    return complaints
