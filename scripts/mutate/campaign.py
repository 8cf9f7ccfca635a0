# SPDX-License-Identifier: MIT
"""Plants faults one after the other, has them judged, and says what came of them."""

import concurrent.futures
import dataclasses
import json
import os
import random
import sys
import time

from mutate import judge, plant
from mutate.build import BuildError
from tally import execute

NOTICED, MISSED, CUT, SAME, KNOWN, NO_FAULT = (
    "noticed", "missed", "missed within the budget", "the same code", "known", "no C++")


@dataclasses.dataclass
class Finding:
    fault: plant.Fault
    outcome: str
    by: str = ""  # The test file that noticed it.
    seconds: float = 0.0


@dataclasses.dataclass
class Suite:
    """The tests of a folder, as they run without a fault."""

    program: str
    runs: list
    texts: dict  # Of the test files.


class Campaign:
    """Faults in the sources of one build, judged by its test programs."""

    def __init__(self, build, arguments, equivalents):
        self.build = build
        self.arguments = arguments
        self.equivalents = equivalents
        self.sources = {}
        for path in sorted(build.units):
            if path.split("/")[0] in arguments.only:
                self.sources[path] = (build.sources / path).read_text(encoding="utf-8")
        self.suites = {}
        self.findings = []
        self.results = Results(arguments.out / f"seed-{arguments.seed}.jsonl", self.sources)
        self.before = self.results.noticed() if arguments.resume else {}
        self.began = self.spent = 0.0  # By the clock, and of all cores.

    # ---- what is planted ---------------------------------------------------------------------

    def drawn(self):
        """All faults in an order that the seed decides: a line as likely as any other, then a
        kind as likely as any other on it."""
        by_line = {}
        for path, source in self.sources.items():
            for fault in plant.find_faults(path, source):
                by_line.setdefault((path, fault.line), {}).setdefault(fault.kind, []).append(fault)
        chance = random.Random(self.arguments.seed)
        lines = list(by_line.values())
        chance.shuffle(lines)
        for kinds in lines:
            yield chance.choice(kinds[chance.choice(list(kinds))])

    def faults(self):
        return self.named() if self.arguments.case else self.drawn()

    def named(self):
        """The faults that --case names."""
        for name in self.arguments.case:
            path = name.split(":")[0]
            found = [fault for fault in plant.find_faults(path, self.sources.get(path, ""))
                     if fault.name() == name]
            if not found:
                raise BuildError(f"there is no fault {name}")
            yield found[0]

    # ---- how they are judged -----------------------------------------------------------------

    def measure_all(self, cache, jobs):
        """Runs all tests of the folders without a fault; the cases that fail."""
        failed = []
        own = {path.split("/")[0] for path in self.sources}
        for folder in sorted(own) + [name for name in self.arguments.also if name not in own]:
            try:
                failed += self.measure_suite(folder, cache, jobs)
            except BuildError as problem:
                if not self.arguments.without_failing:
                    raise
                say(f"{folder} is left out: {problem}")
                self.sources = {path: text for path, text in self.sources.items()
                                if path.split("/")[0] != folder}
        self.arguments.also = [name for name in self.arguments.also if name in self.suites]
        return failed

    def measure_suite(self, folder, cache, jobs):
        """Notes how the tests of a folder run; the cases that fail."""
        program = f"test_{folder}"
        key = self.build.program_key(program)
        cases = cache.get(program, {})
        if cases.get("key") != key:
            say(f"measuring {program} without a fault")
            cases = {"key": key, **self.measure(folder, program, jobs)}
            if not cases["failed"]:
                cache[program] = cases
        broken = {name.split(": ")[0] for name in cases["failed"]}
        runs = [run for file, each in cases["files"].items() if file not in broken
                for run in judge.runs_of(file, each)]
        texts = {run.file: (self.build.root / "tests" / run.file).read_text(encoding="utf-8")
                 for run in runs}
        self.suites[folder] = Suite(program, runs, texts)
        return cases["failed"]

    def measure(self, folder, program, jobs):
        """{"files": {file: [(case, seconds)]}, "failed": ["file: case"]}, of a program that holds
        a source compiled as faulty ones are, without a fault."""
        own = [path for path in self.sources if path.split("/")[0] == folder]
        objects = (self.build.compile(path, self.sources[path], program, jobs[0]) for path in own)
        made = next(filter(None, objects), None)
        linked = self.build.link(program, made, jobs[0]) if made or not own else None
        if not linked:
            raise BuildError(f"no source of {folder} compiles alone and links")
        files = judge.test_files(linked, self.build.root / "tests", jobs[0])
        if not files:
            raise BuildError(f"{program} names no tests")
        with concurrent.futures.ThreadPoolExecutor(len(jobs)) as pool:
            measured = list(pool.map(lambda file: judge.measure(execute, linked, file, jobs[0]),
                                     files))
        return {"files": {file: cases for file, (cases, _) in zip(files, measured)},
                "failed": [f"{file}: {name}" for file, (_, bad) in zip(files, measured)
                           for name in bad]}

    def judged(self, fault, job):
        began = time.monotonic()
        source = self.sources[fault.path]
        if (fault.path, *fault.change(source)) in self.equivalents:
            return Finding(fault, KNOWN)
        if self.results.key(fault) in self.before:
            return Finding(fault, NOTICED, self.before[self.results.key(fault)])
        folder = fault.path.split("/")[0]
        suite = self.suites[folder]
        made = self.compile(fault, fault.planted_in(source), suite, job)
        linked = made and self.build.link(suite.program, made, job)
        if not linked:
            return Finding(fault, NO_FAULT, "", time.monotonic() - began)
        outcome, by = self.outcome_of_runs(fault, suite, linked, job)
        if outcome != NOTICED and self.is_same_code(fault, suite, made, job):
            outcome = SAME
        for name in self.arguments.also:
            if outcome in (MISSED, CUT) and name != folder:
                outcome, by = self.outcome_elsewhere(fault, self.suites[name], outcome, job)
        return Finding(fault, outcome, by, time.monotonic() - began)

    def outcome_elsewhere(self, fault, suite, outcome, job):
        """What another folder's tests make of a fault that its own ones missed."""
        made = self.compile(fault, fault.planted_in(self.sources[fault.path]), suite, job)
        linked = made and self.build.link(suite.program, made, job)
        if not linked:
            return outcome, ""
        there, by = self.outcome_of_runs(fault, suite, linked, job)
        return (CUT if {outcome, there} == {CUT, MISSED} else there), by

    def compile(self, fault, text, suite, job):
        """What reads beyond an end has to be seen without the sanitizers."""
        more = ["-D_GLIBCXX_ASSERTIONS"] if fault.kind == "bound" else []
        return self.build.compile(fault.path, text, suite.program, job, more)

    def outcome_of_runs(self, fault, suite, linked, job):
        runs, is_cut = judge.in_order(suite.runs, fault.path, suite.texts, self.arguments.budget)
        for run in runs:
            status, _ = judge.call(linked, [*run.filters, "-aa=1"], run.seconds, job)
            if status != 0:
                return NOTICED, run.file
        return (CUT if is_cut else MISSED), ""

    def is_same_code(self, fault, suite, made, job):
        with_fault = made.read_bytes()
        made = self.compile(fault, self.sources[fault.path], suite, job)
        return bool(made) and made.read_bytes() == with_fault

    # ---- all of them -------------------------------------------------------------------------

    def run(self, jobs, count):
        """Judges the first `count` of the faults that compile; each job has a folder of its own."""
        self.began, self.spent = time.monotonic(), core_seconds()
        wanted, free, running = self.faults(), list(jobs), {}
        with concurrent.futures.ThreadPoolExecutor(len(jobs)) as pool:
            while True:
                while free and self.planted() + len(running) < count and (fault := next(wanted, 0)):
                    job = free.pop()
                    running[pool.submit(self.judged, fault, job)] = job
                if not running:
                    return
                done, _ = concurrent.futures.wait(
                    running, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in done:
                    free.append(running.pop(future))
                    self.take(future.result(), count)

    def planted(self):
        return sum(finding.outcome != NO_FAULT for finding in self.findings)

    def missed(self):
        return [each for each in self.findings if each.outcome in (MISSED, CUT)]

    def take(self, finding, count):
        self.findings.append(finding)
        fault = finding.fault
        if finding.outcome == NO_FAULT:
            return
        self.results.add(finding)
        done = self.planted()
        left = (time.monotonic() - self.began) / done * (count - done) / 60
        by = f" by {finding.by}" if finding.by else ""
        print(f"[{done}/{count}, {left:.0f} min to come] {finding.outcome}{by}: {fault.name()} "
              f"({finding.seconds:.0f} s)", flush=True)
        if finding.outcome in (MISSED, CUT):
            print(self.shown(fault), flush=True)

    def shown(self, fault):
        old, new = fault.change(self.sources[fault.path])
        return f"    - {old}\n    + {new}"

    def summary(self):
        missed = self.missed()
        lines = ["", f"{len(missed)} faults that no test noticed:"] if missed else []
        for each in sorted(missed, key=lambda each: (each.fault.path, each.fault.start)):
            cut = ", not all tests were run" if each.outcome == CUT else ""
            lines += [f"{each.fault.name()} ({plant.KINDS[each.fault.kind]}{cut})",
                      self.shown(each.fault)]
        lines += ["", "folder       planted  noticed   missed  (not all run)  same code    known"
                  "    share"]
        folders = sorted({each.fault.path.split("/")[0] for each in self.findings})
        lines += [self.row(folder, [each for each in self.findings
                                    if each.fault.path.split("/")[0] == folder])
                  for folder in folders]
        lines.append(self.row("all", self.findings))
        redrawn = sum(each.outcome == NO_FAULT for each in self.findings)
        minutes = (time.monotonic() - self.began) / 60
        each = (core_seconds() - self.spent) / max(len(self.findings), 1)
        return "\n".join([*lines, f"{redrawn} more did not compile; {minutes:.0f} minutes, "
                          f"{each:.0f} core-seconds for each"])

    @staticmethod
    def row(name, findings):
        count = {outcome: sum(each.outcome == outcome for each in findings)
                 for outcome in (NOTICED, MISSED, CUT, SAME, KNOWN)}
        missed = count[MISSED] + count[CUT]
        judged = count[NOTICED] + missed
        share = f"{100 * count[NOTICED] / judged:5.1f} %" if judged else "     -"
        return (f"{name:12} {sum(count.values()):7} {count[NOTICED]:8} {missed:8} {count[CUT]:14} "
                f"{count[SAME]:10} {count[KNOWN]:8}  {share}")


def core_seconds():
    """What all programs that were called took."""
    times = os.times()
    return times.children_user + times.children_system


def say(line):
    print(f"mutate: {line}", file=sys.stderr, flush=True)


class Results:
    """What came of faults, kept in a file as it comes."""

    def __init__(self, file, sources):
        self.file = file
        self.sources = sources

    def key(self, fault):
        return (fault.name(), *fault.change(self.sources[fault.path]))

    def noticed(self):
        """{key: the file that noticed it}"""
        if not self.file.is_file():
            return {}
        rows = [json.loads(line) for line in self.file.read_text(encoding="utf-8").splitlines()]
        return {tuple(row["key"]): row["by"] for row in rows if row["outcome"] == NOTICED}

    def add(self, finding):
        row = {"key": self.key(finding.fault), "outcome": finding.outcome, "by": finding.by,
               "seconds": round(finding.seconds, 1)}
        with self.file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(row) + "\n")
