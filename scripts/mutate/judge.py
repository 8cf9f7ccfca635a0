# SPDX-License-Identifier: MIT
"""Which tests are run on a fault, in which order, and for how long."""

import dataclasses
import html
import os
import pathlib
import re
import signal
import subprocess
import time

from tally import ROOT, RUNNING

CASE = re.compile(r'<TestCase name="([^"]*)" filename="([^"]*)"')
RESULT = re.compile(r'<OverallResultsAsserts[^>]*test_case_success="(\w+)"[^>]*duration="([^"]*)"')
TIMES = re.compile(r"(\d+)m([\d.]+)s")  # As the shell says what its programs took.
MEASURE_LIMIT_S = 3600
CORES = len(os.sched_getaffinity(0))
SLOW_CASE_S = 3.0  # Cases longer than that are run by themselves, after the others.
# A run may take this many times what it took without a fault, and this much more; of the clock, on
# a busy machine, several times that. Processor time is counted over all cores.
LIMIT_FACTOR, LIMIT_MORE_S, CLOCK_FACTOR = 3, 10, 6
MEMORY_KB = 8 << 20
LOOK_S, IDLE_S = 1, 30  # How often a program is looked at, and how long it may do nothing.
OWN, INCLUDES, NEAR, FAR = range(4)  # How near a test is to a source.


@dataclasses.dataclass(frozen=True)
class Run:
    """A call of a test program."""

    file: str  # Below tests.
    seconds: float  # Without a fault.
    filters: tuple
    is_slow: bool = False


def escaped(name):
    return name.replace("\\", "\\\\").replace(",", "\\,")


def call(program, filters, seconds, folder):
    """(exit status, output) of a test program that is ended when it takes too long or too much."""
    limit = int(LIMIT_FACTOR * seconds + LIMIT_MORE_S)
    work = int(max(LIMIT_FACTOR, 1.5 * CORES) * seconds + LIMIT_MORE_S)
    command = ["sh", "-c", f'ulimit -t {work}; ulimit -v {MEMORY_KB}; ulimit -c 0; exec "$@"',
               "sh", program, *filters]
    process = subprocess.Popen([str(word) for word in command], cwd=ROOT, stdin=subprocess.DEVNULL,
                               env={**os.environ, "TMPDIR": str(folder)}, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    RUNNING.add(process.pid)
    try:
        output = watch(process, CLOCK_FACTOR * limit)
        return process.returncode, output.decode(errors="replace")
    finally:
        RUNNING.discard(process.pid)


def watch(process, limit):
    """The output of a process; killed after a time, or when it has done nothing for a while, as
    what waits for itself. Seconds in which this script was stopped do not count."""
    looks = idle = 0
    last = None
    while True:
        try:
            return process.communicate(timeout=LOOK_S)[0]
        except subprocess.TimeoutExpired:
            looks, spent = looks + 1, processor_time(process.pid)
            idle = idle + 1 if spent == last else 0
            last = spent
            if looks * LOOK_S > limit or idle * LOOK_S > IDLE_S:
                os.killpg(process.pid, signal.SIGKILL)


def processor_time(pid):
    """What a process has taken so far, in no particular unit; always something else while it is
    stopped from outside."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return time.monotonic()
    state, *fields = stat.rpartition(")")[2].split()
    return time.monotonic() if state == "T" else fields[10:12]


def test_files(program, tests, folder):
    """Paths of the files whose cases a program has."""
    status, output = call(program, ["-ltc", "-r=xml"], 60, folder)
    if status != 0:
        return []
    return sorted({pathlib.Path(html.unescape(file)).relative_to(tests).as_posix()
                   for _, file in CASE.findall(output)})


def measure(execute, program, file, folder):
    """([(case, seconds)] of a file, and what failed in it, without any fault. Seconds are those of
    an idle machine: what others took meanwhile does not count."""
    timed = ["sh", "-c", f'ulimit -v {MEMORY_KB}; "$@"; status=$?; echo; times; exit $status',
             "sh", program]
    status, output = execute([*timed, f"-sf=*tests/{file}", "-r=xml", "-d=true"], MEASURE_LIMIT_S,
                             {"TMPDIR": str(folder)})
    cases, failed = [], []
    for part in output.split("<TestCase ")[1:]:
        result = RESULT.search(part)
        if result:  # Those of other files are listed, too.
            name = html.unescape(CASE.match("<TestCase " + part)[1])
            cases.append((name, float(result[2])))
            failed += [name] if result[1] != "true" else []
    if status != 0 and not failed:
        failed = [f"it ended with {status}"]
    spent = sum(60 * int(m) + float(s) for m, s in TIMES.findall((output.splitlines() or [""])[-1]))
    idle = min(1.0, spent / max(sum(seconds for _, seconds in cases), 1e-9))
    return [(name, idle * seconds) for name, seconds in cases], failed


def runs_of(file, cases):
    """The calls by which the cases of a file are run: the quick ones together."""
    place = f"-sf=*tests/{file}"
    slow = [(name, seconds) for name, seconds in cases if seconds > SLOW_CASE_S]
    quick = sum(seconds for _, seconds in cases) - sum(seconds for _, seconds in slow)
    runs = [Run(file, seconds, (place, f"-tc={escaped(name)}"), True) for name, seconds in slow]
    if len(slow) < len(cases):
        left_out = [f"-tce={','.join(escaped(name) for name, _ in slow)}"] if slow else []
        runs.append(Run(file, quick, (place, *left_out)))
    return runs


def nearness(source, file, text):
    """How near a test file with this text is to a source below src/ductile."""
    plain = source.removesuffix(".cpp")
    if file == f"{plain}_test.cpp":
        return OWN
    if f"#include <ductile/{plain}.h>" in text:
        return INCLUDES
    same = pathlib.Path(source).parent == pathlib.Path(file).parent
    return NEAR if same and "/" in plain.partition("/")[2] else FAR


def in_order(runs, source, texts, budget):
    """(runs on a fault in a source, nearest and cheapest first, within the budget in seconds;
    whether some were left out)."""
    def key(run):
        rank = nearness(source, run.file, texts[run.file])
        return rank >= NEAR, run.is_slow, rank, run.seconds, run.file

    ordered = sorted(runs, key=key)
    chosen, spent = [], 0.0
    for run in ordered:
        if not chosen or spent + run.seconds <= budget:
            chosen.append(run)
            spent += run.seconds
    return chosen, len(chosen) < len(ordered)
