#!/usr/bin/env python3
"""Phones at a door: so many scan the code, watch, share pictures and comment at once.

phones.py ADDRESS [--phones 300] [--sharing 50] [--commenting 20] [--seconds 20] PICTURE...

ADDRESS is what the poster says, http://HOST:PORT/CODE. Each phone is a browser with a cookie and a stream of its own. The door
may be killed and started again meanwhile: a phone goes on as the page does. At the end every phone reads all photos and comments:
what was answered has to be there once, and nothing twice.
"""

import argparse
import asyncio
import collections
import json
import os
import sys
import time
import urllib.parse

# As the page has them, in bytes and seconds: transfer.js, watcher.js and uploads.js.
CHUNK, TRY, BUSY = 512 * 1024, 1, 5
# So long a phone tries to reach a door that does not answer, and a door that is busy.
PATIENCE = 60


class Lost(Exception):
    """The connection broke."""


class Phone:
    """One browser: a cookie, and connections that are kept open."""

    def __init__(self, number, host, port):
        self.number, self.host, self.port = number, host, port
        self.cookie, self.idle, self.times, self.failures, self.breaks = '', [], [], [], 0
        # Set once its stream of changes is open.
        self.watches = asyncio.Event()

    async def ask(self, method, path, body=b'', kind='application/json', **headers):
        """Sends a request, and returns its status, what came back, and the answer's headers."""
        begun = time.monotonic()
        try:
            reader, writer = self.idle.pop() if self.idle else await asyncio.open_connection(self.host, self.port)
            writer.write(self.request(method, path, body, kind, headers))
            await writer.drain()
            status, answered = await self.head(reader)
            content = b'' if method == 'HEAD' else await self.content(reader, answered)
        except (OSError, asyncio.IncompleteReadError) as error:
            # The others go to the same door.
            self.idle.clear()
            self.breaks += 1
            raise Lost from error
        if 'set-cookie' in answered:
            self.cookie = answered['set-cookie'].split(';')[0]
        self.idle.append((reader, writer))
        if method == 'GET':
            self.times.append(time.monotonic() - begun)
        return status, content, answered

    def request(self, method, path, body, kind, headers):
        head = [f'{method} {path} HTTP/1.1', f'Host: {self.host}:{self.port}', f'Content-Length: {len(body)}']
        if self.cookie:
            head.append(f'Cookie: {self.cookie}')
        if body:
            head.append(f'Content-Type: {kind}')
        head += [f'{name.replace("_", "-")}: {value}' for name, value in headers.items()]
        return '\r\n'.join(head).encode() + b'\r\n\r\n' + body

    async def head(self, reader):
        lines = (await reader.readuntil(b'\r\n\r\n')).decode().split('\r\n')
        headers = dict(line.lower().split(': ', 1) if not line.lower().startswith(('set-cookie', 'location'))
                       else (line.split(': ', 1)[0].lower(), line.split(': ', 1)[1]) for line in lines[1:] if ': ' in line)
        return int(lines[0].split()[1]), headers

    async def content(self, reader, headers):
        if 'content-length' in headers:
            return await reader.readexactly(int(headers['content-length']))
        parts = []
        while headers.get('transfer-encoding') == 'chunked':
            size = int(await reader.readline(), 16)
            parts.append(await reader.readexactly(size))
            await reader.readexactly(2)
            if size == 0:
                break
        return b''.join(parts)

    async def read(self, path):
        """What is there now, or once the door is back."""
        return await self.until_answered(lambda: self.ask('GET', path))

    async def until_answered(self, act):
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return await act()
            except Lost:
                if time.monotonic() > end:
                    raise
                await asyncio.sleep(TRY)

    async def watch(self, seconds):
        """Keeps the stream of changes open, and reads the newest photos after each change; it comes back after a break."""
        end, gone_since = time.monotonic() + seconds, None
        while time.monotonic() < end:
            try:
                reader, writer = await asyncio.open_connection(self.host, self.port)
                writer.write(self.request('GET', '/api/v1/stream', b'', '', {}))
                status, _ = await self.head(reader)
                if status != 200:
                    self.failures.append(f'stream: {status}')
                self.watches.set()
                gone_since = None
                await self.follow(reader, end)
                writer.close()
            except (OSError, Lost, asyncio.IncompleteReadError):
                gone_since = gone_since or time.monotonic()
                if time.monotonic() - gone_since > PATIENCE:
                    return self.failures.append('the stream did not come back')
                self.breaks += 1
                await asyncio.sleep(TRY)
        if gone_since:
            self.failures.append('the stream was gone at the end')

    async def follow(self, reader, end):
        while (left := end - time.monotonic()) > 0:
            try:
                data = await asyncio.wait_for(reader.read(65536), left)
            except asyncio.TimeoutError:
                return
            if not data:
                raise Lost
            if b'event: change' in data:
                # As a page: it looks once for all that came together, and rests three times as long as that took.
                await asyncio.sleep(0.15)
                begun = time.monotonic()
                status, *_ = await self.ask('GET', '/api/v1/photos?limit=30')
                await asyncio.sleep(min(3 * (time.monotonic() - begun), 5))
                if status != 200:
                    self.failures.append(f'photos: {status}')

    async def upload(self, path, data):
        """Sends a file in parts, goes on after breaks, and returns the last status and what came back."""
        url, offset, refused, end = None, 0, 0, time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if not url:
                    status, content, headers = await self.ask('POST', path, Upload_Length=len(data))
                    url, offset = headers.get('location'), 0
                elif offset is None:
                    status, content, headers = await self.ask('HEAD', url)
                    url, offset = (None if status == 404 else url), int(headers.get('upload-offset', 0))
                else:
                    part = data[offset:offset + CHUNK]
                    status, content, headers = await self.ask('PATCH', url, part, 'application/octet-stream', Upload_Offset=offset)
                    if status in (200, 201):
                        return status, content
                    if status == 409 and 'upload-offset' not in headers or status in (404, 409) and (refused := refused + 1) == 5:
                        return status, content
                    url, offset = (None if status == 404 else url), int(headers.get('upload-offset', offset))
                if status in (429, 503):
                    await asyncio.sleep(BUSY)
                elif status not in (200, 201, 204, 404, 409):
                    return status, content
            except Lost:
                offset = None
                await asyncio.sleep(TRY)
        return 0, b'the door took too long'

    async def comment(self, target, text):
        """Says something once: after a lost answer it looks first whether it is there, as people do."""
        body, is_unsure, end = json.dumps({'target': target, 'text': text}).encode(), False, time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if is_unsure:
                    for found in await self.all(f'comments?target={target}', 'comments'):
                        if found['text'] == text:
                            return 201, json.dumps(found).encode()
                return (await self.ask('POST', '/api/v1/comments', body))[:2]
            except Lost:
                is_unsure = True
                await asyncio.sleep(TRY)
        return 0, b'the door took too long'

    async def all(self, path, name):
        """All pages of a list."""
        found, before = [], ''
        while True:
            status, content, _ = await self.read(f'/api/v1/{path}{"&" if "?" in path else "?"}limit=100{before}')
            page = json.loads(content)
            if status != 200:
                self.failures.append(f'{name}: {status} {content[:120]}')
                return found
            found += page[name]
            if not page.get('next'):
                return found
            before = f'&before={page["next"]}'


