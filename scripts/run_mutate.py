#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plants faults in the sources, one at a time, and tells which of them no test notices.

    ./ductile mutate                       300 faults over all folders of src/ductile
    ./ductile mutate deform --count 40     in one folder
    ./ductile mutate --only deform,impact  in two
    ./ductile mutate --seed 7 --list       the same faults every time; --list only shows them
    ./ductile mutate --case geom/mass.cpp:41:bound:0     one fault again, as a finding names it

Faults are what people do: a term left out, a sign turned, a bound moved, two arguments swapped, an
early exit removed, a call left out, a condition negated (scripts/mutate/plant.py), on lines that
chance chooses. Chance begins at --seed: without it, at the hash of the last commit. Only the source
with the fault is compiled, into a test program of its own; the checkout stays as it is. The tests
of the source's folder run on it, nearest and cheapest first, until the first one fails, and no more
of them than take --budget seconds without a fault; then those of the folders that --also names.
What does not compile is no fault, and another one is drawn; what does not end is noticed. Before
that, the tests have to pass without any fault.

Apart are counted: faults after which the compiler makes the same code, and those that
scripts/mutate/equivalent.txt says change nothing.

Exit status: 0 every fault was noticed, 1 some were not, 2 wrong use, or tests that fail without a
fault, 4 the build failed, 130 Ctrl-C.
"""

import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from mutate import known  # noqa: E402
from mutate.build import Build, BuildError, source_root  # noqa: E402
from mutate.campaign import Campaign, Results, say  # noqa: E402
from tally import ROOT, execute, stop_all  # noqa: E402

CORES = len(os.sched_getaffinity(0))
def folders_of(root):
    return sorted(path.name for path in (root / "src" / "ductile").iterdir() if path.is_dir())


def seed_of_commit():
    answer = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True,
                            check=False)
    return int(answer.stdout[:8], 16) if answer.returncode == 0 else 1


def parsed_arguments(words=None):
    parser = argparse.ArgumentParser(usage=__doc__, add_help=True)
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help="of src/ductile")
    parser.add_argument("--only", default="", help="folders, with commas between them")
    parser.add_argument("--count", type=int, default=300, help="how many faults")
    parser.add_argument("--seed", type=int, help="where chance begins")
    parser.add_argument("--jobs", type=int, default=CORES, help="faults at a time")
    parser.add_argument("--budget", type=float, default=60, help="seconds of tests for each fault")
    parser.add_argument("--also", default="",
                        help="folders of tests that are asked about what a folder's own miss")
    parser.add_argument("--build", type=pathlib.Path, help="a build folder that CMake made")
    parser.add_argument("--no-build", action="store_true", help="take what is built as it is")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "mutate",
                        help="where results and durations of tests are kept")
    parser.add_argument("--known", type=pathlib.Path, default=known.FILE,
                        help="the list of faults that change nothing")
    parser.add_argument("--resume", action="store_true",
                        help="what was noticed with this seed before is not tried again")
    parser.add_argument("--case", action="append", default=[], help="judge this fault alone")
    parser.add_argument("--list", action="store_true", help="only show what would be planted")
    parser.add_argument("--without-failing", action="store_true",
                        help="leave out files whose tests fail without a fault")
    parser.add_argument("--self-test", action="store_true", help="whether this script is right")
    arguments = parser.parse_args(words)
    if arguments.seed is None:
        arguments.seed = seed_of_commit()
    arguments.count = len(arguments.case) or arguments.count
    if arguments.count < 1 or arguments.jobs < 1 or arguments.budget <= 0:
        parser.error("--count, --jobs and --budget are above zero")
    arguments.also = list(filter(None, arguments.also.split(",")))
    arguments.only = set(arguments.folders) | set(filter(None, arguments.only.split(",")))
    arguments.only |= {name.split("/")[0] for name in arguments.case}
    return arguments


def choose_folders(arguments):
    """Those named, or all."""
    folders = folders_of(source_root(arguments.build) if arguments.build else ROOT)
    unknown = arguments.only - set(folders)
    if unknown:
        raise BuildError(f"no folder of src/ductile: {', '.join(sorted(unknown))}\n"
                         f"folders: {', '.join(folders)}")
    arguments.only = arguments.only or set(folders)


def build_tests(arguments):
    """Builds what is to be linked; 0 if that worked."""
    targets = [f"test_{folder}" for folder in sorted(arguments.only | set(arguments.also))]
    command = ["ninja", "-C", arguments.build, *targets] if arguments.build else \
        [ROOT / "ductile", "build", "release", *targets]
    status, output = execute(command, shows=not arguments.build)
    if status != 0 and arguments.build:
        print("\n".join(output.splitlines()[-20:]), file=sys.stderr)
        say("the tests do not build; --no-build takes what is there")
    return status


def read_cache(file):
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def plant_all(campaign, arguments, work):
    """The faults, judged; the exit status."""
    jobs = [work / f"job-{number}" for number in range(arguments.jobs)]
    for job in jobs:
        job.mkdir()
    cache_file = arguments.out / "durations.json"
    cache = read_cache(cache_file)
    failed = campaign.measure_all(cache, jobs)
    cache_file.write_text(json.dumps(cache), encoding="utf-8")
    if failed and not arguments.without_failing:
        say("tests fail without any fault (--without-failing leaves their files out):")
        print("\n".join(failed), file=sys.stderr)
        return 2
    campaign.run(jobs, arguments.count)
    print(campaign.summary())
    return 1 if campaign.missed() else 0


def list_faults(campaign, count):
    for _, fault in zip(range(count), campaign.faults()):
        print(f"{fault.name()}\n{campaign.shown(fault)}")
    return 0


def main():
    arguments = parsed_arguments()
    if arguments.self_test:
        from mutate import self_test
        return self_test.run()
    equivalents = known.read_equivalents(arguments.known.read_text(encoding="utf-8"))
    choose_folders(arguments)
    if not (arguments.list or arguments.no_build) and build_tests(arguments) != 0:
        return 4
    arguments.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="ductile-mutate-") as folder:
        work = pathlib.Path(folder)
        build = Build(arguments.build or ROOT / "build" / "release", work, execute)
        campaign = Campaign(build, arguments, equivalents)
        if arguments.list:
            return list_faults(campaign, arguments.count)
        say(f"seed {arguments.seed}, {arguments.jobs} at a time")
        return plant_all(campaign, arguments, work)


def interrupt(*_):
    stop_all()
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGINT, interrupt)
    try:
        sys.exit(main())
    except (BuildError, ValueError) as problem:
        say(problem)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
