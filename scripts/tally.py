# SPDX-License-Identifier: MIT
"""What the jobs of scripts/run_tests.py count, and how they run programs that count for them."""

import os
import pathlib
import re
import signal
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEST_TIMEOUT_S = 900  # One test executable, sanitized, on a busy machine.
BUILD_TIMEOUT_S = 4 * 3600  # Scripts that build the whole library, on a slow machine.
SHOWN_LINES = 60  # Of the output of something that failed.
DEADLINE = "DUCTILE_TEST_DEADLINE"  # A time as of time.time(), in the environment.
RUNNING = set()  # The processes that are at work; each leads a group of its own.


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


class OutOfTime(Exception):
    """A program was not begun, or was stopped, because of the deadline."""


def seconds_left():
    """Until the deadline; None without one."""
    deadline = os.environ.get(DEADLINE)
    return float(deadline) - time.time() if deadline else None


def stop_all():
    """Stops what runs, and begins nothing more."""
    os.environ[DEADLINE] = "0"
    for group in list(RUNNING):
        os.killpg(group, signal.SIGKILL)


def execute(command, timeout=None, settings=None, shows=False, left=None):
    """(exit status, stdout and stderr together) of a command that gets no input; with `shows` it
    prints itself. What is out of time is stopped with all that it has started: `left` seconds, or
    those until the deadline."""
    left = seconds_left() if left is None else left
    if left is not None and left <= 0:
        raise OutOfTime("no time is left for it")
    is_cut = left is not None and (timeout is None or left < timeout)
    pipe = None if shows else subprocess.PIPE
    process = subprocess.Popen([str(word) for word in command], cwd=ROOT,
                               env={**os.environ, **(settings or {})}, stdin=subprocess.DEVNULL,
                               stdout=pipe, stderr=None if shows else subprocess.STDOUT,
                               start_new_session=True)
    RUNNING.add(process.pid)
    try:
        output, _ = process.communicate(timeout=left if is_cut else timeout)
    except subprocess.TimeoutExpired as expired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        if is_cut:
            raise OutOfTime("stopped: the time for all tests is over") from expired
        return 124, (output or b"").decode(errors="replace") + f"\nstopped after {timeout} s"
    finally:
        RUNNING.discard(process.pid)
    return process.returncode, (output or b"").decode(errors="replace")


def run_script(tally, name, *arguments):
    status, output = execute(["/usr/bin/python3", ROOT / "scripts" / name, *arguments])
    tally.add(name, status == 0, output)


def run_claims(tally, name, *command, timeout=TEST_TIMEOUT_S):
    """Counts the "ok - CLAIM", "not ok - CLAIM" and "skipped - CLAIM" of a script."""
    status, output = execute(command, timeout)
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
