#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the checks and tests of the project. Usage: ./ductile test [--fast | --all] [--list] [NAME...]

NAME is a stage (see STAGES), a folder of tests/ or the beginning of a path in it (geom,
geom/query, geom/mass). Without names the short run runs: all stages but LONG_STAGES, some of them
on a share that differs from commit to commit, and under the sanitizers no case of the test suite
"long". --all leaves out nothing: run it before a release. --fast leaves out sanitizers and fuzzing.
CONTRIBUTING.md names all that the short run leaves out.

Only what the chosen stages need is built. Stages are made of jobs, which run side by side, as many
as there are cores; what a job prints stays together. A stage that fails does not stop the others.

The last line is "N passed, M failed, K skipped", counting test cases, scenes and checks; the exit
status is 0 if M is 0. Skipped is what needs something that is not here, such as meshes that are
not part of the project: each says what.

DUCTILE_TEST_MINUTES, from the environment, is how long the whole may take, for where somebody stops
it after a time: what has not begun by then, or is still at it, is skipped, counted and named; the
release build and the unit tests fail then.
"""

import concurrent.futures
import dataclasses
import functools
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
from typing import Callable, Optional

sys.dont_write_bytecode = True
import layer_pairs  # noqa: E402
import make_gallery  # noqa: E402
import run_fuzz  # noqa: E402
import shares  # noqa: E402
import stage_jobs  # noqa: E402
from tally import (ROOT, TEST_TIMEOUT_S, OutOfTime, Tally, execute, stop_all)  # noqa: E402

CORES = len(os.sched_getaffinity(0))


def check_runner(tally):
    """Whether this script counts right: what it prints is all that most people look at."""
    def counted(status, output):
        own = Tally()
        stage_jobs.count_cases(own, "test_x", status, output)
        return own.passed, own.failed, own.skipped

    summary = "[doctest] test cases:  7 |  {} passed | {} failed | 0 skipped\n"
    skip = "[skipped] a bunny: is dented: needs ../shared/meshes, which is not there\n"
    shares.self_test()
    cases = {
        "all passed": (counted(0, summary.format(7, 0)), (7, 0, 0)),
        "a skipped case has not passed": (counted(0, skip + summary.format(7, 0)), (6, 0, 1)),
        "failed ones are counted each": (counted(1, summary.format(5, 2)), (5, 2, 0)),
        "a case that asserts nothing fails":
            (counted(1, "[silent] x: asserts nothing\n" + summary.format(7, 0)), (6, 1, 0)),
        "a program that died is one failure": (counted(139, "Segmentation fault"), (0, 1, 0)),
        "an example is one check": (counted(0, "it rolled 3 m\n"), (1, 0, 0)),
        "a folder names its unit tests": (choose(["geom"]), (["unit"], ["geom"])),
        "so does a file": (choose(["tests/geom/mass_test.cpp"], leave_out=SLOW_STAGES),
                           (["unit"], ["geom/mass_test.cpp"])),
        "and needs no other program": (test_targets(Plan(("geom/mass_test.cpp",))), ["test_geom"]),
        "what is left out is left out": (set(STAGES) - set(choose([], leave_out=SLOW_STAGES)[0]),
                                         SLOW_STAGES),
        "a stage that is named runs, however long": (choose(["recipe"], leave_out=LONG_STAGES),
                                                     (["recipe"], [])),
        "the short run takes shares": (len(scene_jobs(Plan())) < len(scene_jobs(Plan(is_long=True))),
                                       True),
        "headers alone need no build": (with_build("headers", ["headers"]), None),
        "beside unit tests they wait": (with_build("headers", ["unit", "headers"]), "release"),
        "CONTRIBUTING.md names the long cases": (named_cases(), long_cases()),
        "what is out of time is skipped": (out_of_time("scenes"), (0, 0, 1)),
        "unit tests that are out of time have failed": (out_of_time("unit"), (0, 1, 0)),
    }
    for claim, (found, wanted) in cases.items():
        tally.add(claim, found == wanted, f"{found} instead of {wanted}")


def out_of_time(stage):
    """What is counted of a job that would outlast the time that is left."""
    own = run_counted(stage, "sleep", lambda tally: execute(["sleep", "5"], left=0.2))
    return own.passed, own.failed, own.skipped


# ---- stages ---------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Plan:
    """What was asked for."""

    paths: tuple = ()  # Of tests; none: all.
    is_long: bool = False


@dataclasses.dataclass
class Stage:
    """What is built for a stage, and the (name, job) of which it is made, as functions of the plan.
    Jobs are asked for when everything is built."""

    jobs: Callable
    preset: Optional[str] = None
    targets: Callable = lambda plan: []


def single(name, job, *targets):
    """A stage of one job that needs targets of the release build, or nothing built at all."""
    return Stage(lambda plan: [(name, job)], "release" if targets else None,
                 lambda plan: list(targets))


def shortened(name, job, *targets):
    """The same of a job that is told whether the run is a long one."""
    stage = single(name, job, *targets)
    stage.jobs = lambda plan: [(name, functools.partial(job, is_long=plan.is_long))]
    return stage


def test_files():
    tests = ROOT / "tests"
    return sorted(path.relative_to(tests).as_posix() for path in tests.rglob("*_test.cpp"))


def test_folders():
    return sorted({name.split("/")[0] for name in test_files()})


def folder_of(path):
    return path.split("/")[0]

# A case of the test suite "long"; its name may be cut into several literals.
LONG_CASE = re.compile(
    r'TEST_CASE\(((?:\s*"(?:[^"\\]|\\.)*")+)\s*\*\s*doctest::test_suite\("long"\)\)')


def long_cases():
    """The names of all cases that the short run leaves out under the sanitizers."""
    return sorted("".join(re.findall(r'"((?:[^"\\]|\\.)*)"', case))
                  for name in test_files()
                  for case in LONG_CASE.findall((ROOT / "tests" / name).read_text("utf-8")))


def named_cases():
    """The same as CONTRIBUTING.md has it."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    return sorted(re.findall(r"^  - (.*)$", text.split("**What the short run leaves out**")[1]
                             .split("\n\n`./ductile attack")[0], re.MULTILINE))


