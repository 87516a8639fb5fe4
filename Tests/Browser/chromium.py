# SPDX-License-Identifier: Apache-2.0
"""Headless Chromium over its debugging pipe, and a link to a node that a test can cut; only the standard library."""

import json
import os
import queue
import socket
import subprocess
import threading
import time

CHROMIUM = os.environ.get("CHROMIUM", "chromium")
DEADLINE = 20


class TooLate(AssertionError):
    """What a test waited for did not come."""


def until(what, condition, seconds=DEADLINE):
    """Waits until a condition holds, and returns what it gave."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.02)
    raise TooLate(what)


class Chromium:
    """A browser with a profile of its own."""

    def __init__(self, profile):
        self.answers, self.count, self.lock = {}, 0, threading.Lock()
        read, child_write = os.pipe()
        child_read, self.write = os.pipe()
        # The browser reads from descriptor 3 and writes to 4.
        command = f'exec {CHROMIUM} "$@" 3<&{child_read} 4>&{child_write}'
        options = [
            "--headless=new", "--no-sandbox", "--remote-debugging-pipe", f"--user-data-dir={profile}", "--no-first-run",
            "--disable-background-networking", "about:blank",
        ]
        self.process = subprocess.Popen(
            ["bash", "-c", command, "bash", *options], pass_fds=(child_read, child_write), stderr=subprocess.DEVNULL
        )
        os.close(child_read)
        os.close(child_write)
        threading.Thread(target=self.read, args=(read,), daemon=True).start()

    def read(self, descriptor):
        rest = b""
        while data := os.read(descriptor, 1 << 16):
            *messages, rest = (rest + data).split(b"\0")
            for message in map(json.loads, messages):
                if box := self.answers.pop(message.get("id"), None):
                    box.put(message)

    def call(self, method, session=None, **parameters):
        box = queue.Queue()
        with self.lock:
            self.count += 1
            self.answers[self.count] = box
            message = {"id": self.count, "method": method, "params": parameters}
            if session:
                message["sessionId"] = session
            os.write(self.write, json.dumps(message).encode() + b"\0")
        answer = box.get(timeout=DEADLINE)
        assert "error" not in answer, f"{method}: {answer['error']}"
        return answer["result"]

    def open(self, url):
        return Page(self, url)

    def end(self):
        try:
            self.call("Browser.close")
        finally:
            self.process.wait(DEADLINE)


class Page:
    """One tab."""

    def __init__(self, browser, url):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url=url)["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        self.call("Runtime.enable")
        self.call("Network.enable")

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def value(self, script):
        """The value of an expression; of a promise, what it comes to."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, f"{script}: {answer['exceptionDetails']}"
        return answer["result"].get("value")

    def until(self, script, seconds=DEADLINE):
        return until(script, lambda: self.value(f"Promise.resolve({script}).then(Boolean)"), seconds)

    def choose(self, selector, files):
        """Puts files into a file input, as somebody who chooses them does."""
        node = self.call("Runtime.evaluate", expression=f"document.querySelector({json.dumps(selector)})")
        self.call("DOM.setFileInputFiles", objectId=node["result"]["objectId"], files=files)

    def offline(self, is_offline):
        self.call(
            "Network.emulateNetworkConditions", offline=is_offline, latency=0, downloadThroughput=-1,
            uploadThroughput=-1,
        )

    def computed(self):
        """Seconds of processor time that the page's tasks took so far."""
        metrics = self.call("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in metrics if one["name"] == "TaskDuration")

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)


class Link:
    """Carries a page's connections from a LAN address to the node, no faster than so many bytes a second.

    The page stands at an address that is no secure context, as a guest's does. The node takes only requests that name
    its own address: the link puts that in the place of its own.
    """

    def __init__(self, port, rate):
        self.port, self.rate, self.taken, self.turn = port, rate, 0, threading.Lock()
        self.door = socket.create_server((lan_address(), 0))
        self.name = "%s:%d" % self.door.getsockname()[:2]
        self.url = f"http://{self.name}/"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            page, _ = self.door.accept()
            try:
                node = socket.create_connection(("127.0.0.1", self.port), 2)
            except OSError:
                page.close()
                continue
            threading.Thread(target=self.carry, args=(page, node, self.forward), daemon=True).start()
            threading.Thread(target=self.carry, args=(node, page, lambda data: data), daemon=True).start()

    def forward(self, data):
        # The network is as slow as this: nothing is waited for.
        with self.turn:
            self.taken += len(data)
            time.sleep(len(data) / self.rate)
        return data.replace(b"//" + self.name.encode(), b"//127.0.0.1:%d" % self.port).replace(
            b"Host: " + self.name.encode(), b"Host: 127.0.0.1:%d" % self.port)

    @staticmethod
    def carry(source, sink, change):
        try:
            while data := source.recv(1 << 16):
                sink.sendall(change(data))
        except OSError:
            pass
        finally:
            for end in (source, sink):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass


def lan_address():
    """An address of this machine that is not the loopback address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return probe.getsockname()[0]
