#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Photos go from a page to a node through a lost connection, a killed node, a closed page, and two tabs.

MINGLE    the program; .build/release/mingle if not set
CHROMIUM  the browser; chromium if not set
"""

import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

from chromium import Chromium, Link, until

PROGRAM = os.environ.get("MINGLE", ".build/release/mingle")
# A break costs at most this, whatever was on its way.
RESENT = 1 << 20
# A connection that is back is used within so many seconds.
BACK = 3
RATE = 4 << 20
# The module that the page has loaded, by the address under which it did.
QUEUE = "import(performance.getEntriesByType('resource').find(({ name }) => name.includes('core/uploads')).name)"
STATES = "[...document.querySelectorAll('.tray li')].map((row) => row.dataset.state).join()"


class Node:
    """A node that can be killed and started again."""

    def __init__(self, folder):
        self.data = str(pathlib.Path(folder, "node"))
        with socket.create_server(("127.0.0.1", 0)) as door:
            self.port = door.getsockname()[1]
        self.start()
        self.ask("POST", "events", {"title": "Party"})

    def start(self):
        command = [PROGRAM, "run", "--data", self.data, "--port", str(self.port), "--no-discovery"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until("the node starts", self.answers)

    def answers(self):
        try:
            return self.ask("GET", "status")
        except OSError:
            return None

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/v1/{path}", data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=5) as answer:
            return json.loads(answer.read())

    def share(self, path):
        """Shares a file at once; what the node has already is not shared twice."""
        data = pathlib.Path(path).read_bytes()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/v1/photos?name=x.jpg", data, method="PUT")
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.loads(answer.read())

    def kill(self):
        self.process.kill()
        self.process.wait()

    def photos(self):
        return self.ask("GET", "photos")["photos"]


def pictures(folder, count):
    """Pictures of noise, of some megabytes each."""
    made = []
    for number in range(count):
        path = str(pathlib.Path(folder, f"party-{number}.jpg"))
        subprocess.run(["vips", "gaussnoise", f"{path}[Q=98]", "2400", "1600", "--seed", str(number)], check=True)
        made.append(path)
    return made


def add(page, files):
    """Chooses files as a person does, and returns how many milliseconds the page computed until they were listed.

    What other programs on the machine take does not count.
    """
    page.until("document.querySelector('.btn.add')")
    page.value("document.querySelector('.btn.add').click()")
    page.until("document.querySelector('dialog .add input') && document.querySelector('.tray')")
    page.value("""globalThis.listed = new Promise((done) => {
        document.querySelector('dialog .add input').addEventListener('change', () => {
            const look = () => document.querySelectorAll('.tray li').length ? done() : setTimeout(look);
            look();
        }, true);
    }), 0""")
    page.call("Performance.enable", timeDomain="threadTicks")
    before = page.computed()
    page.choose("dialog .add input", files)
    page.value("listed")
    return (page.computed() - before) * 1000


def goes_on(link, what):
    """Waits until bytes of a file move, and returns the seconds that it took."""
    (began, before) = (time.monotonic(), link.taken)
    # More than the requests of a page that only asks.
    until(what, lambda: link.taken - before > 150_000)
    seconds = time.monotonic() - began
    assert seconds < BACK, f"{what}: {seconds:.1f} s"
    return seconds


def rest(link):
    """Waits until nothing is on its way any more."""
    last = [link.taken, time.monotonic()]

    def is_quiet():
        if link.taken != last[0]:
            last[:] = link.taken, time.monotonic()
        return time.monotonic() - last[1] > 0.2

    until("what was on its way comes", is_quiet)


def moved(link, count):
    before = link.taken
    until("bytes move", lambda: link.taken - before > count)


def main():
    with tempfile.TemporaryDirectory() as folder:
        node, files = Node(folder), pictures(folder, 3)
        link, browser = Link(node.port, RATE), Chromium(pathlib.Path(folder, "profile"))
        size = sum(os.path.getsize(path) for path in files)
        try:
            page = browser.open(link.url)
            assert page.value("isSecureContext") is False
            start = link.taken
            listed = add(page, files)
            assert listed < 100, f"the files are listed after {listed:.0f} ms"
            moved(link, 1_000_000)
            page.offline(True)
            page.until(f"{STATES}.includes('paused')")
            rest(link)
            page.offline(False)
            offline = goes_on(link, "the page goes on after it was offline")
            moved(link, 1_000_000)
            node.kill()
            page.until(f"{STATES}.includes('paused')")
            node.start()
            restarted = goes_on(link, "the page goes on after the node was killed")
            second = browser.open(link.url)
            moved(link, 500_000)
            page.until(f"{QUEUE}.then(({{ uploads }}) => uploads.safe)")
            page.close()
            began = time.monotonic()
            second.until(f"{STATES}.includes('sending')", BACK)
            closed = time.monotonic() - began
            until("all are shared", lambda: len(node.photos()) == len(files))
            second.until(f"{QUEUE}.then(({{ uploads }}) => !uploads.counts().active)")
            left = second.value("new Promise((done) => { indexedDB.open('mingle-uploads').onsuccess = ({ target }) => "
                                "{ target.result.transaction('blobs').objectStore('blobs').count().onsuccess = (e) => done(e.target.result); }; })")
            assert left == 0, f"{left} files are kept that are finished"
            assert {photo["name"] for photo in node.photos()} == {os.path.basename(path) for path in files}
            for path in files:
                assert node.share(path).get("already_shared"), f"{path} came as other bytes"
            again = link.taken - start - size
            # Three breaks, and the heads of all requests.
            assert again < 3 * RESENT, f"{again} bytes came again"
        finally:
            browser.end()
            node.kill()
    print(f"listed after {listed:.0f} ms; went on after {offline:.1f} s offline, {restarted:.1f} s killed, {closed:.1f} s "
          f"closed; {again} of {size} bytes more, with all heads")


if __name__ == "__main__":
    sys.exit(main())