def test_targets(plan):
    if plan.paths:
        return sorted({f"test_{folder_of(path)}" for path in plan.paths})
    return ["ductile_tests", "example_bullet_game", "example_soft_grip"]


def test_jobs(preset, settings, plan):
    """A job for each test program, or for each that has tests on the plan's paths. Sanitized ones are
    several times slower: a short run leaves out their long cases, which run in the release build."""
    left_out = ["-tse=long"] if preset != "release" and not plan.is_long else []
    jobs = []
    for folder in test_folders():
        chosen = [path for path in plan.paths if folder_of(path) == folder]
        if chosen or not plan.paths:
            filters = [] if folder in chosen else chosen
            jobs.append((f"test_{folder}", functools.partial(
                stage_jobs.run_executable, preset=preset, name=f"test_{folder}", paths=filters,
                settings=settings, options=left_out)))
    whole = ["example_bullet_game", "example_soft_grip"]
    if preset == "release":  # Bullet's other precision is not in the sanitized build.
        whole += ["test_engine_other_bullet", "test_sim_other_bullet"]
    for name in whole if not plan.paths else []:
        jobs.append((name, functools.partial(stage_jobs.run_executable, preset=preset, name=name,
                                             paths=[], settings=settings)))
    return jobs


def scene_jobs(plan):
    scenes = sorted((ROOT / "scenes").glob("*.json"))
    if not scenes:
        return [("scenes", lambda tally: tally.add("scenes", False, "no scenes/*.json"))]
    if plan.is_long:
        return [(scene.name, functools.partial(stage_jobs.run_scene, scene=scene, frames=30))
                for scene in scenes]
    return [(scene.name, functools.partial(stage_jobs.run_scene, scene=scene, frames=10))
            for scene in shares.share(scenes, SCENES_OF_SHORT_RUN)]


def gallery_jobs(_):
    # Chromium's pictures need what npm installs.
    return [("npm", stage_jobs.web_modules), *make_gallery.check_jobs()]


def pair_jobs(_):
    return [(" and ".join(names), functools.partial(stage_jobs.run_pair, names=names))
            for names in layer_pairs.pairs()]


def python_jobs(_):
    tests = sorted((ROOT / "tests" / "python").glob("*_test.py"))
    return [("fuzz_module.py", stage_jobs.python_fuzz)] + [
        (test.name, functools.partial(stage_jobs.python_test, test=test)) for test in tests]


