# SPDX-License-Identifier: MIT
"""What the jobs of scripts/run_tests.py count, and how they run programs that count for them."""

import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEST_TIMEOUT_S = 600  # One test executable, sanitized, on a busy machine.
SHOWN_LINES = 60  # Of the output of something that failed.


class Tally:
    """What came of a job: how many passed, failed and were skipped, and what there is to say."""

    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.skipped = 0
        self.lines = []

    def say(self, line):
        self.lines.append(line)

    def add(self, name, ok, output=""):
        if ok:
            self.passed += 1
            return
        self.failed += 1
        self.say(f"FAILED {name}")
        self.lines += ["    " + line for line in output.splitlines()[-SHOWN_LINES:]]

    def skip(self, name, reason):
        self.skipped += 1
        self.say(f"  skipped {name}: {reason}")


def execute(command, timeout=None, settings=None):
    """(exit status, stdout and stderr together) of a command that gets no input."""
    environment = {**os.environ, **(settings or {})}
    try:
        done = subprocess.run([str(word) for word in command], cwd=ROOT, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=timeout)
    except subprocess.TimeoutExpired as expired:
        output = (expired.stdout or b"").decode(errors="replace")
        return 124, output + f"\nstopped after {timeout} s"
    return done.returncode, done.stdout.decode(errors="replace")


def run_script(tally, name, *arguments):
    status, output = execute(["/usr/bin/python3", ROOT / "scripts" / name, *arguments])
    tally.add(name, status == 0, output)


def run_claims(tally, name, *command):
    """Counts the "ok - CLAIM", "not ok - CLAIM" and "skipped - CLAIM" of a script."""
    status, output = execute(command, TEST_TIMEOUT_S)
    kinds = ("ok - ", "not ok - ", "skipped - ")
    claims = re.split(rf"^(?={'|'.join(kinds)})", output, flags=re.MULTILINE)
    claims = [claim for claim in claims if claim.startswith(kinds)]
    for claim in claims:
        if claim.startswith("skipped"):
            tally.skip(name, claim.splitlines()[0].removeprefix("skipped - "))
        else:
            tally.add(claim.splitlines()[0], claim.startswith("ok"), claim)
    # A script that died on its way has claimed nothing about the rest.
    if not claims or (status != 0 and not any(claim.startswith("not") for claim in claims)):
        tally.add(name, False, output)
