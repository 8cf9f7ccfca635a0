# SPDX-License-Identifier: MIT
"""The jobs of which the stages of ./ductile test are made: each counts into a tally."""

import json
import math
import os
import pathlib
import re
import shlex
import tempfile
import threading
import time

import layer_pairs
import run_fuzz
from tally import (BUILD_TIMEOUT_S, ROOT, TEST_TIMEOUT_S, OutOfTime, execute, run_claims,
                   run_script, seconds_left)

COMMAND = ROOT / "build" / "release" / "bin" / "ductile"
REAL_MESHES = ROOT.parent / "shared" / "meshes"
FUZZ_SECONDS = 30  # Of each target.
PYTHON_FUZZ_CALLS = 10_000
ATTACKS = 150  # About half a minute; an hour of them is `./ductile attack --minutes 60`.
ATTACK_SEED = 1
FUZZ_SEED = 1  # The same inputs every time: new ones are looked for by people, with run_fuzz.py.

# Looking for leaks takes 4 s of each executable on ARM (its allocator walks every possible region),
# next to nothing on x86. TBB and Embree need no exceptions. Stack use after return is not looked
# for: it makes tests of small vectors fifteen times slower.
SANITIZER_SETTINGS = {
    "ASAN_OPTIONS": "detect_leaks=1:strict_init_order=1:detect_stack_use_after_return=0",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}


WEB_MODULES_LOCK = threading.Lock()


def web_modules(tally):
    """Installs what tests/web/package.json names, if it is not there; True if it is then."""
    folder = ROOT / "tests" / "web"
    stamp = folder / "node_modules" / ".package-lock.json"
    lock = folder / "package-lock.json"
    with WEB_MODULES_LOCK:
        if stamp.is_file() and stamp.stat().st_mtime >= lock.stat().st_mtime:
            return True
        status, output = execute(["npm", "ci", "--prefix", folder, "--ignore-scripts"],
                                 TEST_TIMEOUT_S)
    if status != 0:
        tally.add("npm ci in tests/web", False, output)
    return status == 0


# ---- jobs -----------------------------------------------------------------------------------


def tracked_sources():
    status, output = execute(["git", "ls-files", "-z", "*.h", "*.cpp"])
    if status == 0:
        names = [ROOT / name for name in output.split("\0") if name]
        return [path for path in names if path.is_file()]
    # Not a clone: an unpacked archive.
    folders = ("src", "tools", "tests", "bench", "examples", "python")
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*")
                  if path.suffix in (".h", ".cpp"))


def long_option(is_long):
    return ["--all"] if is_long else []


def check_format(tally):
    sources = tracked_sources()
    status, output = execute(["clang-format", "--dry-run", "-Werror", *sources])
    hint = "\nto mend it: git ls-files '*.h' '*.cpp' | xargs clang-format -i"
    files = sorted(set(re.findall(rf"^{re.escape(str(ROOT))}/([^:]+):\d+", output, re.MULTILINE)))
    tally.add("format", status == 0 and bool(sources), "\n".join(files) + hint)


def check_layers(tally):
    run_script(tally, "check_layers.py", "--self-test")


def check_tolerances(tally):
    run_script(tally, "check_tolerances.py", "--self-test")


def check_headers(tally, is_long):
    run_script(tally, "check_headers.py", "--self-test", *long_option(is_long))


def check_mutate(tally):
    run_script(tally, "run_mutate.py", "--self-test")


def check_sources(tally, is_long):
    run_script(tally, "check_sources.py", "--self-test", *long_option(is_long))


def check_subproject(tally, is_long):
    run_claims(tally, "subproject", "/usr/bin/python3", ROOT / "scripts" / "test_subproject.py",
               *long_option(is_long), timeout=BUILD_TIMEOUT_S)


def check_presets(tally):
    run_claims(tally, "presets", "/usr/bin/python3", ROOT / "scripts" / "test_presets.py",
               timeout=BUILD_TIMEOUT_S)


