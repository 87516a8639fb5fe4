# SPDX-License-Identifier: Apache-2.0
"""Two nodes on the loopback address, and an example of each call of the API."""

import json
import os
import pathlib
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib

PROGRAM = os.environ.get("MINGLE", ".build/release/mingle")
JSON = {"Content-Type": "application/json"}


def png(width=64, height=48, shade=90):
    """A picture of one colour."""
    def chunk(kind, data):
        body = kind + data
        return len(data).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")
    rows = b"".join(b"\0" + bytes([shade, 120, 200]) * width for _ in range(height))
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x02\0\0\0"
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Node:
    """A node with a folder of its own."""

    def __init__(self, folder, name, port):
        self.base = f"http://127.0.0.1:{port}/api/v1/"
        data = pathlib.Path(folder, name)
        data.mkdir(mode=0o700)
        options = ["run", "--data", str(data), "--port", str(port), "--peer-port", str(port + 1), "--no-discovery"]
        self.log = open(data / "log", "wb")
        self.process = subprocess.Popen([PROGRAM, *options], stdout=self.log, stderr=self.log)
        self.wait(lambda: self.ask("GET", "status"), f"{name} starts")

    def wait(self, condition, what, seconds=30):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                if found := condition():
                    return found
            except (OSError, AssertionError):
                pass
            self.require_running(what)
        raise AssertionError(f"did not happen: {what}")

    def require_running(self, what, seconds=0.1):
        """Gives the node a moment; one that has ended meanwhile does nothing more."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return
        raise RuntimeError(f"the node ended with {code}: {what}")

    def send(self, method, path, body=None, headers=None):
        """The status and the body of an answer."""
        data = json.dumps(body).encode() if isinstance(body, (dict, list)) else body
        request = urllib.request.Request(self.base + path, data, {**(JSON if data else {}), **(headers or {})}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.headers.get_content_type(), answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers.get_content_type(), error.read()

    def ask(self, method, path, body=None, headers=None):
        status, _, data = self.send(method, path, body, headers)
        assert status < 300, f"{method} {path}: {status} {data[:300]}"
        return json.loads(data) if data else None

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
        self.log.close()


class Party:
    """An event of a founder with all areas, and a guest; ids of records of each kind."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="mingle-api-")
        self.founder = Node(self.folder.name, "ana", 47810)
        event = self.founder.ask("POST", "events", {"title": "Fair", "preset": "fair"})
        areas = ["moments", "venues", "deals", "ratings", "nearby"]
        self.founder.ask("PUT", f"events/{event['id']}", {"areas": areas, "time_zone": "Europe/Copenhagen"})
        self.founder.ask("PUT", "profile", {"name": "Ana"})
        self.guest = Node(self.folder.name, "ben", 47820)
        link = self.founder.ask("GET", "invitation")["link"]
        self.guest.ask("POST", "join", {"link": link})
        self.guest.ask("PUT", "profile", {"name": "Ben"})
        people = lambda: {one["name"]: one["id"] for one in self.founder.ask("GET", "people")["people"]}
        self.ids = {"event": event["id"]}
        self.ids["guest"] = self.founder.wait(lambda: people().get("Ben"), "the guest is known")
        self.ids["me"] = people()["Ana"]
        self.make()
        return self

    def __exit__(self, *_):
        self.founder.stop()
        self.guest.stop()
        self.folder.cleanup()

    def make(self):
        """Makes what calls need to have."""
        ask, ids = self.founder.ask, self.ids
        now = time.time()
        at = lambda hours: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now + hours * 3600))
        self.times = {"start": at(-1), "end": at(2)}
        place = {"name": "Bar", "latitude": 55.6, "longitude": 12.5, "radius_m": 100}
        ids["category"] = ask("POST", "categories", {"name": "Cafés"})["id"]
        ids["theme"] = ask("POST", "themes", {"name": "Food", "priced": True})["id"]
        ids["place"] = ask("POST", "places", {**place, "categories": [ids["category"]]})["id"]
        ids["moment"] = ask("POST", "moments", {"title": "Toast", "place": place, **self.times})["id"]
        ids["photo"] = ask("PUT", "photos?name=a.png", png())["id"]
        ids["comment"] = ask("POST", "comments", {"target": ids["photo"], "text": "Nice"})["id"]
        ids["ownership"] = ask("POST", "ownerships", {"target": ids["place"], "person": ids["me"]})["id"]
        picture = ask("POST", "pictures", png(shade=30))["id"]
        deal = {"target": ids["place"], "title": "Two for one", "price": 2500, "picture": picture, **self.times}
        ids["deal"] = ask("POST", "deals", deal)["id"]
        ids["check_in"] = ask("POST", "check_ins", {"target": ids["place"], "latitude": 55.6, "longitude": 12.5})["id"]
        ids["other_photo"] = self.guest.ask("PUT", "photos?name=b.png", png(shade=200))["id"]
        self.founder.wait(lambda: ask("GET", f"photos/{ids['other_photo']}"), "the guest's photo comes")