def bench_jobs(plan):
    entries = json.loads((ROOT / "build" / "release" / "compile_commands.json").read_text())
    benches = [(pathlib.Path(entry["file"]), entry["command"]) for entry in entries
               if pathlib.Path(entry["file"]).parent == ROOT / "bench"]
    benches.sort()
    if not plan.is_long:
        changed = {ROOT / name for name in shares.changed_files(ROOT)}
        taken = {source for source, _ in shares.share(benches, BENCHES_OF_SHORT_RUN)} | changed
        benches = [bench for bench in benches if bench[0] in taken]
    return [(source.name, functools.partial(stage_jobs.check_bench, source=source, command=command))
            for source, command in benches]


def fuzz_jobs(job):
    return lambda plan: [(name, functools.partial(job, name=name))
                         for name in run_fuzz.target_names()]


# Among those of one build, what shows most about the product comes first: the time may be short.
STAGES = {
    "format": single("format", stage_jobs.check_format),
    "layers": single("layers", stage_jobs.check_layers),
    "tolerances": single("tolerances", stage_jobs.check_tolerances),
    "runner": single("runner", check_runner),
    "launcher": single("launcher", stage_jobs.check_launcher),
    "mutate": single("mutate", stage_jobs.check_mutate),
    "unit": Stage(functools.partial(test_jobs, "release", None), "release", test_targets),
    "command": single("command", stage_jobs.check_command, "ductile_cli"),
    "player": single("player", stage_jobs.check_player, "ductile_cli"),
    "readers": single("readers", stage_jobs.check_readers, "ductile_cli"),
    "attack": single("attack", stage_jobs.check_attack, "ductile_cli"),
    "docs": single("docs", stage_jobs.check_docs, "ductile_cli"),
    "python": Stage(python_jobs, "release", lambda plan: ["ductile_python", "ductile_cli"]),
    "scenes": Stage(scene_jobs, "release", lambda plan: ["ductile_cli"]),
    "pairs": Stage(pair_jobs, "release", lambda plan: ["ductile_cli"]),
    "headers": shortened("headers", stage_jobs.check_headers),
    "sources": shortened("sources", stage_jobs.check_sources),
    "snippets": single("snippets", stage_jobs.check_snippets),
    "subproject": shortened("subproject", stage_jobs.check_subproject),
    "install": single("install", stage_jobs.check_install, "ductile_product"),
    "recipe": single("recipe", stage_jobs.check_recipe, "ductile_cli"),
    "benches": Stage(bench_jobs, "release", lambda plan: ["ductile_cli"]),
    "presets": single("presets", stage_jobs.check_presets),
    "gallery": Stage(gallery_jobs, "release", lambda plan: make_gallery.TARGETS),
    "asan": Stage(functools.partial(test_jobs, "asan", stage_jobs.SANITIZER_SETTINGS), "asan",
                  test_targets),
    "corpora": Stage(fuzz_jobs(stage_jobs.replay_corpus), "asan", lambda plan: ["ductile_fuzz"]),
    "fuzz": Stage(fuzz_jobs(stage_jobs.fuzz), "fuzz", lambda plan: ["ductile_fuzz"]),
}
SANITIZED_STAGES = {"asan", "corpora"}
LONG_STAGES = {"recipe", "presets", "gallery", "fuzz"}
SLOW_STAGES = SANITIZED_STAGES | LONG_STAGES
SCENES_OF_SHORT_RUN = 20
BENCHES_OF_SHORT_RUN = 4
# Need no build, but take minutes that unit tests may need.
LATE_STAGES = {"headers", "sources", "snippets", "subproject"}
STAGES_BY_PATH = {"unit", "asan"}


def choose(names, leave_out=frozenset()):
    """(stages in order, paths of tests or [] for all) for the words of the command line; without
    words all but those to be left out."""
    names = [name.removeprefix("tests/").rstrip("/") for name in names]
    files = test_files()
    unknown = [name for name in names if name not in STAGES
               and name not in test_folders()
               and not ("/" in name and any(file.startswith(name) for file in files))]
    if unknown:
        sys.exit(f"no stage and no folder of tests: {', '.join(unknown)}\n"
                 f"stages: {', '.join(STAGES)}\nfolders: {', '.join(test_folders())}")
    paths = [name for name in names if name not in STAGES]
    wanted = {name for name in names if name in STAGES}
    if paths and not wanted & STAGES_BY_PATH:
        wanted.add("unit")
    return [s for s in STAGES if s in wanted or not (wanted or s in leave_out)], paths


def build(preset, targets):
    """Builds through the launcher, which shows its progress itself; True if that worked."""
    began = time.monotonic()
    status, _ = execute([ROOT / "ductile", "build", preset, *targets], shows=True)
    print(f"== build of {preset}: {time.monotonic() - began:.0f} s", flush=True)
    return status == 0


