#!/usr/bin/env python3
"""A stand-in for the node, for work on the web app: serves Sources/CWebAssets/web and an in-memory API.

    mock-server.py [--port 4790] [--scenario fresh|named|empty|party] [--photos 60] [--slow SECONDS]

Pictures are drawn as SVG. Controls for tests (POST): /mock/photo (a peer posts one), /mock/arrive (held-back pictures
arrive), /mock/comment?photo=ID, /mock/break (ends every stream and refuses calls for 3 s).
Only the Python standard library is used. Nothing here is part of the product.
"""
import argparse
import io
import json
import os
import queue
import random
import struct
import threading
import time
import uuid
import zipfile
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlparse

WEB = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../Sources/CWebAssets/web'))
# What joining takes on a network that is neither fast nor slow.
JOINING_SECONDS = 1.5
CSP = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self'; connect-src 'self'; "
       "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
TYPES = {'.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.svg': 'image/svg+xml'}
SHAPES = [(4032, 3024), (3024, 4032), (4000, 2250), (3000, 3000), (4032, 3024), (2268, 4032), (6000, 2400), (4032, 3024), (3840, 2560)]
NAMES = ['Marta Puig', 'Jonas Weber', 'Aisha Rahman', 'Tom Okafor', 'Lucía Fernández', 'Noor', 'Piet de Vries', 'Hana Sato', 'Ben', 'Grandma Rose', 'Elif Kaya', 'Oscar']
WORDS = ['What a light!', 'Look at Grandma 😄', 'Can somebody send me the one before this?', 'I was standing right behind you and did not see any of it. Thank you for taking this.',
         'Best cake of the year', 'Haha', 'This one goes on the wall.', 'Who is the man with the hat?', 'That is uncle Piet, he came all the way from Utrecht!', 'So beautiful']
MOODS = [('#f2c58b', '#d9825b', '#5b3b45'), ('#9dc1d8', '#dfe7df', '#4f7a5c'), ('#20243f', '#5a4a78', '#171525'), ('#f6e3c0', '#e8b56b', '#7b5a3a'),
         ('#c8dccb', '#86a878', '#3d5a3f'), ('#e9b7b0', '#b85c6b', '#4a2b3f'), ('#1c2a35', '#3a6a78', '#101b22'), ('#f4efe6', '#cfc4b4', '#8a7a68')]


def iso(moment):
    return moment.astimezone(timezone.utc).strftime('%Y-%m-%dT%H:%M:%S.') + f'{moment.microsecond // 1000:03d}Z'


def now():
    return datetime.now(timezone.utc)


def ident(prefix):
    return prefix + uuid.uuid4().hex[:20]


def drawing(seed, width, height):
    """Something photo-like: a sky, lights or hills, people at the bottom."""
    r = random.Random(seed)
    top, middle, ground = r.choice(MOODS)
    w, h = 400, round(400 * height / width)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w * 3}" height="{h * 3}" preserveAspectRatio="xMidYMid slice">'
             f'<defs><linearGradient id="g" x2="0.2" y2="1"><stop stop-color="{top}"/><stop offset="1" stop-color="{middle}"/></linearGradient>'
             f'<filter id="b"><feGaussianBlur stdDeviation="{r.choice([2, 5, 9])}"/></filter></defs><rect width="{w}" height="{h}" fill="url(#g)"/>']
    kind = r.randrange(3)
    if kind == 0:
        parts.append('<g filter="url(#b)">' + ''.join(
            f'<circle cx="{r.randrange(w)}" cy="{r.randrange(int(h * .8))}" r="{r.randrange(5, 26)}" fill="{r.choice(["#ffdf9a", "#ffb46b", "#fff3cf", middle])}" opacity="{r.uniform(.25, .8):.2f}"/>' for _ in range(34)) + '</g>')
    elif kind == 1:
        for i in range(3):
            y = h * (.45 + .17 * i)
            points = ' '.join(f'{x},{y + r.uniform(-h * .07, h * .05):.0f}' for x in range(0, w + 41, 40))
            parts.append(f'<polygon points="0,{h} {points} {w},{h}" fill="{ground}" opacity="{.35 + .25 * i}"/>')
        parts.append(f'<circle cx="{r.randrange(60, 340)}" cy="{h * .25:.0f}" r="{h * .08:.0f}" fill="#fff4d8" opacity=".85"/>')
    else:
        y = h * .16
        parts.append(f'<path d="M0 {y:.0f} Q {w / 2} {y + h * .22:.0f} {w} {y * .8:.0f}" fill="none" stroke="{ground}" stroke-width="1.5"/>' + ''.join(
            f'<circle cx="{x}" cy="{y + h * .11 * (1 - ((x - 200) / 200) ** 2):.0f}" r="4.5" fill="#fff0b8"/>' for x in range(12, w, 30)))
    for _ in range(r.choice([0, 1, 2, 2, 3, 5])):
        x, size = r.randrange(40, 360), h * r.uniform(.09, .16)
        y, coat = h * r.uniform(.55, .72), r.choice(['#2b2a33', '#7a3b45', '#e8e2d6', '#33505a', '#a97942', '#5c6b4a'])
        skin = r.choice(['#e2b391', '#8d5c42', '#c98f6b', '#f0cbb0', '#5e3c2c'])
        parts.append(f'<path d="M{x - size * 1.5:.0f} {h} Q{x - size * 1.4:.0f} {y + size * 1.2:.0f} {x} {y + size * 1.1:.0f} T{x + size * 1.5:.0f} {h}Z" fill="{coat}"/>'
                     f'<circle cx="{x}" cy="{y:.0f}" r="{size:.0f}" fill="{skin}"/><path d="M{x - size:.0f} {y:.0f} a{size:.0f} {size:.0f} 0 0 1 {2 * size:.0f} 0 q-{size:.0f} -{size * .7:.0f} -{2 * size:.0f} 0" fill="{r.choice(["#2a1e19", "#6b4a2b", "#c9a25f", "#15120f", "#b9b3aa"])}"/>')
    return (''.join(parts) + '</svg>').encode()