def check_snippets(tally):
    run_script(tally, "check_snippets.py", "--self-test")


def check_launcher(tally):
    run_claims(tally, "launcher", ROOT / "scripts" / "test_launcher.sh")


def check_command(tally):
    run_claims(tally, "command", ROOT / "scripts" / "test_command.sh", COMMAND)


def check_player(tally):
    if web_modules(tally):
        run_claims(tally, "player", "node", ROOT / "tests" / "web" / "player_test.mjs", COMMAND)


def check_readers(tally):
    if web_modules(tally):
        run_claims(tally, "readers", "/usr/bin/python3", ROOT / "scripts" / "check_readers.py",
                   COMMAND)


def check_docs(tally):
    run_script(tally, "check_docs.py", "--self-test", "--command", COMMAND)


def check_recipe(tally):
    run_claims(tally, "recipe", "/usr/bin/python3", ROOT / "scripts" / "test_recipe.py")


def check_install(tally):
    run_claims(tally, "install", "/usr/bin/python3", ROOT / "scripts" / "test_install.py")


def check_bench(tally, source, command):
    """A bench is not run here, and not even translated: it has to be right C++, no more."""
    arguments = shlex.split(command)
    arguments = arguments[next(i for i, word in enumerate(arguments) if word.endswith("c++")):]
    arguments[arguments.index("-o"):arguments.index("-o") + 2] = ["-fsyntax-only"]
    status, output = execute(["env", "-C", ROOT / "build" / "release", *arguments], TEST_TIMEOUT_S)
    tally.add(f"bench {source.name}", status == 0, output)


def python_test(tally, test):
    """The cases of one file, with the system's Python."""
    status, output = execute([*PYTHON, test, "-v"], TEST_TIMEOUT_S, python_settings())
    found = re.search(r"^Ran (\d+) tests?", output, re.MULTILINE)
    failed = sum(map(int, re.findall(r"(?:failures|errors)=(\d+)", output)))
    skipped = sum(map(int, re.findall(r"skipped=(\d+)", output)))
    reasons = re.findall(r"^(\w+) .* skipped ['\"](.*)['\"]$", output, re.MULTILINE)
    tally.passed += int(found[1]) - failed - skipped if found else 0
    for name, reason in reasons:
        tally.skip(name, reason)
    tally.skipped += skipped - len(reasons)
    if status != 0 or not found:
        tally.add(test.name, False, output)


def python_fuzz(tally):
    status, output = execute([*PYTHON, ROOT / "tests" / "python" / "fuzz_module.py",
                              PYTHON_FUZZ_CALLS, FUZZ_SEED], TEST_TIMEOUT_S, python_settings())
    tally.say(f"  {output.strip().splitlines()[-1] if output.strip() else ''}")
    tally.add("fuzz_module.py", status == 0, output)


PYTHON = ["/usr/bin/python3", "-X", "faulthandler"]


def python_settings():
    return {"PYTHONPATH": str(ROOT / "build" / "release" / "python"),
            "PYTHONDONTWRITEBYTECODE": "1"}


def run_scene(tally, scene, frames):
    """A scene for some steps: everything it writes but the film, its picture small."""
    if scene.name.startswith("real-") and not REAL_MESHES.is_dir():
        tally.skip(scene.name, "needs ../shared/meshes, which is not beside the checkout")
        return
    with tempfile.TemporaryDirectory() as folder:
        status, output = execute([COMMAND, "run", scene, "--max-frames", frames, "--draft", "--quiet",
                                  "--set", "outputs.film=false", "--out", folder], TEST_TIMEOUT_S)
        if status == 0:
            status, output = infinite_numbers(pathlib.Path(folder))
    tally.add(f"scene {scene.name}", status == 0, output)