def find_python_again():
    """A tree that was configured before pybind11 was there does not know the Python module."""
    tree = ROOT / "build" / "release" / "build.ninja"
    if tree.is_file() and "ductile_python" not in tree.read_text(encoding="utf-8"):
        execute(["cmake", "--preset", "release"], TEST_TIMEOUT_S)


def run_counted(stage, name, job):
    """The tally of one job, whatever becomes of it."""
    tally = Tally()
    try:
        job(tally)
    except OutOfTime as problem:
        count_cut(tally, stage == "unit", name, str(problem))
    except (OSError, ValueError, subprocess.SubprocessError) as problem:
        tally.add(name, False, f"{type(problem).__name__}: {problem}")
    return tally


def count_cut(tally, is_needed, name, reason):
    """What was out of time is skipped, but for that without which nothing is shown."""
    if is_needed:
        tally.add(name, False, reason)
    else:
        tally.skip(name, reason)


def run_job(stage, name, job):
    """Runs one job and then prints what it says, under a heading; (stage, seconds, tally)."""
    began = time.monotonic()
    tally = run_counted(stage, name, job)
    seconds = time.monotonic() - began
    heading = stage if name == stage else f"{stage} {name}"
    print("\n".join([f"== {heading}: {seconds:.1f} s", *tally.lines]), flush=True)
    return stage, seconds, tally


def build_for(stages, preset, targets, plan):
    """Builds what some stages need; None if that worked, else what came of it."""
    what = f"build of {preset}, and with it all of: {', '.join(stages)}"
    outcome = Tally()
    try:
        builds = [(preset, targets)]
        if "asan" in stages:  # The release's objects of tests, linked to sanitized libraries.
            builds.insert(0, ("release", test_targets(plan)))
        if all(build(*each) for each in builds):
            return None
        outcome.add(what, False)
    except OutOfTime as problem:
        count_cut(outcome, preset == "release", what, str(problem))
    return outcome


def with_build(name, names):
    """The build with whose stages a stage runs, among those chosen; None for those before any."""
    is_late = name in LATE_STAGES and any(STAGES[other].preset == "release" for other in names)
    return "release" if is_late else STAGES[name].preset


def run_stages(names, plan):
    """(stage, seconds, tally) of every job of these stages: build by build, what needs none first."""
    results = []
    for preset in (None, "release", "asan", "fuzz"):
        chosen = [name for name in names if with_build(name, names) == preset]
        if not chosen:
            continue
        if preset:
            if "python" in chosen:
                find_python_again()
            targets = sorted({t for name in chosen for t in STAGES[name].targets(plan)})
            missing = build_for(chosen, preset, targets, plan)
            if missing:
                print("\n".join(missing.lines), flush=True)
                results.append((chosen[0], 0.0, missing))
                continue
        with concurrent.futures.ThreadPoolExecutor(CORES) as pool:
            running = [pool.submit(run_job, name, title, job)
                       for name in chosen for title, job in STAGES[name].jobs(plan)]
            results += [future.result() for future in running]
    return results


def print_table(names, results):
    print("\nstage        seconds   passed   failed  skipped")
    for name in names:
        own = [(seconds, tally) for stage, seconds, tally in results if stage == name]
        print(f"{name:12} {sum(seconds for seconds, _ in own):7.1f} "
              f"{sum(t.passed for _, t in own):8} {sum(t.failed for _, t in own):8} "
              f"{sum(t.skipped for _, t in own):8}")


def interrupt(*_):
    stop_all()
    raise KeyboardInterrupt


def main():
    signal.signal(signal.SIGINT, interrupt)
    names = [word for word in sys.argv[1:] if not word.startswith("-")]
    options = {word for word in sys.argv[1:] if word.startswith("-")}
    if "--list" in options:
        print("\n".join([*STAGES, *test_folders()]))
        return 0
    if options - {"--fast", "--all"} or len(options) > 1:
        sys.exit(__doc__)
    leave_out = SLOW_STAGES if "--fast" in options else set() if "--all" in options else LONG_STAGES
    stages, paths = choose(names, leave_out)
    results = run_stages(stages, Plan(tuple(paths), "--all" in options))
    print_table(stages, results)
    passed, failed, skipped = (sum(getattr(tally, kind) for _, _, tally in results)
                               for kind in ("passed", "failed", "skipped"))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
