# SPDX-License-Identifier: MIT
"""What a short run of the tests takes of checks that all together would take too long: what changed,
and a share of the rest that the name of the last commit chooses, so that all have their turn."""

import hashlib
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECENT = 20  # Commits whose changes count.


def git_lines(root, *command):
    """What git prints, a line each; nothing outside of a clone."""
    done = subprocess.run(["git", "-C", root, *command], capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else []


def changed_files(root):
    """Paths below `root` that differ from what they were RECENT commits ago; of a clone that is not
    as deep, since its first commit."""
    commits = git_lines(root, "rev-list", "--first-parent", f"--max-count={RECENT + 1}", "HEAD")
    if not commits:
        return set()
    return set(git_lines(root, "diff", "--name-only", commits[-1])) | set(
        git_lines(root, "ls-files", "--others", "--exclude-standard"))


def salt_of(root):
    """The name of the last commit; "" outside of a clone."""
    return "".join(git_lines(root, "rev-parse", "HEAD"))


def in_turn(items, salt, name=str):
    """The items in an order that the salt decides, by their names alone."""
    return sorted(items, key=lambda item: hashlib.sha256(f"{salt}{name(item)}".encode()).digest())


def share(items, count, root=ROOT):
    """So many of the items, others after each commit, in the order in which they stood."""
    chosen = set(in_turn(items, salt_of(root))[:count])
    return [item for item in items if item in chosen]


def self_test():
    items = [f"item {number}" for number in range(100)]
    shares = [in_turn(items, str(salt))[:7] for salt in range(300)]
    assert shares[0] != shares[1] and shares[0] == in_turn(items, "0")[:7]
    assert set().union(*shares) == set(items)
    assert len(share(items, 7)) == 7 and share(items, 200) == items