def dimensions(data):
    """Width, height and type of a PNG or JPEG; None for anything else."""
    if data[:8] == b'\x89PNG\r\n\x1a\n':
        return (*struct.unpack('>II', data[16:24]), 'image/png')
    if data[:2] == b'\xff\xd8':
        at = 2
        while at + 9 < len(data):
            marker, length = data[at + 1], struct.unpack('>H', data[at + 2:at + 4])[0]
            if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
                height, width = struct.unpack('>HH', data[at + 5:at + 9])
                return width, height, 'image/jpeg'
            at += 2 + length
    if data[:4] == b'<svg':
        return 400, 300, 'image/svg+xml'
    return None


class Node:
    """The world as one node sees it."""

    def __init__(self, scenario, photos):
        self.lock = threading.RLock()
        self.streams, self.cursor, self.broken_until = [], 0, 0
        self.ended = threading.Event()
        self.name, self.me, self.events, self.current = None, None, [], None
        self.people, self.moments, self.photos, self.comments, self.bytes = [], [], [], {}, {}
        self.invitation, self.invitations, self.log, self.reported = None, [], [], []
        self.has_read = False
        self.connections, self.parts = {}, {}
        self.discovery = {'state': 'running', 'detail': ''}
        self.warnings = []
        if scenario in ('named', 'empty', 'party'):
            self.set_name('Anna')
        if scenario == 'empty':
            self.start('Kitchen party')
        if scenario == 'party':
            self.party(photos)
            for person, state in zip(self.people[2:], ('asks', 'connected', 'asked', 'asks')):
                self.connections[person['id']] = state

    # Building the world.

    def person(self, name, level='attendee', here=False, me=False):
        key = uuid.uuid4().hex
        made = {'id': 'u' + key[:20], 'name': name, 'picture': None, 'me': me, 'level': level, 'here': here or me,
                'invited_to': 'guest' if level == 'waiting' else None,
                'fingerprint': f'{key[:4]} {key[4:8]} {key[8:12]} {key[12:16]}', 'joined': iso(now())}
        self.people.append(made)
        return made

    def set_name(self, name):
        self.name = name
        if self.me:
            self.me['name'] = name
        return self.me or {'id': '', 'name': name, 'picture': None, 'me': True, 'level': 'attendee', 'fingerprint': '', 'here': True, 'joined': iso(now())}

    def start(self, title, founder=True):
        event = {'id': ident('e'), 'title': title, 'level': 'founder' if founder else 'attendee', 'founder': founder, 'created': iso(now())}
        self.events.append(event)
        self.current = event['id']
        if not self.me:
            self.me = self.person(self.name, 'founder' if founder else 'attendee', me=True)
        self.invitation = self.new_invitation({}, used=3) if founder else None
        return event

    def new_invitation(self, terms, used=0):
        expires = iso(now() + timedelta(seconds=terms['expires_in_seconds'])) if 'expires_in_seconds' in terms else None
        made = {'id': ident('i'), 'link': f'mingle://join/{uuid.uuid4().hex}{uuid.uuid4().hex}?at=192.168.1.24:4781', 'level': terms.get('level', 'attendee'),
                'expires': expires, 'uses': terms.get('uses'), 'used': used, 'closed': False, 'maker': self.me}
        self.invitations.append(made)
        return made

    def party(self, count):
        r = random.Random(7)
        self.start('Marta & Jonas get married')
        self.events.insert(0, {'id': ident('e'), 'title': 'Thursday climbing', 'level': 'attendee', 'founder': False, 'created': iso(now())})
        for i, name in enumerate(NAMES):
            one = self.person(name, level={3: 'guest', 5: 'waiting', 6: 'host', 11: 'removed'}.get(i, 'attendee'), here=i < 7)
            if i % 3 == 0:
                one['picture'] = f"/api/v1/media/{one['id']}/picture"
        place = lambda name, lat, lon, radius=100: {'id': ident('p'), 'name': name, 'latitude': lat, 'longitude': lon, 'radius_m': radius}
        hour = timedelta(hours=1)
        for title, text, at, length, where, part in [
                ('First dance and the party after', 'Shoes off is fine. The band plays until the neighbours complain.', -1.2 * hour, 4 * hour, place('The old barn', 41.3874, 2.1686), 'joined'),
                ('Photo booth', 'Hats are in the basket.', -0.5 * hour, 3 * hour, place('Tent on the meadow', 41.3880, 2.1690, 60), None),
                ('Breakfast for those who are left', '', 13 * hour, 2 * hour, place('Garden kitchen', 41.3869, 2.1679), 'joined'),
                ('Walk to the lake', 'Bring something to swim in.', 16 * hour, 3 * hour, place('Car park by the mill', 41.3900, 2.1712, 150), None),
                ('Ceremony', '', -6 * hour, hour, place('Chapel', 41.3861, 2.1670), 'checked_in'),
                ('Dinner the evening before', '', -27 * hour, 4 * hour, place('Can Ros', 41.3801, 2.1702), None)]:
            self.moments.append({'id': ident('m'), 'title': title, 'description': text, 'start': iso(now() + at), 'end': iso(now() + at + length), 'place': where,
                                 'author': self.me if title == 'Photo booth' or title == 'Ceremony' else self.people[1], 'cover': None, 'created': iso(now()),
                                 'joined': r.randrange(3, 11), 'checked_in': r.randrange(2, 6) if at < timedelta(0) else 0, 'faves': r.randrange(5), 'faved': False, 'participation': part})
        at = now()
        for i in range(count):
            at -= timedelta(minutes=r.choice([1, 2, 3, 7, 20, 45]) if i % 23 else 400)
            author = r.choice(self.people)
            self.photo(author, SHAPES[r.randrange(len(SHAPES))], at, seed=i, held=i not in (4, 17), moment=self.moments[0]['id'] if i < 14 else self.moments[4]['id'] if 24 < i < 36 else None, faves=r.choice([0, 0, 0, 1, 2, 6]))
        for moment in self.moments:
            moment['cover'] = next((p['id'] for p in self.photos if p['moment'] == moment['id'] and p['width'] > p['height']), None)
        for i, photo in enumerate(self.photos[:12]):
            for _ in range([3, 0, 1, 64, 0, 2, 0, 0, 5, 0, 0, 1][i]):
                self.comment(photo['id'], r.choice(self.people), r.choice(WORDS), now() - timedelta(minutes=r.randrange(1, 90)))
        for text in WORDS[:4]:
            self.comment(self.moments[0]['id'], r.choice(self.people), text, now() - timedelta(minutes=r.randrange(1, 60)))
        self.discovery = {'state': 'absent', 'detail': 'Avahi is not running. Start it with: sudo systemctl start avahi-daemon'}
        self.warnings = [f"This node cannot find others nearby: {self.discovery['detail']}."]

    def photo(self, author, shape, posted, seed=None, held=True, moment=None, faves=0, name=None, mime='image/svg+xml', size=None):
        one = {'id': ident('f'), 'moment': moment, 'author': author, 'title': '', 'name': name or f'IMG_{random.randrange(1000, 9999)}.jpg', 'taken': iso(posted), 'posted': iso(posted),
               'width': shape[0], 'height': shape[1], 'mime': mime, 'size': size or random.randrange(1800000, 6400000), 'latitude': None, 'longitude': None,
               'held': {'thumbnail': held, 'preview': held, 'original': held, 'bytes': 0}, 'faves': faves, 'faved': False, 'comments': 0, 'mine': author is self.me, '_seed': seed if seed is not None else random.random()}
        self.photos.append(one)
        self.photos.sort(key=lambda p: p['posted'], reverse=True)
        return one

    def comment(self, target, author, text, posted=None):
        target_kind = 'photo' if any(photo['id'] == target for photo in self.photos) else 'moment'
        one = {'id': ident('c'), 'target': target, 'target_kind': target_kind, 'author': author, 'text': text, 'posted': iso(posted or now()), 'mine': author is self.me}
        self.comments.setdefault(target, []).append(one)
        self.comments[target].sort(key=lambda c: c['posted'])
        for photo in self.photos:
            if photo['id'] == target:
                photo['comments'] = len(self.comments[target])
        return one

    # Views of it.

    def event_view(self, event):
        mine = event['id'] == self.current
        return {**event, 'current': mine, 'people': len(self.people) if mine else 9, 'photos': len(self.photos) if mine else 212, 'moments': len(self.moments) if mine else 4, 'reports': len(self.reported) if mine else 0, 'requests': sum(s == 'asks' for s in self.connections.values()) if mine else 0, 'report_threshold': 3, 'nearby': event.get('nearby', False), **({'nearby_until': iso(now() + timedelta(hours=12))} if event.get('nearby') else {})}

    def moment_view(self, m):
        start, end, t = datetime.fromisoformat(m['start'].replace('Z', '+00:00')), datetime.fromisoformat(m['end'].replace('Z', '+00:00')), now()
        status = 'not_started' if t < start else 'ongoing' if t < end else 'ended'
        part = m['participation']
        button = 'ended' if status == 'ended' else 'join' if part is None else 'checked_in' if part == 'checked_in' else 'check_in' if status == 'ongoing' else 'joined'
        return {**m, 'status': status, 'button': button, 'may_post': part == 'checked_in' or (part == 'joined' and status == 'not_started'), 'may_edit': m['author'] is self.me,
                'photos': sum(p['moment'] == m['id'] for p in self.photos), 'comments': len(self.comments.get(m['id'], []))}

    def status_view(self):
        current = next((e for e in self.events if e['id'] == self.current), None)
        waiting = sum(not p['held']['preview'] for p in self.photos)
        return {'version': '0.1.0-mock', 'name': self.name, 'person': self.me['id'] if current else None, 'current': self.event_view(current) if current else None,
                'events': [self.event_view(e) for e in self.events], 'discovery': self.discovery,
                'sync': {'peers': sum(p['here'] and not p['me'] for p in self.people), 'records': len(self.photos), 'blobs_waiting': waiting, 'bytes_waiting': waiting * 3100000},
                'disk': {'free_bytes': 120000000000}, 'warnings': self.warnings}

    def idle(self, seconds):
        """Takes as long as a slow network does, so that the page can be seen waiting; not while the server ends."""
        self.ended.wait(seconds)

    def announce(self, *kinds, targets=None):
        data = {'kinds': kinds}
        if targets is not None:
            moments = {moment['id'] for moment in self.moments}
            data['targets'] = {'moment': [i for i in targets if i in moments], 'photo': [i for i in targets if i and i not in moments]}
        with self.lock:
            self.cursor += 1
            text = f'id: {self.cursor}\nevent: change\ndata: {json.dumps(data)}\n\n'
            for stream in self.streams:
                stream.put(text)


