#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Attacks the command with what users may do to it, and keeps what it finds.

    ./ductile attack --minutes 60             for an hour
    ./ductile attack --seed 7 --runs 200      the same 200 attacks every time
    ./ductile attack --only scene,kill        only these kinds
    ./ductile attack --case scene:123456      one attack again, as a finding names it

Kinds of attack, taken in turns:
  scene   a random valid scene (1e-3 to 1e3 m, 1e-4 to 1e6 kg, up to 300 m/s, 30 to 1000 steps per
          second, every material, dents, shells, bends, tissue and every kind of hit by hand): its
          numbers are finite, nothing but forces gives energy, momentum stays, the replay is the
          run, threads and a common drift change nothing
  range   a documented number at an end of its range, or just inside, in a built-in scene
  file    a damaged mesh, scene, journal, point cache or picture: refused or read, never a crash
  kill    a run killed at a random time: nothing half-written, and the next run works
  disk    a full disk, or a full standard output or error
  pair    two runs into one folder at once

Each finding is one line, and a folder with the files and the command lines that show it
(OUT/KIND-SEED; scenes made as small as still shows it). Exit status: 0 nothing found, 1 something,
2 wrong use, 130 Ctrl-C.
"""

import argparse
import concurrent.futures
import dataclasses
import functools
import os
import pathlib
import random
import shutil
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
from attack import faults, files, physics, ranges  # noqa: E402
from attack.command import Command  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "release" / "bin" / "ductile"
# How often each kind comes, out of their sum.
KINDS = {"scene": (physics.attack_scene, 8), "file": (files.attack_file, 6),
         "range": (ranges.attack_range, 3), "kill": (faults.attack_kill, 1),
         "disk": (faults.attack_disk, 1), "pair": (faults.attack_pair, 1)}
PROGRESS_S = 30  # Between lines of progress where there is no terminal.


class Target(Command):
    """The command, and what is asked of it once for all attacks."""

    def __init__(self, program, folder):
        super().__init__(program)
        self.folder = folder
        self.lock = threading.Lock()

    def materials(self):
        return self._once("materials", lambda folder: [
            line.split()[0] for line in
            self.call("materials", folder=folder).output.splitlines() if line[:1].isalpha()])

    def seeds(self):
        return self._once("seeds", functools.partial(files.make_seeds, self))

    def numbers(self):
        return self._once("numbers", functools.partial(ranges.documented_numbers, self))

    def _once(self, name, make):
        with self.lock:
            if not hasattr(self, f"made_{name}"):
                folder = self.folder / name
                folder.mkdir()
                setattr(self, f"made_{name}", make(folder))
            return getattr(self, f"made_{name}")


@dataclasses.dataclass
class Case:
    """One attack: its kind and where its chance begins say all of it."""

    kind: str
    seed: int

    def run(self, target, folder):
        attack, _ = KINDS[self.kind]
        return attack(random.Random(self.seed), target, folder)

    def __str__(self):
        return f"{self.kind}:{self.seed}"


def cases(seed, kinds):
    """Attacks without end, the same for the same seed."""
    rng = random.Random(seed)
    weights = [KINDS[kind][1] for kind in kinds]
    while True:
        yield Case(rng.choices(kinds, weights)[0], rng.randrange(2 ** 32))


class Campaign:
    """Runs attacks side by side, keeps what they find, and counts."""

    def __init__(self, target, out):
        self.target = target
        self.out = out
        self.runs = dict.fromkeys(KINDS, 0)
        self.findings = dict.fromkeys(KINDS, 0)
        self.began = self.printed_at = time.monotonic()

    def attack(self, case):
        with tempfile.TemporaryDirectory(prefix="ductile-attack-") as name:
            folder = pathlib.Path(name)
            try:
                found = case.run(self.target, folder)
            except (OSError, ValueError, KeyError, RuntimeError) as problem:
                found = f"the attack itself failed: {type(problem).__name__}: {problem}"
            if found:
                kept = self.out / str(case).replace(":", "-")
                shutil.rmtree(kept, ignore_errors=True)
                shutil.copytree(folder, kept, symlinks=True)
                (kept / "finding.txt").write_text(f"{case}: {found}\n", encoding="utf-8")
        return case, found

    def take(self, case, found):
        self.runs[case.kind] += 1
        if found:
            self.findings[case.kind] += 1
            self.clear_line()
            print(f"FOUND {case}: {found}", flush=True)
        self.print_progress()

    def run(self, wanted, jobs, is_over):
        """Attacks until there are no more or the time is over."""
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            running = set()
            for case in wanted:
                if is_over():
                    break
                running.add(pool.submit(self.attack, case))
                if len(running) < 2 * jobs:
                    continue
                done, running = concurrent.futures.wait(
                    running, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in done:
                    self.take(*future.result())
            for future in concurrent.futures.as_completed(running):
                self.take(*future.result())

    def print_progress(self):
        now = time.monotonic()
        if sys.stderr.isatty():
            print(f"\r\033[K{self.summary()}", end="", file=sys.stderr, flush=True)
        elif now - self.printed_at >= PROGRESS_S:
            print(self.summary(), file=sys.stderr, flush=True)
            self.printed_at = now

    def clear_line(self):
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def summary(self):
        counts = ", ".join(f"{count} {kind}" for kind, count in self.runs.items() if count)
        return (f"attack: {sum(self.runs.values())} runs ({counts}), "
                f"{sum(self.findings.values())} findings, "
                f"{time.monotonic() - self.began:.0f} s")


def parsed_case(text):
    kind, _, seed = text.partition(":")
    if kind not in KINDS or not seed.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is not KIND:SEED, such as scene:123456")
    return Case(kind, int(seed))


def parsed_kinds(text):
    kinds = text.split(",")
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        raise argparse.ArgumentTypeError(
            f"no attack is called '{unknown[0]}' (there are: {', '.join(KINDS)})")
    return kinds


def parsed_arguments():
    parser = argparse.ArgumentParser(prog="ductile attack", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=None, help="the same seed, the same attacks")
    parser.add_argument("--minutes", type=float, default=None, help="for how long (1)")
    parser.add_argument("--runs", type=int, default=None, help="how many attacks instead")
    parser.add_argument("--only", type=parsed_kinds, default=list(KINDS), metavar="KINDS",
                        help="kinds of attack, with commas between")
    parser.add_argument("--case", type=parsed_case, metavar="KIND:SEED", help="one attack again")
    parser.add_argument("--jobs", type=int, default=None, help="attacks at a time (one a core)")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "out" / "attack",
                        help="folder for what is found (out/attack)")
    parser.add_argument("--program", type=pathlib.Path, default=PROGRAM,
                        help="the command that is attacked")
    return parser.parse_args()


def main():
    arguments = parsed_arguments()
    if not arguments.program.is_file():
        sys.exit(f"attack: {arguments.program} is not built")
    seed = arguments.seed if arguments.seed is not None else random.randrange(2 ** 32)
    end = time.monotonic() + 60 * (arguments.minutes or 1)
    has_count = arguments.runs is not None or arguments.case
    arguments.out.mkdir(parents=True, exist_ok=True)
    wanted = [arguments.case] if arguments.case else cases(seed, arguments.only)
    if arguments.runs is not None:
        wanted = (case for case, _ in zip(wanted, range(arguments.runs)))
    jobs = arguments.jobs or len(os.sched_getaffinity(0))
    print(f"attack: seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="ductile-attack-") as folder:
        campaign = Campaign(Target(arguments.program, pathlib.Path(folder)), arguments.out)
        campaign.run(wanted, jobs, is_over=lambda: not has_count and time.monotonic() >= end)
    campaign.clear_line()
    print(campaign.summary())
    if any(campaign.findings.values()):
        print(f"what was found is in {arguments.out}")
    return 1 if any(campaign.findings.values()) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