def run_pair(tally, names):
    """Two ways of deforming on one body, with every output: they run, or are refused with a reason,
    and `check` says what `run` says."""
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(folder) / "scene.json"
        scene.write_text(layer_pairs.scene(names), encoding="utf-8")
        refused, reason = execute([COMMAND, "check", scene], TEST_TIMEOUT_S)
        status, output = execute([COMMAND, "run", scene, "--draft", "--quiet", "--out", folder],
                                 TEST_TIMEOUT_S)
        if refused:
            ok = refused == status == 1 and "error: " in reason and reason.strip() == output.strip()
        else:
            ok = status == 0 and not infinite_numbers(pathlib.Path(folder))[0]
    tally.add(f"pair {' and '.join(names)}", ok, f"{reason}\n{output}")


def infinite_numbers(folder):
    """(how many, which) of the least and greatest values in a run's GLB files are no numbers."""
    found = []
    for path in sorted(folder.rglob("*.glb")):
        data = path.read_bytes()
        length = int.from_bytes(data[12:16], "little")
        for number, accessor in enumerate(json.loads(data[20:20 + length])["accessors"]):
            values = accessor.get("min", []) + accessor.get("max", [])
            if not all(isinstance(value, (int, float)) and math.isfinite(value)
                       for value in values):
                found.append(f"{path.name}: accessor {number}: {values}")
    return len(found), "\n".join(found)


def run_executable(tally, preset, name, paths, settings, options=()):
    """One test program; `paths` choose cases by the files that hold them, none chooses all."""
    filters = [f"-sf={','.join(f'*/tests/{path}*' for path in paths)}"] if paths else []
    status, output = execute([ROOT / "build" / preset / "bin" / name, *filters, *options],
                             TEST_TIMEOUT_S, settings)
    count_cases(tally, name, status, output)


def count_cases(tally, name, status, output):
    """Counts the cases inside one test program by doctest's summary and tests/main.cpp's lines."""
    summary = re.search(r"\[doctest\] test cases: *\d+ \| *(\d+) passed \| *(\d+) failed", output)
    skipped = re.findall(r"^\[skipped\] (.*): (.*)$", output, re.MULTILINE)
    silent = len(re.findall(r"^\[silent\] ", output, re.MULTILINE))
    passed, failed = map(int, summary.groups()) if summary else (int(status == 0), 0)
    tally.passed += passed - len(skipped) - silent
    for case, reason in skipped:
        tally.skip(case, reason)
    if status != 0:
        # The output is shown once; a program that died outside of its cases counts as one.
        tally.add(name, False, output)
        tally.failed += max(failed + silent, 1) - 1


def check_attack(tally):
    """Each attack is a check; the same ones every time."""
    status, output = execute(["/usr/bin/python3", ROOT / "scripts" / "run_attack.py", "--seed",
                              ATTACK_SEED, "--runs", ATTACKS], TEST_TIMEOUT_S)
    found = re.findall(r"^FOUND (.*)$", output, re.MULTILINE)
    ran = re.findall(r"^attack: (\d+) runs", output, re.MULTILINE)  # The last is the whole.
    tally.passed += int(ran[-1]) - len(found) if ran else 0
    for finding in found:
        tally.add(f"attack {finding}", False)
    if status != 0 and not found:
        tally.add("attack", False, output)
    tally.say(f"  {output.strip().splitlines()[-1] if output.strip() else ''}")


def replay_corpus(tally, name):
    """Every kept input of a reader, those that once broke it among them."""
    ok, text = run_fuzz.replay(name)
    tally.say(f"  {text.splitlines()[0]}")
    tally.add(f"corpus {name}", ok, text)


def fuzz(tally, name):
    left = seconds_left()
    if left is not None and left < FUZZ_SECONDS + run_fuzz.GRACE_S:
        raise OutOfTime("no time is left for it")
    _, ok, text = run_fuzz.run(name, FUZZ_SECONDS, FUZZ_SEED)
    tally.say(f"  {text.splitlines()[0]}")
    tally.add(f"fuzz {name}", ok, text)
