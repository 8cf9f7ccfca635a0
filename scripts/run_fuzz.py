#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Feeds the readers with broken files.
Usage: run_fuzz.py [--seconds N] [--seed N] [--build-only] [TARGET...]

Builds the targets of fuzz/ with clang, libFuzzer, the sanitizers and counters of what was reached
into build/fuzz (the preset fuzz), then runs each for N seconds (60 unless told), as many at a time as there are
cores, starting from the files in fuzz/corpus/TARGET and from what earlier runs found
(build/fuzz/found/TARGET). `./ductile test corpora` replays
the corpora alone, in the build of the sanitized tests. An input that crashes a reader, takes more than 10 s or 2 GB is kept in
build/fuzz/crashes, named, and makes the exit status 1: mend the reader, and add the input to its
corpus and its case to a test.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "build" / "fuzz" / "bin"
REPLAYED = ROOT / "build" / "asan" / "bin"
FINDINGS = ROOT / "build" / "fuzz"
CORPUS = ROOT / "fuzz" / "corpus"
CORES = len(os.sched_getaffinity(0))
INPUT_TIMEOUT_S = 10
MEMORY_MB = 2048
MOST_BYTES = 65536  # Of one input: what breaks a parser is short.
SHOWN_LINES = 60  # Of the output of a target that failed.
GRACE_S = 120  # Beyond its time, for reading the corpus on a busy machine.

# Leaks are left to the sanitized unit tests: looking for them takes seconds at every end on ARM.
SANITIZER_SETTINGS = {
    "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=0",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}


def target_names():
    return sorted(path.stem.removeprefix("fuzz_") for path in (ROOT / "fuzz").glob("fuzz_*.cpp"))


def build(names):
    """Builds through the launcher; True if that worked."""
    command = [ROOT / "ductile", "build", "fuzz", *(f"fuzz_{name}" for name in names)]
    return subprocess.run(command, stdin=subprocess.DEVNULL).returncode == 0


def fuzz_command(name, seconds, seed):
    # The same seed from the same files tries the same inputs, so earlier finds stay out of it.
    found = FINDINGS / ("found" if seed == 0 else f"found-{seed}") / name
    if seed != 0:
        shutil.rmtree(found, ignore_errors=True)
    crashes = FINDINGS / "crashes" / name
    for folder in (found, crashes):
        folder.mkdir(parents=True, exist_ok=True)
    saved = CORPUS / name
    return [PROGRAMS / f"fuzz_{name}", f"-max_total_time={seconds}", f"-seed={seed}",
            f"-timeout={INPUT_TIMEOUT_S}", f"-rss_limit_mb={MEMORY_MB}", f"-max_len={MOST_BYTES}",
            f"-artifact_prefix={crashes}/", "-print_final_stats=1", "-verbosity=1", found,
            *([saved] if saved.is_dir() else [])]


def replay(name):
    """(whether each input of the corpus was read or refused as it should be, what to print)."""
    saved = CORPUS / name
    inputs = len([path for path in saved.rglob("*") if path.is_file()])
    command = [REPLAYED / f"fuzz_{name}", "-runs=0", f"-timeout={INPUT_TIMEOUT_S}",
               f"-rss_limit_mb={MEMORY_MB}", f"-max_len={MOST_BYTES}", "-artifact_prefix=/dev/null",
               "-print_final_stats=1", saved]
    done = subprocess.run([str(word) for word in command], cwd=ROOT,
                          env={**os.environ, **SANITIZER_SETTINGS}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=inputs * INPUT_TIMEOUT_S + GRACE_S)
    output = done.stdout.decode(errors="replace")
    executed = re.findall(r"stat::number_of_executed_units:\s*(\d+)", output)
    tried = int(executed[-1]) if executed else 0
    text = f"{name}: {tried} inputs tried, of {inputs} that are kept"
    if done.returncode == 0 and 0 < inputs <= tried:
        return True, text
    return False, f"{text}\n{last_lines(output)}"


def summary(output):
    """What libFuzzer counted, in a few words."""
    executed = re.findall(r"stat::number_of_executed_units:\s*(\d+)", output)
    covered = re.findall(r"\bcov: (\d+)", output)
    inputs = re.findall(r"\bcorp: (\d+)", output)
    return (f"{executed[-1] if executed else '?'} inputs tried, "
            f"{covered[-1] if covered else '?'} edges covered, "
            f"{inputs[-1] if inputs else '?'} inputs worth keeping")


def last_lines(output):
    return "\n".join("    " + line for line in output.splitlines()[-SHOWN_LINES:])


def run(name, seconds, seed):
    """(name, whether nothing was found, what to print)."""
    environment = {**os.environ, **SANITIZER_SETTINGS}
    command = [str(word) for word in fuzz_command(name, seconds, seed)]
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=seconds + GRACE_S)
    except subprocess.TimeoutExpired as expired:
        output = (expired.stdout or b"").decode(errors="replace")
        return name, False, f"{name}: did not end {GRACE_S} s after its time\n{last_lines(output)}"
    output = done.stdout.decode(errors="replace")
    if done.returncode == 0:
        return name, True, f"{name}: {summary(output)}"
    return name, False, f"{name}: FOUND SOMETHING\n{last_lines(output)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0, help="0, the default, is another each time")
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    arguments = parser.parse_args()
    unknown = set(arguments.targets) - set(target_names())
    if unknown:
        parser.error(f"no such target: {', '.join(sorted(unknown))} "
                     f"(there are: {', '.join(target_names())})")
    names = arguments.targets or target_names()
    if not build(names):
        print("run_fuzz: the targets do not build")
        return 1
    if arguments.build_only:
        return 0
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(CORES) as pool:
        for _, ok, text in pool.map(lambda name: run(name, arguments.seconds, arguments.seed), names):
            print(text, flush=True)
            failed += not ok
    print(f"run_fuzz: {len(names) - failed} targets found nothing, {failed} found something")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
