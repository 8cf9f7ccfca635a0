# SPDX-License-Identifier: MIT
"""Reads scripts/mutate/equivalent.txt: faults that change nothing anybody could notice."""

import pathlib

FILE = pathlib.Path(__file__).with_name("equivalent.txt")


def read_equivalents(text):
    """{(path, line before, line after): reason}; a ValueError names what is wrong."""
    found, block = {}, []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.startswith("#"):
            continue
        if line.strip():
            block.append(line)
            continue
        if block:
            path, _, reason = block[0].partition(": ")
            if len(block) != 3 or not reason.strip() or block[1][:2] != "- " or \
                    block[2][:2] != "+ ":
                raise ValueError(f"before line {number}: not PATH: REASON, '- OLD' and '+ NEW'")
            found[path, block[1][2:].strip(), block[2][2:].strip()] = reason
        block = []
    return found


def stale(equivalents, sources):
    """Those whose line is no longer in the sources."""
    texts = {}
    for path, _, _ in equivalents:
        file = sources / path
        texts[path] = " ".join(file.read_text(encoding="utf-8").split()) if file.is_file() else ""
    return [f"{path}: {old}" for path, old, _ in equivalents if old not in texts[path]]
