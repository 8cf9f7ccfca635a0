#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds what is wrong with a picture by itself: blank, nearly uniform, or half of it a blank page.

Usage: picture_faults.py PICTURE...     one line for each with a fault; status 1 if there is any

Reads PNG as ffmpeg and Chromium write it (eight bits a channel, not interlaced) and SVG; the
standard library is enough. What a picture shows is no matter here: `./ductile gallery --check`
compares it with what its scene does.
"""

import collections
import pathlib
import re
import struct
import sys
import xml.etree.ElementTree
import zlib

CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # By PNG's type of colour; 3 is a palette.
# Pictures of the pages have up to 0.42 of one colour (a map on grey, ships above one plain ground).
# The player whose canvases were all blank had 0.69.
MOST_OF_ONE_COLOUR = 0.5
# Colours that are nearly the same, of 255, and the least share of a picture beyond them. The least
# that a sound picture has is 0.10 (a bottle on bare ground).
ALIKE = 12
LEAST_APART = 0.05
LEAST_POINTS = 10  # Different places through which the curves and dots of a plot go.


def read_png(path):
    """(width, bytes per pixel, palette or None, rows of bytes) of a PNG file."""
    data = path.read_bytes()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("is no PNG file")
    at, parts = 8, collections.defaultdict(bytes)
    while at + 12 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        parts[kind] += data[at + 8:at + 8 + size]
        at += 12 + size
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", parts[b"IHDR"])
    if depth != 8 or interlaced or colour not in CHANNELS:
        raise ValueError("is a PNG file of a kind that scripts/picture_faults.py does not read")
    step = CHANNELS[colour]
    raw = zlib.decompress(parts[b"IDAT"])
    if len(raw) != height * (width * step + 1):
        raise ValueError("is a PNG file that ends too early")
    return width, step, parts[b"PLTE"] if colour == 3 else None, rows(raw, width * step, step)


def rows(raw, size, step):
    """The rows of a PNG, of `size` bytes each, without the filters before them."""
    above = bytes(size)
    for start in range(0, len(raw), size + 1):
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + size])
        for i in range(size if kind else 0):
            left = row[i - step] if i >= step else 0
            row[i] = (row[i] + predicted(kind, left, above[i],
                                         above[i - step] if i >= step else 0)) & 255
        yield row
        above = row


def predicted(kind, left, up, corner):
    """What a PNG filter expects of a byte from those to its left, above and both."""
    if kind == 4:
        guess = left + up - corner
        return min((abs(guess - left), 0, left), (abs(guess - up), 1, up),
                   (abs(guess - corner), 2, corner))[2]
    return (0, left, up, (left + up) // 2)[kind]


def count_colours(path):
    """How many pixels of a PNG have which colour."""
    _, step, palette, lines = read_png(path)
    counts = collections.Counter()
    for row in lines:
        counts.update(row if step == 1 else zip(*(row[k::step] for k in range(min(step, 3)))))
    if palette is not None:
        return {tuple(palette[3 * i:3 * i + 3]): count for i, count in counts.items()}
    return {each if step > 2 else 3 * ((each,) if step == 1 else each[:1]): count
            for each, count in counts.items()}


def png_fault(path):
    counts = count_colours(path)
    total = sum(counts.values())
    most = max(counts, key=counts.get)
    share = counts[most] / total
    if share > MOST_OF_ONE_COLOUR:
        return f"{share:.0%} of it is of one colour, {most}: blank, or a page that failed"
    apart = sum(count for colour, count in counts.items()
                if max(abs(a - b) for a, b in zip(colour, most)) > ALIKE) / total
    if apart < LEAST_APART:
        return f"is nearly uniform: {1 - apart:.0%} of it is like {most}"
    return ""


def svg_places(path):
    """Where the curves and dots of a plot go, in its own units: [(x, y)]."""
    places = []
    for element in xml.etree.ElementTree.parse(path).iter():
        kind, get = element.tag.rpartition("}")[2], element.attrib.get
        if any(re.search(r"\b(nan|inf)\b", value, re.IGNORECASE) for value in element.attrib.values()):
            raise ValueError(f"a {kind} of it is at no finite place")
        if kind in ("path", "polyline", "polygon"):
            numbers = re.findall(r"-?[\d.]+", get("d") or get("points") or "")
            places += zip(map(float, numbers[::2]), map(float, numbers[1::2]))
        elif kind in ("circle", "ellipse"):
            places.append((float(get("cx")), float(get("cy"))))
    return places


def svg_fault(path):
    count = len(set(svg_places(path)))
    return "" if count >= LEAST_POINTS else f"is a plot of {count} points"


def fault(path):
    """What is wrong with the picture; empty if nothing is."""
    path = pathlib.Path(path)
    readers = {".png": png_fault, ".svg": svg_fault}
    if path.suffix not in readers:
        return "is neither PNG nor SVG: scripts/picture_faults.py cannot look at it"
    try:
        return readers[path.suffix](path)
    except (ValueError, struct.error, zlib.error, xml.etree.ElementTree.ParseError) as problem:
        return f"cannot be read: {problem}"


def write_png(path, width, colours):
    """A PNG of these colours, row by row: for tests of what looks at pictures."""
    lines = [b"\0" + bytes(sum(colours[i:i + width], ())) for i in range(0, len(colours), width)]

    def part(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, len(lines), 8, 2, 0, 0, 0)
    pathlib.Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + part(b"IHDR", header)
                                   + part(b"IDAT", zlib.compress(b"".join(lines))) + part(b"IEND", b""))


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    faults = [(name, fault(name)) for name in sys.argv[1:]]
    print("".join(f"{name}: {text}\n" for name, text in faults if text), end="")
    return 1 if any(text for _, text in faults) else 0


if __name__ == "__main__":
    sys.exit(main())
