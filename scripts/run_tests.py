#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs every check and test of the project. Usage: ./ductile test [--fast] [--list] [NAME...]

NAME is a stage (see STAGES) or a folder of tests/; without names everything runs, --fast leaves
out sanitizers and fuzzing. A stage that fails does not stop the others. The last line is
"N passed, M failed", counting test cases, scenes and checks; the exit status is 0 if M is 0.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMAND = ROOT / "build" / "release" / "bin" / "ductile"
CORES = len(os.sched_getaffinity(0))
TEST_TIMEOUT_S = 600  # One test executable, sanitized, on a busy machine.
FUZZ_SECONDS = 30  # Of each target.
PYTHON_FUZZ_CALLS = 10_000
FUZZ_SEED = 1  # The same inputs every time: new ones are looked for by people, with run_fuzz.py.
SHOWN_LINES = 60  # Of the output of something that failed.

# Looking for leaks takes 4 s of each executable on ARM (its allocator walks every possible region),
# next to nothing on x86. TBB and Embree need no exceptions. Stack use after return is not looked
# for: it makes tests of small vectors fifteen times slower.
SANITIZER_SETTINGS = {
    "ASAN_OPTIONS": "detect_leaks=1:strict_init_order=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}


def scene_command(command, scene, folder):
    """How a scene runs for some steps: everything it writes but the film, its picture small."""
    return [command, "run", scene, "--max-frames", "30", "--draft", "--quiet",
            "--set", "outputs.film=false", "--out", folder]


class Tally:
    """What came of a stage: how many passed and failed, and the output of those that failed."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    def add(self, name, ok, output=""):
        if ok:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAILED {name}")
        print("\n".join("    " + line for line in output.splitlines()[-SHOWN_LINES:]), flush=True)


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


def build(tally, preset, *targets):
    """Builds through the launcher, which shows its progress itself; True if that worked."""
    began = time.monotonic()
    done = subprocess.run([ROOT / "ductile", "build", preset, *targets], stdin=subprocess.DEVNULL)
    print(f"  build of {preset}: {time.monotonic() - began:.0f} s", flush=True)
    if done.returncode != 0:
        tally.add(f"build of {preset}", False)
    return done.returncode == 0


def script(tally, name, *arguments):
    status, output = execute(["/usr/bin/python3", ROOT / "scripts" / name, *arguments])
    tally.add(name, status == 0, output)


def web_modules(tally):
    """Installs what tests/web/package.json names, if it is not there; True if it is then."""
    folder = ROOT / "tests" / "web"
    stamp = folder / "node_modules" / ".package-lock.json"
    lock = folder / "package-lock.json"
    if stamp.is_file() and stamp.stat().st_mtime >= lock.stat().st_mtime:
        return True
    status, output = execute(["npm", "ci", "--prefix", folder, "--ignore-scripts"], TEST_TIMEOUT_S)
    if status != 0:
        tally.add("npm ci in tests/web", False, output)
    return status == 0


# ---- stages ---------------------------------------------------------------------------------


def tracked_sources():
    status, output = execute(["git", "ls-files", "-z", "*.h", "*.cpp"])
    if status == 0:
        names = [ROOT / name for name in output.split("\0") if name]
        return [path for path in names if path.is_file()]
    # Not a clone: an unpacked archive.
    folders = ("src", "tools", "tests", "bench", "examples", "python")
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*")
                  if path.suffix in (".h", ".cpp"))


def check_format(tally, _):
    sources = tracked_sources()
    status, output = execute(["clang-format", "--dry-run", "-Werror", *sources])
    hint = "\nto mend it: git ls-files '*.h' '*.cpp' | xargs clang-format -i"
    files = sorted(set(re.findall(rf"^{re.escape(str(ROOT))}/([^:]+):\d+", output, re.MULTILINE)))
    tally.add("format", status == 0 and bool(sources), "\n".join(files) + hint)


def check_layers(tally, _):
    script(tally, "check_layers.py", "--self-test")


def check_headers(tally, _):
    script(tally, "check_headers.py", "--self-test")


def check_launcher(tally, _):
    run_claims(tally, "launcher", ROOT / "scripts" / "test_launcher.sh")


def check_command(tally, _):
    if build(tally, "release", "ductile_cli"):
        run_claims(tally, "command", ROOT / "scripts" / "test_command.sh", COMMAND)


def run_python(tally, _):
    """The module's tests with the system's Python, its fuzzer, and the example."""
    # A tree that was configured before pybind11 was there does not know the module.
    status, output = execute(["cmake", "--preset", "release"], TEST_TIMEOUT_S)
    if status != 0:
        tally.add("cmake", False, output)
        return
    if not build(tally, "release", "ductile_python", "ductile_cli"):
        return
    settings = {"PYTHONPATH": str(ROOT / "build" / "release" / "python"),
                "PYTHONDONTWRITEBYTECODE": "1"}
    python = ["/usr/bin/python3", "-X", "faulthandler"]
    for test in sorted((ROOT / "tests" / "python").glob("*_test.py")):
        status, output = execute([*python, test], TEST_TIMEOUT_S, settings)
        found = re.search(r"^Ran (\d+) tests?", output, re.MULTILINE)
        failed = sum(map(int, re.findall(r"(?:failures|errors)=(\d+)", output)))
        tally.passed += int(found[1]) - failed if found else 0
        if status != 0 or not found:
            tally.add(test.name, False, output)
    status, output = execute([*python, ROOT / "tests" / "python" / "fuzz_module.py",
                              PYTHON_FUZZ_CALLS, FUZZ_SEED], TEST_TIMEOUT_S, settings)
    print(f"  {output.strip().splitlines()[-1] if output.strip() else ''}", flush=True)
    tally.add("fuzz_module.py", status == 0, output)


def check_install(tally, _):
    if build(tally, "release", "ductile_product"):
        run_claims(tally, "install", "/usr/bin/python3", ROOT / "scripts" / "test_install.py")


def run_claims(tally, name, *command):
    """Counts the "ok - CLAIM" and "not ok - CLAIM" of a shell script."""
    status, output = execute(command, TEST_TIMEOUT_S)
    claims = re.split(r"^(?=ok - |not ok - )", output, flags=re.MULTILINE)
    claims = [claim for claim in claims if claim.startswith(("ok - ", "not ok - "))]
    for claim in claims:
        tally.add(claim.splitlines()[0], claim.startswith("ok"), claim)
    # A script that died on its way has claimed nothing about the rest.
    if not claims or (status != 0 and all(claim.startswith("ok") for claim in claims)):
        tally.add(name, False, output)


def check_player(tally, _):
    if build(tally, "release", "ductile_cli") and web_modules(tally):
        run_claims(tally, "player", "node", ROOT / "tests" / "web" / "player_test.mjs", COMMAND)


def check_readers(tally, _):
    if build(tally, "release", "ductile_cli") and web_modules(tally):
        run_claims(tally, "readers", "/usr/bin/python3", ROOT / "scripts" / "check_readers.py",
                   COMMAND)


def check_docs(tally, _):
    if build(tally, "release", "ductile_cli"):
        script(tally, "check_docs.py", "--self-test", "--command", COMMAND)


def run_scenes(tally, _):
    if not build(tally, "release", "ductile_cli"):
        return
    scenes = sorted((ROOT / "scenes").glob("*.json"))
    if not scenes:
        tally.add("scenes", False, "no scenes/*.json")
    has_meshes = (ROOT.parent / "shared" / "meshes").is_dir()
    for scene in scenes:
        if scene.name.startswith("real-") and not has_meshes:
            print(f"  {scene.name}: skipped, no real meshes beside the project", flush=True)
            continue
        run_scene(tally, COMMAND, scene)


def run_scene(tally, command, scene, settings=None):
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        status, output = execute(scene_command(command, scene, folder), TEST_TIMEOUT_S, settings)
        tally.add(f"scene {scene.name}", status == 0, output)
        print(f"  {scene.name}: {time.monotonic() - began:.1f} s", flush=True)


def run_unit_tests(tally, folders):
    if build(tally, "release"):
        run_ctest(tally, "release", folders)


def run_sanitized_tests(tally, folders):
    if build(tally, "asan", "ductile_tests", "example_bullet_game"):
        run_ctest(tally, "asan", folders, SANITIZER_SETTINGS)


def run_fuzzers(tally, _):
    status, output = execute(["/usr/bin/python3", ROOT / "scripts" / "run_fuzz.py",
                              "--seconds", FUZZ_SECONDS, "--seed", FUZZ_SEED])
    print("\n".join("  " + line for line in output.splitlines() if "inputs tried" in line),
          flush=True)
    tally.add("run_fuzz.py", status == 0, output)


def run_ctest(tally, preset, folders, settings=None):
    report = ROOT / "build" / f"tests-{preset}.xml"
    report.unlink(missing_ok=True)
    selection = ["-R", f"^({'|'.join(folders)})$"] if folders else []
    _, output = execute(["ctest", "--test-dir", ROOT / "build" / preset, "-j", CORES,
                         "--timeout", TEST_TIMEOUT_S, "--output-junit", report,
                         "--test-output-size-passed", 10**6, "--test-output-size-failed", 10**6,
                         "--no-tests=error", *selection], settings=settings)
    if not report.is_file():
        tally.add(f"ctest of {preset}", False, output)
        return
    for case in xml.etree.ElementTree.parse(report).getroot().iter("testcase"):
        count_cases(tally, case)


def count_cases(tally, case):
    """Counts the cases inside one test executable by doctest's own summary."""
    output = case.findtext("system-out") or ""
    ok = case.get("status") == "run"
    print(f"  {case.get('name')}: {float(case.get('time')):.1f} s", flush=True)
    summary = re.search(r"\[doctest\] test cases: *\d+ \| *(\d+) passed \| *(\d+) failed", output)
    passed, failed = (int(summary[1]), int(summary[2])) if summary else (int(ok), 0)
    tally.passed += passed
    if not ok:
        # The output is shown once; a test that died outside of its cases counts as one.
        failure = case.find("failure")
        reason = "" if failure is None else failure.get("message", "")
        tally.add(case.get("name"), False, f"{output}\n{reason}")
        tally.failed += max(failed, 1) - 1


STAGES = {
    "format": check_format,
    "layers": check_layers,
    "launcher": check_launcher,
    "headers": check_headers,
    "unit": run_unit_tests,
    "command": check_command,
    "player": check_player,
    "scenes": run_scenes,
    "readers": check_readers,
    "docs": check_docs,
    "python": run_python,
    "install": check_install,
    "asan": run_sanitized_tests,
    "fuzz": run_fuzzers,
}
SLOW_STAGES = {"asan", "fuzz"}
STAGES_BY_FOLDER = {"unit", "asan"}


def test_folders():
    tests = ROOT / "tests"
    return sorted({path.relative_to(tests).parts[0] for path in tests.rglob("*_test.cpp")})


def choose(names, is_fast):
    """(stages in order, folders of tests or [] for all) for the words of the command line."""
    unknown = [name for name in names if name not in STAGES and name not in test_folders()]
    if unknown:
        sys.exit(f"no stage and no folder of tests: {', '.join(unknown)}\n"
                 f"stages: {', '.join(STAGES)}\nfolders: {', '.join(test_folders())}")
    folders = [name for name in names if name not in STAGES]
    wanted = {name for name in names if name in STAGES}
    if folders and not wanted & STAGES_BY_FOLDER:
        wanted.add("unit")
    stages = [s for s in STAGES if s in wanted or not wanted]
    return [s for s in stages if not (is_fast and s in SLOW_STAGES)], folders


def run_stage(name, folders):
    """Runs one stage under its heading; (name, seconds, tally)."""
    print(f"== {name}", flush=True)
    tally = Tally()
    began = time.monotonic()
    try:
        STAGES[name](tally, folders)
    except (OSError, subprocess.SubprocessError, xml.etree.ElementTree.ParseError) as problem:
        tally.add(name, False, str(problem))
    return name, time.monotonic() - began, tally


def main():
    names = [word for word in sys.argv[1:] if not word.startswith("-")]
    options = {word for word in sys.argv[1:] if word.startswith("-")}
    if "--list" in options:
        print("\n".join([*STAGES, *test_folders()]))
        return 0
    if options - {"--fast"}:
        sys.exit(__doc__)
    stages, folders = choose(names, "--fast" in options)
    results = [run_stage(name, folders) for name in stages]
    print("\nstage        seconds   passed   failed")
    for name, seconds, tally in results:
        print(f"{name:12} {seconds:7.1f} {tally.passed:8} {tally.failed:8}")
    passed = sum(tally.passed for _, _, tally in results)
    failed = sum(tally.failed for _, _, tally in results)
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
