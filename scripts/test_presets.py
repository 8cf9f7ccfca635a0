#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds presets that no other test builds, and runs what comes of it.

Usage: test_presets.py [PRESET...]                      (all of PRESETS: an hour on two cores)

Prints "ok - CLAIM" or "not ok - CLAIM" for every claim; the exit status is 1 if one fails.
"""

import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
from claims import Claims, run  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Of each preset: the test programs, chosen by what it is there for. `debug` is the library and the
# command one source at a time by GCC; `float` is Bullet; `tsan` is what shares work out.
PRESETS = {"debug": ["test_core"], "float": ["test_engine"], "tsan": ["test_core", "test_geom"]}
WITH_COMMAND = ("debug", "float")
# What the sanitizer of threads has to find.
RACE = """#include <ductile/core/parallel.h>

int main() {
    double sum = 0;
    ductile::parallel_for(100000, 100, [&](std::size_t i) { sum += double(i); });
    return sum < 0;
}
"""

claim = Claims()


def check_preset(preset):
    claim.stage = f"{preset}: "
    programs = PRESETS[preset]
    targets = [*programs, *(["ductile_cli"] if preset in WITH_COMMAND else [])]
    status, output = run(ROOT / "ductile", "build", preset, *targets)
    if not claim(f"{' '.join(targets)} are built", status == 0, output):
        return
    for program in programs:
        status, output = run(ROOT / "build" / preset / "bin" / program)
        claim(f"{program} passes", status == 0, output)
    if preset == "tsan":
        check_race(ROOT / "build" / preset)
    if preset in WITH_COMMAND:
        with tempfile.TemporaryDirectory() as folder:
            status, output = run(ROOT / "build" / preset / "bin" / "ductile", "run", "demo",
                                 "--max-frames", "10", "--draft", "--quiet", "--set",
                                 "outputs.film=false", "--out", folder)
            claim("the command runs the demo", status == 0, output)


def check_race(build):
    """Whether the sanitizer sees what the library's threads do."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "race.cpp", pathlib.Path(folder) / "race"
        source.write_text(RACE, encoding="utf-8")
        library = build / "src" / "ductile" / "core" / "libductile-core.a"
        status, output = run("g++", "-std=c++20", "-g1", "-fsanitize=thread", f"-I{ROOT / 'src'}",
                             source, library, "-ltbb", "-lfmt", "-o", program)
        if claim("a program that races is built", status == 0, output):
            status, output = run(program)
            claim("a race between two parts of a loop is found", status != 0
                  and "data race" in output and "race.cpp" in output, output)


def main():
    if set(sys.argv[1:]) - set(PRESETS):
        sys.exit(__doc__)
    for preset in sys.argv[1:] or PRESETS:
        check_preset(preset)
    return 1 if claim.failures else 0


if __name__ == "__main__":
    sys.exit(main())
