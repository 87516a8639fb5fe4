#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets two Mingle nodes share an event over their HTTP API. Make their folders with "mkdir -m 700 one two":
    mingle run --data one --port 48100 --peer-port 48101 --no-discovery &
    mingle run --data two --port 48110 --peer-port 48111 --no-discovery &
Then run: python3 client.py http://127.0.0.1:48100 http://127.0.0.1:48110 [PHOTO]"""
import json, struct, sys, urllib.error, urllib.parse, urllib.request, zlib

def send(node, method, path, body=None, **query):
    """Sends a request and returns the open response; a dict is sent as JSON, bytes as they are."""
    kind, data = ("json", json.dumps(body).encode()) if isinstance(body, dict) else ("octet-stream", body)
    url = f"{node}/api/v1{path}?" + urllib.parse.urlencode(query)
    request = urllib.request.Request(url, data, {"Content-Type": f"application/{kind}"}, method=method)
    try:
        return urllib.request.urlopen(request, timeout=60)
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path} was refused: {json.load(error)['detail']}")

def call(*request, **query):
    return json.load(send(*request, **query))

def wait_for(stream, kind, record):
    """Reads server-sent events until one tells of a change of this kind that names this record."""
    for line in stream:
        news = json.loads(line[len(b"data: "):]) if line.startswith(b"data: ") else {}
        if kind in news.get("kinds", []) and any(record in ids for ids in news.get("targets", {}).values()):
            return
    sys.exit(f"The stream ended before it told of the {kind}.")

def tiny_png():
    parts = b"IHDR" + struct.pack(">2I5B", 1, 1, 8, 0, 0, 0, 0), b"IDAT" + zlib.compress(b"\0\x80"), b"IEND"
    chunks = (struct.pack(">I", len(part) - 4) + part + struct.pack(">I", zlib.crc32(part)) for part in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)

def main(one, two, photo_file=None):
    event = call(one, "POST", "/events", {"title": "Street fair", "preset": "fair"})
    call(two, "POST", "/join", {"link": call(one, "GET", "/invitation")["link"]})
    ada, ben = call(one, "PUT", "/profile", {"name": "Ada"}), call(two, "PUT", "/profile", {"name": "Ben"})
    print(f"{ada['name']} started {event['title']} ({', '.join(event['areas'])}); {ben['name']} joined it.")
    ada_news, ben_news = send(one, "GET", "/stream"), send(two, "GET", "/stream")
    photo = call(one, "PUT", "/photos", open(photo_file, "rb").read() if photo_file else tiny_png())
    wait_for(ben_news, "photo", photo["id"])
    print(f"Ada shared a photo of {photo['width']} x {photo['height']} pixels, and Ben's node heard of it.")
    place = call(one, "POST", "/places", {"name": "Waffles", "latitude": 52, "longitude": 5, "radius_m": 20})
    wait_for(ben_news, "place", place["id"])
    call(two, "PUT", f"/ratings/{place['id']}", {"overall": 3})
    wait_for(ada_news, "rating", place["id"])
    call(one, "PUT", f"/ratings/{place['id']}", {"overall": 4})
    mean = call(one, "GET", f"/places/{place['id']}")["ratings"]["means"]["overall"]
    print(f"Ben rated {place['name']} 3, and Ada's node heard of it. Ada rated it 4, so the mean is {mean}.")
    for number in range(1, 8):
        call(one, "POST", "/comments", {"target": place["id"], "text": f"Waffle {number}"})
    query = {"target": place["id"], "limit": 3}
    while query:
        page = call(one, "GET", "/comments", **query)
        print("A page of comments:", ", ".join(comment["text"] for comment in page["comments"]))
        query = query | {"before": page["next"]} if page.get("next") else None

if __name__ == "__main__":
    main(*sys.argv[1:])
