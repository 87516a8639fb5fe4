# SPDX-License-Identifier: Apache-2.0
"""Hosts of the LAN and the nodes on them, driven through each node's Unix socket and through the command line."""

import base64
import hashlib
import http.client
import json
import os
import signal
import socket
import subprocess
import threading
import time
import urllib.parse

from news import NEWS

HERE = os.path.dirname(os.path.abspath(__file__))
LAN = os.path.join(HERE, "lan")
MINGLE = os.environ["MINGLE"]
WORK = os.environ["MINGLE_LAN_WORK"]
# How often is looked for what no node tells of, as processes, files and daemons.
LOOK_SECONDS = 0.02
PEER_PORT = 47800


class Refusal(Exception):
    """What the node answered instead of doing what it was asked."""

    def __init__(self, status, problem):
        super().__init__(f"{status}: {problem.get('detail', problem)}")
        self.status = status
        self.detail = problem.get("detail", "")


class NeverHappened(Exception):
    pass


def lan(*arguments):
    subprocess.run([LAN, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def wait_until(what, condition, seconds=30):
    """Asks `condition` whenever a node has news, and now and then for what none tells, until it holds or time is over.

    Returns the seconds until it held, and what it returned.
    """
    begin = time.monotonic()
    while True:
        known = NEWS.count
        value = condition()
        elapsed = time.monotonic() - begin
        if value:
            return elapsed, value
        if elapsed > seconds:
            raise NeverHappened(f"{what}: not within {seconds} s")
        NEWS.wait(known, LOOK_SECONDS)


class LocalConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout=60):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Node:
    """A node with its data folder on one of the LAN's hosts."""

    def __init__(self, host, name, data=None, shift=0):
        """`shift` moves the ports of a second node on a host."""
        self.host = host
        self.port, self.peer_port = 4780 + shift, PEER_PORT + shift
        self.name = name
        self.data = data or os.path.join(WORK, name)
        self.log = os.path.join(WORK, f"{name}.log")
        self.process = None
        self.own = threading.local()

    @property
    def connection(self):
        """The connection to the node that this thread keeps."""
        return getattr(self.own, "connection", None)

    @connection.setter
    def connection(self, connection):
        self.own.connection = connection

    @property
    def address(self):
        return f"10.77.0.{self.host}:{self.peer_port}"

    # Life

    def launch(self, *options, stdin=subprocess.DEVNULL):
        """Starts the process and does not wait."""
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [LAN, "exec", str(self.host), MINGLE, "run", "--data", self.data]
                + ["--port", str(self.port), "--peer-port", str(self.peer_port), *options],
                stdout=log,
                stderr=log,
                stdin=stdin,
            )
        RUNNING.append(self)

    def start(self, *options):
        self.launch(*options)
        return self.await_start(20)

    def await_start(self, seconds):
        wait_until(f"{self.name} starts", self.is_up, seconds)
        # It may say nothing for long, as while it is stopped.
        NEWS.follow(LocalConnection(os.path.join(self.data, "node.sock"), timeout=None))
        return self

    def is_up(self):
        if self.process.poll() is not None:
            raise NeverHappened(f"{self.name} ended with {self.process.returncode}: {self.log_tail()}")
        try:
            return self.get("status")
        except Refusal:
            return True
        except (OSError, http.client.HTTPException):
            return None

    def is_well(self):
        """Whether the process runs and still shows its event."""
        return self.is_running() and bool(self.get("status")["events"])

    def stop(self, how=signal.SIGTERM, seconds=20):
        """Ends the process if it runs; returns its exit code, or None if it had to be killed."""
        self.disconnect()
        if self.process is None:
            return None
        self.process.send_signal(how)
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            code = None
        RUNNING.remove(self)
        self.process = None
        return code

    def kill(self):
        self.stop(signal.SIGKILL)

    def outlives(self, seconds):
        """Whether the process still runs after so long; returns at once when it ends."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return True
        return False

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def log_text(self):
        with open(self.log, errors="replace") as file:
            return file.read()

    def log_tail(self, lines=5):
        return " | ".join(self.log_text().strip().splitlines()[-lines:])

    # Requests

    def disconnect(self):
        if self.connection:
            self.connection.close()
            self.connection = None

    def raw(self, method, path, body=None, headers=None):
        for attempt in range(2):
            fresh = self.connection is None
            try:
                if fresh:
                    self.connection = LocalConnection(os.path.join(self.data, "node.sock"))
                self.connection.request(method, "/api/v1/" + path, body, headers or {})
                response = self.connection.getresponse()
                return response.status, response.read()
            except (OSError, http.client.HTTPException):
                self.disconnect()
                # A kept connection may have been closed; only what changes nothing is asked again.
                if fresh or method != "GET":
                    raise
        raise AssertionError("unreachable")

    def ask(self, method, path, body=None):
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
        status, data = self.raw(method, path, body, {"Content-Type": "application/json"} if body else None)
        if status >= 300:
            try:
                problem = json.loads(data)
            except ValueError:
                problem = {"detail": data[:200].decode(errors="replace")}
            raise Refusal(status, problem)
        return json.loads(data) if data else None

    def get(self, path):
        return self.ask("GET", path)

    def find(self, path):
        """What is there, or None if it is not there yet."""
        try:
            return self.get(path)
        except Refusal as refusal:
            if refusal.status in (404, 409, 503):
                return None
            raise

    def dump(self):
        status, data = self.raw("GET", "dump")
        assert status == 200, status
        return data

    def share(self, path, **parameters):
        query = urllib.parse.urlencode({"name": os.path.basename(path), **parameters})
        with open(path, "rb") as file:
            return self.ask("PUT", f"photos?{query}", file.read())

    def comment(self, target, text):
        return self.ask("POST", "comments", {"target": target, "text": text})

    def comments(self, target):
        answer = self.find(f"comments?target={target}")
        return {comment["text"] for comment in answer["comments"]} if answer else set()

    def photos(self):
        answer = self.find("photos?limit=500")
        return answer["photos"] if answer else []

    def original_hash(self, photo):
        status, data = self.raw("GET", f"media/{photo}/original")
        return hashlib.sha256(data).hexdigest() if status == 200 else f"status {status}"

    def peers(self):
        answer = self.find("peers")
        return answer["peers"] if answer else []

    def met(self, *others):
        """Whether each of `others` is a peer here, and greeted."""
        people = {peer.get("person", {}).get("id") for peer in self.peers() if peer.get("person")}
        return all(other.person in people for other in others)

    @property
    def person(self):
        return self.get("status")["person"]

    def invitation(self):
        return self.get("invitation")["link"]

    @property
    def resident_bytes(self):
        """Memory that the node has."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    # The command line

    def cli(self, *arguments, data=None, seconds=60):
        """Runs the command line on the node's host."""
        process = self.popen(*arguments, data=data)
        try:
            output, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        return subprocess.CompletedProcess(process.args, process.returncode, output, errors)

    def popen(self, *arguments, data=None):
        return subprocess.Popen(
            [LAN, "exec", str(self.host), MINGLE, *arguments, "--data", data or self.data],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        )

    def interface_bytes_received(self):
        text = subprocess.run(
            [LAN, "exec", str(self.host), "cat", "/sys/class/net/eth0/statistics/rx_bytes"],
            capture_output=True,
            check=True,
        ).stdout
        return int(text)


RUNNING = []


def end_all():
    for node in list(RUNNING):
        node.kill()


# Invitation links, as docs/protocol.md section 6 has them.

SCHEME = "mingle://join/"


def read_link(link):
    text = link.removeprefix(SCHEME).upper()
    data = base64.b32decode(text + "=" * (-len(text) % 8))
    body = data[:-4]
    assert checksum(body) == data[-4:], "the link's checksum"
    hints, offset = [], 98
    for _ in range(body[97]):
        hints.append(body[offset + 1 : offset + 1 + body[offset]].decode())
        offset += 1 + body[offset]
    return {"event": body[1:33], "psk": body[33:65], "seed": body[65:97], "hints": hints}


def write_link(event, psk, seed, hints=()):
    body = b"\1" + event + psk + seed + bytes([len(hints)])
    for hint in hints:
        body += bytes([len(hint)]) + hint.encode()
    text = base64.b32encode(body + checksum(body)).decode().rstrip("=").lower()
    return SCHEME + text


def checksum(body):
    return hashlib.blake2b(body, digest_size=32, person=b"mingle.link").digest()[:4]
