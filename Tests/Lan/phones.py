#!/usr/bin/env python3
"""Phones at a door: so many scan the code, watch, share pictures and comment at once.

phones.py ADDRESS [--phones 300] [--sharing 50] [--commenting 20] [--seconds 20] PICTURE...

ADDRESS is what the poster says, http://HOST:PORT/CODE. Each phone is a browser with a cookie and a stream of its own. At the
end every phone reads all photos and comments: what was answered as shared has to be there once, and nothing else.
"""

import argparse
import asyncio
import json
import sys
import time
import urllib.parse


class Phone:
    """One browser: a cookie, and connections that are kept open."""

    def __init__(self, number, host, port):
        self.number, self.host, self.port = number, host, port
        self.cookie, self.idle, self.times, self.failures = '', [], [], []
        # Set once its stream of changes is open.
        self.watches = asyncio.Event()

    async def ask(self, method, path, body=b'', kind='application/json'):
        """Sends a request, and returns its status and what came back."""
        begun = time.monotonic()
        reader, writer = self.idle.pop() if self.idle else await asyncio.open_connection(self.host, self.port)
        head = [f'{method} {path} HTTP/1.1', f'Host: {self.host}:{self.port}', f'Content-Length: {len(body)}']
        if self.cookie:
            head.append(f'Cookie: {self.cookie}')
        if body:
            head.append(f'Content-Type: {kind}')
        writer.write('\r\n'.join(head).encode() + b'\r\n\r\n' + body)
        await writer.drain()
        status, headers = await self.head(reader)
        content = await self.content(reader, headers)
        if 'set-cookie' in headers:
            self.cookie = headers['set-cookie'].split(';')[0]
        self.idle.append((reader, writer))
        if method == 'GET':
            self.times.append(time.monotonic() - begun)
        return status, content

    async def head(self, reader):
        lines = (await reader.readuntil(b'\r\n\r\n')).decode().split('\r\n')
        headers = dict(line.lower().split(': ', 1) if not line.lower().startswith('set-cookie')
                       else ('set-cookie', line.split(': ', 1)[1]) for line in lines[1:] if ': ' in line)
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

    async def watch(self, seconds):
        """Keeps the stream of changes open, and reads the newest photos after each change."""
        reader, writer = await asyncio.open_connection(self.host, self.port)
        writer.write(f'GET /api/v1/stream HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nCookie: {self.cookie}\r\n\r\n'.encode())
        end = time.monotonic() + seconds
        status, _ = await self.head(reader)
        self.watches.set()
        if status != 200:
            self.failures.append(f'stream: {status}')
        while (left := end - time.monotonic()) > 0:
            try:
                data = await asyncio.wait_for(reader.read(65536), left)
            except asyncio.TimeoutError:
                break
            if not data:
                self.failures.append('the stream ended')
                break
            if b'event: change' in data:
                # As a page: it looks once for all that came together, and rests three times as long as that took.
                await asyncio.sleep(0.15)
                begun = time.monotonic()
                status, _ = await self.ask('GET', '/api/v1/photos?limit=30')
                await asyncio.sleep(min(3 * (time.monotonic() - begun), 5))
                if status != 200:
                    self.failures.append(f'photos: {status}')
        writer.close()


async def run(options):
    address = urllib.parse.urlsplit(options.address)
    phones = [Phone(number, address.hostname, address.port or 80) for number in range(options.phones)]
    for phone in phones:
        status, _ = await phone.ask('GET', address.path)
        assert status == 200 and phone.cookie, f'the code was not taken: {status}'
    pictures = [open(path, 'rb').read() for path in options.pictures]
    watching = [asyncio.create_task(phone.watch(options.seconds)) for phone in phones]
    await asyncio.wait_for(asyncio.gather(*(phone.watches.wait() for phone in phones)), 30)
    shared, said, first = {}, {}, asyncio.Event()

    async def share(phone):
        picture = pictures[phone.number % len(pictures)]
        begun = time.monotonic()
        status, content = await phone.ask('PUT', f'/api/v1/photos?name={phone.number}.jpg&title=by%20{phone.number}', picture, 'image/jpeg')
        if status not in (200, 201):
            return phone.failures.append(f'share: {status} {content[:120]}')
        shared[json.loads(content)['id']] = time.monotonic() - begun
        first.set()

    async def comment(phone):
        await asyncio.wait_for(first.wait(), 60)
        for turn in range(5):
            body = json.dumps({'target': next(iter(shared)), 'text': f'{phone.number}.{turn}'}).encode()
            status, content = await phone.ask('POST', '/api/v1/comments', body)
            if status != 201:
                phone.failures.append(f'comment: {status} {content[:120]}')
            else:
                said[json.loads(content)['id']] = f'{phone.number}.{turn}'

    sharing = [share(phone) for phone in phones[:options.sharing]]
    commenting = [comment(phone) for phone in phones[options.sharing:options.sharing + options.commenting]]
    await asyncio.gather(*sharing, *commenting)
    await asyncio.gather(*watching)
    lost = []
    for phone in phones[::max(1, len(phones) // 10)]:
        photos, before = [], None
        while True:
            _, content = await phone.ask('GET', '/api/v1/photos?limit=100' + (f'&before={before}' if before else ''))
            page = json.loads(content)
            photos += [photo['id'] for photo in page['photos']]
            before = page.get('next')
            if not before:
                break
        if not set(shared) <= set(photos) or len(photos) != len(set(photos)):
            lost.append(f'phone {phone.number} sees {len(set(shared) - set(photos))} photos too few')
    times = sorted(t for phone in phones for t in phone.times)
    failures = [failure for phone in phones for failure in phone.failures]
    result = {
        'phones': len(phones), 'shared': len(shared), 'comments': len(said), 'reads': len(times),
        'read_p50_ms': round(1000 * times[len(times) // 2]), 'read_p99_ms': round(1000 * times[int(len(times) * 0.99)]),
        'share_last_s': round(max(shared.values(), default=0), 2), 'failures': len(failures), 'lost': len(lost),
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
