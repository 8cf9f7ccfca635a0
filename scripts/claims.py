# SPDX-License-Identifier: MIT
"""What scripts that use ductile as outsiders would have in common: they claim, and run programs."""

import os
import re
import subprocess

# What is said where Bullet in both precisions would meet in the program `game`.
REFUSAL = re.compile("'game' links ductile, which was built with Bullet in double precision, "
                     "and '[^']*', which is Bullet in single precision")


class Claims:
    """Prints "ok - CLAIM" or "not ok - CLAIM" for every claim, and counts those that fail."""

    def __init__(self):
        self.failures = 0
        self.stage = ""

    def __call__(self, text, ok, output=""):
        print(f"{'ok' if ok else 'not ok'} - {self.stage}{text}", flush=True)
        if not ok:
            self.failures += 1
            print("\n".join("    " + line for line in str(output).splitlines()[-40:]), flush=True)
        return ok


def run(*command, **settings):
    """(exit status, what it printed) of a command that has no settings of ductile's but these."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("DUCTILE_")}
    environment.update(settings)
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, env=environment, cwd="/",
                          errors="replace")
    return done.returncode, done.stdout + done.stderr
