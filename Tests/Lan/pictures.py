# SPDX-License-Identifier: Apache-2.0
"""Pictures for the tests: photos as JPEG, and large noise as PNG that nothing can compress."""

import hashlib
import os
import random
import struct
import subprocess
import zlib


def make_photos(folder, count, first=0):
    """Soft coloured shapes with some noise, of the size and weight that phones make; others for another `first`."""
    os.makedirs(folder, exist_ok=True)
    paths = []
    for number in range(count):
        dice = random.Random(first + number)
        width, height = 48, 36
        pixels = bytes(dice.randrange(256) for _ in range(width * height * 3))
        seed, path = os.path.join(folder, "seed.ppm"), os.path.join(folder, f"photo-{number + 1}.jpg")
        with open(seed, "wb") as file:
            file.write(b"P6 %d %d 255\n" % (width, height) + pixels)
        subprocess.run(["vips", "resize", seed, f"{path}[Q=92]", str(48 + number % 3 * 16)], check=True)
        os.remove(seed)
        paths.append(path)
    return paths


def pixels(path):
    """The hash of a picture's pixels."""
    decoded = f"{path}.ppm"
    subprocess.run(["vips", "copy", path, decoded], check=True)
    with open(decoded, "rb") as file:
        # The second line is a comment with the time of day.
        digest = hashlib.sha256(b"".join(line for number, line in enumerate(file) if number != 1)).hexdigest()
    os.remove(decoded)
    return digest


def make_noise(path, side):
    """A file with a square PNG of random pixels, of about 3 × side² bytes."""
    with open(path, "wb") as file:
        file.write(noise(side, os.urandom))
    return path


def noise(side, random_bytes):
    """A square PNG of pixels that `random_bytes` gives."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packer = zlib.compressobj(0)
    rows = b"".join(packer.compress(b"\0" + random_bytes(3 * side)) for _ in range(side)) + packer.flush()
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