NEARBY = [{'id': 'n' * 52, 'title': 'Street party', 'nodes': 3, 'link': 'mingle://join/' + 'n' * 164},
          {'id': 'm' * 52, 'title': 'A meet-up whose title is so long that it does not fit on one line of any telephone', 'nodes': 1, 'link': 'mingle://join/' + 'm' * 164},
          {'id': 'u' * 52, 'title': 'Unbroken' * 25, 'nodes': 1, 'link': 'mingle://join/' + 'u' * 164}]


class Trouble(Exception):
    def __init__(self, status, kind, detail):
        super().__init__(detail)
        self.status, self.kind = status, kind


def clean(value):
    if isinstance(value, dict):
        return {k: clean(v) for k, v in value.items() if not k.startswith('_')}
    return [clean(v) for v in value] if isinstance(value, list) else value


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    node, slow = None, 0

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.serve('GET')

    def do_HEAD(self):
        self.serve('GET')

    def do_PUT(self):
        self.serve('PUT')

    def do_POST(self):
        self.serve('POST')

    def do_PATCH(self):
        self.serve('PATCH')

    def do_DELETE(self):
        self.serve('DELETE')

    def do_HEAD(self):
        self.serve('HEAD')

    def answer(self, status, body=b'', kind='application/json', headers=()):
        if not isinstance(body, bytes):
            body = json.dumps(clean(body)).encode()
        self.send_response(status)
        self.send_header('Content-Type', kind)
        self.send_header('Content-Length', str(len(body)))
        for key, value in headers:
            self.send_header(key, value)
        self.end_headers()
        if self.command != 'HEAD':
            self.wfile.write(body)

    def serve(self, method):
        url = urlparse(self.path)
        query = {k: v[0] for k, v in parse_qs(url.query).items()}
        try:
            length = int(self.headers.get('Content-Length') or 0)
            if method == 'PATCH' and url.path.startswith('/api/v1/uploads/'):
                return self.append(unquote(url.path[16:]), length)
            if self.slow and url.path == '/api/v1/photos' and length:
                body = b''
                while len(body) < length:
                    body += self.rfile.read(min(max(1, length // 40), length - len(body)))
                    self.node.idle(self.slow / 40)
            else:
                body = self.rfile.read(length) if length else b''
            if url.path.startswith('/mock/'):
                return self.control(url.path[6:], query)
            if time.time() < self.node.broken_until:
                self.close_connection = True
                return None
            if url.path.startswith('/api/v1/'):
                return self.api(method, url.path[8:].split('/'), query, body)
            return self.page(url.path)
        except Trouble as e:
            return self.answer(e.status, {'type': f'/problems/{e.kind}', 'title': e.kind, 'status': e.status, 'detail': str(e)}, 'application/problem+json')
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
            return None

    def page(self, path):
        file = os.path.normpath(os.path.join(WEB, path[8:])) if path.startswith('/assets/') else os.path.join(WEB, 'wall.html' if path == '/wall' else 'index.html')
        if not file.startswith(WEB) or not os.path.isfile(file):
            raise Trouble(404, 'not-found', f'No such file: {path}')
        with open(file, 'rb') as f:
            self.answer(200, f.read(), TYPES.get(os.path.splitext(file)[1], 'application/octet-stream'),
                        [('Content-Security-Policy', CSP), ('X-Content-Type-Options', 'nosniff'), ('Cache-Control', 'no-cache')])

    def control(self, what, query):
        n = self.node
        if what == 'photo':
            for _ in range(int(query.get('n', 1))):
                p = n.photo(n.people[-1], random.choice(SHAPES), now(), held=query.get('held') != '0')
                n.announce('photo', targets=[p['id'], p['moment']])
        elif what == 'arrive':
            for p in n.photos:
                if not p['held']['thumbnail']:
                    p['held'] = {'thumbnail': True, 'preview': True, 'original': True, 'bytes': 1}
                    n.announce('media')
        elif what == 'comment':
            n.comment(query['photo'], n.people[2], 'Just came in from a peer')
            n.announce('comment', targets=[query['photo']])
        elif what == 'break':
            n.broken_until = time.time() + float(query.get('s', 3))
            for stream in n.streams:
                stream.put(None)
        self.answer(200, {'photos': [p['id'] for p in n.photos][:20], 'moments': [m['id'] for m in n.moments]})

    def stream(self, since=None):
        mine = queue.Queue()
        self.node.streams.append(mine)
        self.send_response(200)
        self.send_header('Content-Type', 'text/event-stream')
        self.send_header('Cache-Control', 'no-store')
        self.send_header('Connection', 'close')
        self.end_headers()
        self.close_connection = True
        try:
            self.wfile.write(b': hello\n\n')
            if since is not None and since != str(self.node.cursor):
                self.wfile.write(b'event: reset\ndata: {}\n\n')
            self.wfile.flush()
            while True:
                try:
                    text = mine.get(timeout=15)
                except queue.Empty:
                    text = ': still here\n\n'
                if text is None:
                    return
                self.wfile.write(text.encode())
                self.wfile.flush()
        finally:
            self.node.streams.remove(mine)

    def archive(self, query, raw):
        ids = parse_qs(raw.decode()).get('ids', [''])[0].split(',') if raw else None
        chosen = [p for p in self.node.photos if (ids is None or p['id'] in ids) and ('mine' not in query or p['mine']) and ('faved' not in query or p['faved'])]
        if not chosen:
            raise Trouble(404, 'not-found', 'There are no such photos.')
        made = io.BytesIO()
        with zipfile.ZipFile(made, 'w') as archive:
            for n, p in enumerate(chosen):
                archive.writestr(f"{n} {p['author']['name']}.svg", drawing(p['_seed'], p['width'], p['height']))
        return self.answer(200, made.getvalue(), 'application/zip', [('Content-Disposition', 'attachment; filename="photos.zip"')])

    def find(self, items, key, what):
        for item in items:
            if item['id'] == key:
                return item
        raise Trouble(404, 'not-found', f'There is no {what} {key} in this event. It may have been deleted.')

    def media(self, key, size, query):
        n = self.node
        if size == 'picture':
            return self.answer(200, n.bytes.get(key) or drawing(key, 300, 300), 'image/svg+xml' if key not in n.bytes else 'image/png')
        p = self.find(n.photos, key, 'photo')
        if not p['held'][size]:
            raise Trouble(404, 'unavailable', 'This device does not hold the picture yet.')
        headers = [('Cache-Control', 'private, immutable, max-age=31536000')]
        if 'download' in query:
            headers.append(('Content-Disposition', f'attachment; filename="{p["name"]}"'))
        if key in n.bytes:
            return self.answer(200, n.bytes[key], p['mime'], headers)
        return self.answer(200, drawing(p['_seed'], p['width'], p['height']), 'image/svg+xml', headers)

    def api(self, method, path, query, raw):
        n = self.node
        head, key, rest = path[0], unquote(path[1]) if len(path) > 1 else None, path[2] if len(path) > 2 else None
        if head == 'stream':
            return self.stream(query.get('since'))
        if head == 'media':
            return self.media(key, rest, query)
        if head == 'photos' and method == 'PUT':
            return self.upload(query, raw)
        if head == 'photos.zip':
            return self.archive(query, raw)
        if head == 'uploads':
            return self.part(method, key, query)
        if head == 'profile' and key == 'picture':
            if not dimensions(raw):
                raise Trouble(415, 'not-a-picture', 'That file is not a picture Mingle can read. Choose a JPEG, PNG or HEIC file.')
            n.bytes[n.me['id']] = raw
            n.me['picture'] = f"/api/v1/media/{n.me['id']}/picture?v={n.cursor}"
            n.announce('people')
            return self.answer(200, n.me)
        body = json.loads(raw) if raw else {}
        if path == ['hidden', 'log']:
            return self.answer(200, {'log': n.log})
        route = f'{method} {head}' + (' /' if key else '') + (f' {rest}' if rest else '')
        calls = {
            'GET status': lambda: n.status_view(), 'PUT profile': lambda: self.told(n.set_name(body['name']), 'person'),
            'GET events': lambda: {'events': [n.event_view(e) for e in n.events]}, 'POST events': lambda: n.event_view(n.start(body['title'])),
            'POST join': lambda: self.join(body), 'PUT events /': lambda: self.switch(body) if key == 'current' else self.change(key, body),
            'GET nearby': lambda: {'nearby': NEARBY, 'discovery': n.discovery}, 'DELETE events /': lambda: self.leave(key),
            'GET invitation': lambda: self.invitation(), 'POST invitations': lambda: self.invite(body),
            'GET bookmarks': lambda: {'items': [], 'next': None},
            'POST device-link': lambda: {'id': ident('d'), 'link': 'mingle://device/' + 'a' * 300, 'level': 'device', 'expires': iso(now() + timedelta(minutes=10)), 'uses': 1, 'used': 0},
            'GET invitations': lambda: {'invitations': n.invitations}, 'DELETE invitations /': lambda: self.close(key), 'PUT people / level': lambda: self.put_at(key, body), 'POST people / rescue': lambda: self.rescue(key, body),
            'GET connections': lambda: {'connections': self.connections()}, 'PUT connections /': lambda: self.connect(key, True), 'DELETE connections /': lambda: self.connect(key, False),
            'GET people': lambda: {'people': n.people}, 'GET peers': lambda: {'peers': self.peers()},
            'GET moments': lambda: {'moments': [n.moment_view(m) for m in sorted(n.moments, key=lambda m: m['start'], reverse=True)]},
            'POST moments': lambda: self.new_moment(body), 'GET moments /': lambda: n.moment_view(self.find(n.moments, key, 'moment')),
            'PATCH moments /': lambda: self.edit(key, body), 'DELETE moments /': lambda: self.drop(n.moments, key, 'moment'),
            'POST moments / join': lambda: self.take_part(key, 'joined'), 'POST moments / check-in': lambda: self.check_in(key, body),
            'GET moments / participants': lambda: {'joined': n.people[2:9], 'checked_in': n.people[1:4], 'invited': []},
            'GET photos': lambda: self.page_of_photos(query), 'GET photos /': lambda: self.find(n.photos, key, 'photo'), 'DELETE photos /': lambda: self.drop(n.photos, key, 'photo'),
            'GET comments': lambda: self.page_of_comments(query), 'POST comments': lambda: self.say(body['target'], body), 'DELETE comments /': lambda: self.unsay(key),
            'GET hidden': lambda: {'log': [e for e in n.log if e['current']]},
            'PUT hidden /': lambda: self.hide(key, body), 'DELETE hidden /': lambda: self.hide(key, None),
            'GET reports': lambda: {'reported': n.reported}, 'GET reports /': lambda: self.readers(key), 'PUT reports /': lambda: self.report(key, body),
            'GET news': lambda: self.news(query), 'GET notifications': lambda: self.notifications(), 'PUT notifications read': lambda: self.read(), 'PUT faves /': lambda: self.fave(key, True), 'DELETE faves /': lambda: self.fave(key, False),
        }
        if head == 'invitation.svg' or path == ['door', 'code.svg']:
            r = random.Random(n.invitation['link'])
            cells = ''.join(f'<rect x="{x}" y="{y}" width="1" height="1"/>' for x in range(33) for y in range(33) if r.random() < .48 and not ((x < 8 or x > 24) and (y < 8 or y > 24) and not (x > 24 and y > 24)))
            eyes = ''.join(f'<path d="M{x} {y}h7v7h-7zM{x + 1} {y + 1}v5h5v-5zM{x + 2} {y + 2}h3v3h-3z" fill-rule="evenodd"/>' for x, y in [(0, 0), (26, 0), (0, 26)])
            return self.answer(200, f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 37 37" shape-rendering="crispEdges"><rect x="-2" y="-2" width="37" height="37" fill="#fff"/>{cells}{eyes}</svg>'.encode(), 'image/svg+xml')
        if route not in calls:
            raise Trouble(404, 'not-found', f'No such call: {route}')
        with n.lock:
            result = calls[route]()
        if result is None:
            return self.answer(204)
        return self.answer(201 if method == 'POST' and head not in ('moments',) else 200, result)

    def change(self, key, body):
        event = self.find(self.node.events, key, 'event')
        event.update(body)
        return self.told(self.node.event_view(event), 'status')

    def told(self, result, *kinds, targets=None):
        self.node.announce(*kinds, targets=targets)
        return result

    def join(self, body):
        self.node.idle(JOINING_SECONDS)
        if not body['link'].startswith('mingle://'):
            raise Trouble(400, 'bad-invitation', 'That is not a Mingle invitation: it should begin with “mingle://join/”. Copy the whole link and paste it again.')
        return self.node.event_view(self.node.start('Summer meet-up', founder=False))

    def switch(self, body):
        self.node.current = body['id']
        return self.told(self.node.event_view(next(e for e in self.node.events if e['id'] == body['id'])), 'status')

    def leave(self, key):
        n = self.node
        title = next((e['title'] for e in n.events if e['id'] == key), '')
        n.events = [e for e in n.events if e['id'] != key]
        n.current = n.events[0]['id'] if n.events else None
        return self.told({'id': key, 'title': title, 'state': 'told', 'told': 1, 'until': None, 'detail': None}, 'status')

    def invitation(self):
        if not self.node.invitation:
            raise Trouble(404, 'not-found', 'This node holds no invitation it may show.')
        return self.node.invitation

    def invite(self, body):
        self.node.invitation = self.node.new_invitation(body)
        return self.node.invitation

    def close(self, key):
        closed = self.find(self.node.invitations, key, 'invitation')
        closed['closed'] = True
        if self.node.invitation is closed:
            self.node.invitation = next((i for i in reversed(self.node.invitations) if not i['closed']), None)
        return closed

    def put_at(self, key, body):
        person = self.find(self.node.people, key, 'person')
        person['level'] = body['level']
        return self.told(person, 'person')

    def rescue(self, key, body):
        person = self.find(self.node.people, key, 'person')
        if person['level'] != 'removed':
            raise Trouble(409, 'conflict', f"{person['name']} was not removed, so there is nothing to rescue.")
        if body['until'] < iso(now() - timedelta(days=1)):
            raise Trouble(404, 'not-found', 'Nothing more that the person wrote until then is on this device.')
        return {'person': person, 'records': {'photo': 2, 'comment': 1}}

    def connections(self):
        order = {'asks': 0, 'asked': 1, 'connected': 2}
        listed = [{'person': p, 'state': self.node.connections[p['id']], 'at': iso(now())} for p in self.node.people if self.node.connections.get(p['id'], 'none') != 'none']
        return sorted(listed, key=lambda c: order[c['state']])

    def connect(self, key, on):
        n = self.node
        person = self.find(n.people, key, 'person')
        if person['me']:
            raise Trouble(409, 'conflict', 'That is you. You can connect with other people only.')
        was = n.connections.get(key, 'none')
        n.connections[key] = ('connected' if was in ('asks', 'connected') else 'asked') if on else 'none'
        return self.told({'connection': n.connections[key]}, 'connection')

    def peers(self):
        return [{'person': p, 'address': f'192.168.1.{20 + i}:4781', 'direction': 'in' if i % 2 else 'out', 'state': 'in_sync', 'since': iso(now() - timedelta(minutes=9 * i + 2)), 'bytes_in': 1, 'bytes_out': 1}
                for i, p in enumerate(p for p in self.node.people if p['here'] and not p['me'])]

    def new_moment(self, body):
        n = self.node
        if body['end'] <= body['start']:
            raise Trouble(400, 'bad-request', 'The moment ends before it starts. Choose a later end.')
        m = {'id': ident('m'), 'description': '', **body, 'place': {'id': None, 'name': '', 'latitude': None, 'longitude': None, 'radius_m': None, **body.get('place', {})}, 'author': n.me, 'cover': None, 'created': iso(now()), 'joined': 0, 'checked_in': 0, 'faves': 0, 'faved': False, 'participation': None}
        n.moments.append(m)
        return self.told(n.moment_view(m), 'moment', targets=[m['id']])

    def edit(self, key, body):
        m = self.find(self.node.moments, key, 'moment')
        m.update(body)
        return self.told(self.node.moment_view(m), 'moment', targets=[key])

    def drop(self, items, key, what):
        items.remove(self.find(items, key, what))
        self.node.announce(what, targets=[key])

    def take_part(self, key, how):
        m = self.find(self.node.moments, key, 'moment')
        m['participation'] = how
        m['joined' if how == 'joined' else 'checked_in'] += 1
        return self.told(self.node.moment_view(m), 'moment', targets=[key])

    def check_in(self, key, body):
        place = self.find(self.node.moments, key, 'moment')['place']
        if place['latitude'] is None:
            return self.take_part(key, 'checked_in')
        if abs(place['latitude'] - body['latitude']) > .002 or abs(place['longitude'] - body['longitude']) > .002:
            raise Trouble(403, 'not-allowed', f"You are too far from {place['name']} to check in: you have to be within {place['radius_m']} m.")
        return self.take_part(key, 'checked_in')

    def page_of_photos(self, query):
        items = [p for p in self.node.photos if not query.get('target') or p['moment'] == query['target']]
        limit, before = min(500, int(query.get('limit', 100))), query.get('before')
        start = next((i + 1 for i, p in enumerate(items) if p['id'] == before), 0) if before else 0
        part = items[start:start + limit]
        return {'photos': part, 'next': part[-1]['id'] if start + limit < len(items) else None}

    def news(self, query):
        n, thing = self.node, lambda kind, one: {'kind': kind, 'id': one['id'], 'title': one['title'], 'author': one['author']}
        item = lambda kind, at, who, about, **more: {'type': kind, 'at': at, 'people': [who], 'count': 1, 'thing': about, 'photos': [], 'photo_count': 0, 'comments': [], 'comment_count': 0, **more}
        items = [item('photo', p['posted'], p['author'], thing('photo', p), photos=[p], photo_count=1) for p in n.photos]
        items += [item('comment', c['posted'], c['author'], thing('photo', p), comments=[c], comment_count=1) for p in n.photos for c in n.comments.get(p['id'], [])]
        items += [item('moment', m['created'], m['author'], thing('moment', m), moment=n.moment_view(m)) for m in n.moments]
        items.sort(key=lambda i: i['at'], reverse=True)
        if query.get('order') != 'newest':
            return {'items': items[:50]}
        at = int(query.get('before') or 0)
        return {'items': items[at:at + 50], 'next': str(at + 50) if at + 50 < len(items) else None}

    def notifications(self):
        n = self.node
        items = [{'id': f"comment.{p['id']}", 'kind': 'comment', 'thing': {'kind': 'photo', 'id': p['id'], 'title': p['title'], 'author': p['author']}, 'people': [c['author']],
                  'count': 1, 'time': c['posted'], 'read': n.has_read, 'link': f"/photos/{p['id']}#{c['id']}", 'text': c['text']}
                 for p in n.photos if p['mine'] for c in n.comments.get(p['id'], [])[-1:] if not c['author']['me']]
        return {'notifications': items, 'unread': sum(not i['read'] for i in items), 'muted': []}

    def read(self):
        self.node.has_read = True
        self.node.announce('reading')

    def page_of_comments(self, query):
        items = self.node.comments.get(query.get('target', ''), [])
        end = next((i for i, c in enumerate(items) if c['id'] == query.get('before')), len(items))
        start = max(0, end - 50)
        return {'comments': items[start:end][::-1], 'next': items[start]['id'] if start > 0 else None}

    def say(self, key, body):
        return self.told(self.node.comment(key, self.node.me, body['text']), 'comment', targets=[key])

    def unsay(self, key):
        for target, items in self.node.comments.items():
            self.node.comments[target] = [c for c in items if c['id'] != key]
        self.node.announce('comment')

    def record(self, key):
        n = self.node
        kinds = {'photo': n.photos, 'moment': n.moments, 'comment': [c for cs in n.comments.values() for c in cs]}
        kind, one = next(((k, x) for k, xs in kinds.items() for x in xs if x['id'] == key), (None, None))
        if not one:
            raise Trouble(404, 'not-found', 'That is gone.')
        return kind, one

    def report(self, key, body):
        n, (kind, one) = self.node, self.record(key)
        entry = next((e for e in n.reported if e['record'] == key), None)
        if not entry:
            entry = {'record': key, 'kind': kind, 'open': True, 'reports': [], 'author': one['author'], kind: n.moment_view(one) if kind == 'moment' else one}
            n.reported.insert(0, entry)
        entry['reports'] = [r for r in entry['reports'] if not r['by']['me']]
        entry['reports'].append({'by': n.me, 'reason': body['reason'], 'text': body.get('text', ''), 'at': iso(now())})
        n.announce('report')
        return self.readers(key)

    def readers(self, key):
        _, one = self.record(key)
        readers = [p for p in self.node.people if p['level'] in ('moderator', 'host', 'founder') and p['id'] != one['author']['id']]
        lowest = next((level for level in ('moderator', 'host', 'founder') if any(p['level'] == level for p in readers)), None)
        return {'readers': len(readers), **({'level': lowest} if lowest else {}), 'threshold': 3}

    def hide(self, key, body):
        n, (kind, one) = self.node, self.record(key)
        for entry in n.reported:
            entry['open'] = entry['open'] and entry['record'] != key
        for entry in n.log:
            entry['current'] = entry['current'] and entry['record'] != key
        reason = None if body is None else body.get('reason', '')
        one['hidden'] = None if body is None else {'record': key, 'reason': reason, 'by': n.me, 'at': iso(now())}
        n.log.insert(0, {'record': key, 'kind': kind, 'hides': body is not None, 'reason': reason, 'by': n.me, 'at': iso(now()), 'current': body is not None,
                         'author': one['author'], kind: n.moment_view(one) if kind == 'moment' else one})
        n.announce('hidden', 'photo', 'comment', 'moment')

    def fave(self, key, on):
        item = next((x for x in self.node.photos + self.node.moments if x['id'] == key), None)
        if not item:
            raise Trouble(404, 'not-found', 'That photo is gone.')
        if item['faved'] != on:
            item['faved'] = on
            item['faves'] += 1 if on else -1
        return self.told({'faves': item['faves'], 'faved': on}, 'fave', targets=[key])

    def part(self, method, key, query):
        """Uploads that go on after a break, but for the bytes themselves."""
        parts = self.node.parts
        if method == 'POST':
            key = ident('')
            parts[key] = {'query': query, 'bytes': b'', 'length': int(self.headers['Upload-Length']), 'photo': None}
            return self.answer(201, {'id': key, 'offset': 0, 'length': parts[key]['length']}, headers=[('Location', f'/api/v1/uploads/{key}')])
        one = parts.pop(key, None) if method == 'DELETE' else parts.get(key)
        if not one:
            raise Trouble(404, 'not-found', 'There is no such upload.')
        if method == 'DELETE':
            return self.answer(204)
        return self.answer(200, headers=[('Upload-Offset', str(len(one['bytes']))), ('Upload-Length', str(one['length'])), ('Cache-Control', 'no-store')])

    def append(self, key, length):
        """Takes bytes as they come, so that those before a break stay."""
        one, offset, came = self.node.parts.get(key), int(self.headers['Upload-Offset']), 0
        fits = one and offset == len(one['bytes']) and time.time() >= self.node.broken_until
        while came < length:
            data = self.rfile.read(min(65536, length - came))
            came += len(data)
            if not data or (fits and time.time() < self.node.broken_until):
                self.close_connection = True
                return None
            if fits:
                one['bytes'] += data
                self.node.idle(self.slow * len(data) / one['length'])
        if not one:
            raise Trouble(404, 'not-found', 'There is no such upload.')
        if not fits:
            self.close_connection = time.time() < self.node.broken_until
            return None if self.close_connection else self.answer(409, {'type': '/problems/conflict'}, 'application/problem+json', [('Upload-Offset', str(len(one['bytes'])))])
        if len(one['bytes']) < one['length']:
            return self.answer(204, headers=[('Upload-Offset', str(len(one['bytes'])))])
        return self.upload(one['query'], one['bytes'])

    def upload(self, query, raw):
        found = dimensions(raw)
        if not found:
            raise Trouble(415, 'not-a-picture', f"“{query.get('name', 'This file')}” is not a picture Mingle can read. Choose a JPEG, PNG or HEIC file.")
        n = self.node
        with n.lock:
            there = next((p for p in n.photos if p['mine'] and p['moment'] == query.get('target') and n.bytes.get(p['id']) == raw), None)
            if there:
                return self.answer(200, {**there, 'already_shared': True})
            p = n.photo(n.me, found[:2], now(), moment=query.get('target'), name=query.get('name'), mime=found[2], size=len(raw))
            n.bytes[p['id']] = raw
        n.announce('photo', targets=[p['id'], p['moment']])
        return self.answer(201, p)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--port', type=int, default=4790)
    parser.add_argument('--scenario', choices=['fresh', 'named', 'empty', 'party'], default='party')
    parser.add_argument('--photos', type=int, default=60)
    parser.add_argument('--slow', type=float, default=0, help='seconds an upload takes')
    args = parser.parse_args()
    Handler.node, Handler.slow = Node(args.scenario, args.photos), args.slow
    ThreadingHTTPServer.daemon_threads = True
    server = ThreadingHTTPServer(('127.0.0.1', args.port), Handler)
    print(f'http://127.0.0.1:{args.port}  ({args.scenario})', flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        Handler.node.ended.set()


if __name__ == '__main__':
    main()