class Party:
    """What all phones do, and what was answered."""

    def __init__(self, phones, pictures):
        self.phones, self.pictures = phones, pictures
        self.shared, self.said, self.first = {}, {}, asyncio.Event()
        # Sets apart what other parties share at the same door.
        self.name = os.urandom(4).hex()

    async def share(self, phone):
        picture, begun = self.pictures[phone.number % len(self.pictures)], time.monotonic()
        status, content = await phone.upload(f'/api/v1/uploads?name={phone.number}.jpg&title={self.name}.{phone.number}', picture)
        if status not in (200, 201):
            return phone.failures.append(f'share: {status} {content[:120]}')
        self.shared[json.loads(content)['id']] = time.monotonic() - begun
        self.first.set()

    async def comment(self, phone):
        await asyncio.wait_for(self.first.wait(), PATIENCE)
        for turn in range(5):
            text = f'{self.name}.{phone.number}.{turn}'
            status, content = await phone.comment(next(iter(self.shared)), text)
            if status != 201:
                phone.failures.append(f'comment: {status} {content[:120]}')
            else:
                self.said[json.loads(content)['id']] = text

    async def lost(self, phone):
        """What one phone does not see of what was answered, or sees twice."""
        photos = await phone.all('photos', 'photos')
        comments = await phone.all(f'comments?target={next(iter(self.shared), "")}', 'comments') if self.shared else []
        missing = len(set(self.shared) - {one['id'] for one in photos}) + len(set(self.said) - {one['id'] for one in comments})
        twice = [words for words, count in collections.Counter(
            [one.get('title') for one in photos if one.get('title')] + [one['text'] for one in comments]).items() if count > 1]
        return [f'phone {phone.number}: {missing} are missing, twice are {twice[:5]}'] if missing or twice else []


async def run(options):
    address = urllib.parse.urlsplit(options.address)
    phones = [Phone(number, address.hostname, address.port or 80) for number in range(options.phones)]
    for phone in phones:
        status, *_ = await phone.ask('GET', address.path)
        assert status == 200 and phone.cookie, f'the code was not taken: {status}'
    party = Party(phones, [open(path, 'rb').read() for path in options.pictures])
    watching = [asyncio.create_task(phone.watch(options.seconds)) for phone in phones]
    await asyncio.wait_for(asyncio.gather(*(phone.watches.wait() for phone in phones)), 30)
    sharing = [party.share(phone) for phone in phones[:options.sharing]]
    commenting = [party.comment(phone) for phone in phones[options.sharing:options.sharing + options.commenting]]
    await asyncio.gather(*sharing, *commenting)
    await asyncio.gather(*watching)
    times = sorted(t for phone in phones for t in phone.times)
    lost = [line for phone in phones for line in await party.lost(phone)]
    failures = [failure for phone in phones for failure in phone.failures]
    result = {
        'phones': len(phones), 'shared': len(party.shared), 'comments': len(party.said), 'reads': len(times),
        'read_p50_ms': round(1000 * times[len(times) // 2]), 'read_p99_ms': round(1000 * times[int(len(times) * 0.99)]),
        'share_last_s': round(max(party.shared.values(), default=0), 2), 'breaks': sum(phone.breaks for phone in phones),
        'failures': len(failures), 'lost': len(lost),
    }
    print(json.dumps(result))
    for failure in (failures + lost)[:10]:
        print(failure, file=sys.stderr)
    return not failures and not lost


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('address')
    parser.add_argument('pictures', nargs='+')
    for name, usual in (('phones', 300), ('sharing', 50), ('commenting', 20), ('seconds', 20)):
        parser.add_argument(f'--{name}', type=int, default=usual)
    sys.exit(0 if asyncio.run(run(parser.parse_args())) else 1)


if __name__ == '__main__':
    main()
