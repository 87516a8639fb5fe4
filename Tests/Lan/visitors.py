# SPDX-License-Identifier: Apache-2.0
"""Machines with a door, and people with a browser."""

import glob
import json
import os
import subprocess

from nodes import LAN, MINGLE, RUNNING, WORK, Node, wait_until
from report import check

# The port of a door's page.
PAGE = 8080


class Door(Node):
    """The machine beside the screen; its link comes by standard input."""

    def launch(self, link=None, *options):
        given = os.path.join(WORK, f"{self.name}.link")
        with open(given, "w") as file:
            file.write(f"{link or ''}\n")
        with open(self.log, "ab") as log, open(given) as stdin:
            self.process = subprocess.Popen(
                [LAN, "exec", str(self.host), MINGLE, "door", "--data", self.data, "--log-level", "debug"]
                + ["--peer-port", str(self.peer_port), *(["-"] if link else []), *options],
                stdout=log,
                stderr=log,
                stdin=stdin,
            )
        RUNNING.append(self)

    def await_start(self, seconds):
        wait_until(f"{self.name} starts", self.is_up, seconds)
        return self

    def poster(self):
        """The addresses on the poster, or none while there is no poster."""
        try:
            with open(os.path.join(self.data, "door.txt")) as file:
                return file.read().split()
        except FileNotFoundError:
            return []


class Visitor:
    """Somebody with a browser on one of the LAN's hosts."""

    def __init__(self, host, name="visitor"):
        self.host = host
        self.jar = os.path.join(WORK, f"{name}-{host}.jar")

    def cookie(self):
        """The secret that the browser keeps."""
        with open(self.jar) as file:
            return next(line.split()[-1].split(".")[0] for line in file if "mingle-" in line)

    def command(self, url, *options):
        return [LAN, "exec", str(self.host), "curl", "-s", "-b", self.jar, "-c", self.jar, *options, url]

    def open(self, url, *options):
        """The status and the text behind an address; 0 if nobody answers."""
        command = self.command(url, "-m", "20", "-w", "\n%{http_code}", *options)
        text, _, status = subprocess.run(command, capture_output=True).stdout.decode(errors="replace").rpartition("\n")
        return int(status or 0), text

    def watch(self, url, path):
        with open(path, "wb") as file:
            return subprocess.Popen(self.command(url, "-N"), stdout=file, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)


def keeps_quiet(machine, code, link, visitor):
    """Nothing that lets anybody in is in the log."""
    with open(glob.glob(os.path.join(machine.data, "events", "*", "door.json"))[0]) as file:
        key = json.load(file)["key"]
    text = machine.log_text()
    lets_in = [word for word in (code, code.lower(), key, link, link[20:60], visitor.cookie()) if word in text]
    check("its log at the level debug has no code, cookie or link", "debug" in text and not lets_in, f"{len(text)} bytes")
