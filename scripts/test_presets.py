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
# TBB is not compiled with the sanitizer, which therefore does not see how it hands work over.
SETTINGS = {"TSAN_OPTIONS": "halt_on_error=1:ignore_noninstrumented_modules=1"}

claim = Claims()


def check_preset(preset):
    claim.stage = f"{preset}: "
    programs = PRESETS[preset]
    targets = [*programs, *(["ductile_cli"] if preset in WITH_COMMAND else [])]
    status, output = run(ROOT / "ductile", "build", preset, *targets)
    if not claim(f"{' '.join(targets)} are built", status == 0, output):
        return
    for program in programs:
        status, output = run(ROOT / "build" / preset / "bin" / program, **SETTINGS)
        claim(f"{program} passes", status == 0, output)
    if preset in WITH_COMMAND:
        with tempfile.TemporaryDirectory() as folder:
            status, output = run(ROOT / "build" / preset / "bin" / "ductile", "run", "demo",
                                 "--max-frames", "10", "--draft", "--quiet", "--set",
                                 "outputs.film=false", "--out", folder)
            claim("the command runs the demo", status == 0, output)


def main():
    if set(sys.argv[1:]) - set(PRESETS):
        sys.exit(__doc__)
    for preset in sys.argv[1:] or PRESETS:
        check_preset(preset)
    return 1 if claim.failures else 0


if __name__ == "__main__":
    sys.exit(main())
