# SPDX-License-Identifier: MIT
"""Runs the command under test, and says what it may not do."""

import dataclasses
import os
import pathlib
import signal
import subprocess

FINE, BAD_INPUT, FAILED = 0, 1, 2  # tools/cli/command.h
TIMEOUT_S = 60  # Of one call, on a busy machine: anything longer hangs.
NO_PICTURES = [word for name in ("film", "player", "glb", "poster")
               for word in ("--set", f"outputs.{name}=false")]


@dataclasses.dataclass
class Outcome:
    status: int  # Of the command; negative: the signal that ended it; None: it did not end.
    output: str  # What it printed, on both ways.

    def problem(self, allowed=(FINE, BAD_INPUT, FAILED)):
        """Why it must not have ended so; None if it may."""
        if self.status is None:
            return f"did not end within {TIMEOUT_S} s"
        if self.status < 0:
            return f"was ended by {signal.Signals(-self.status).name}: {last_line(self.output)}"
        if self.status not in allowed:
            return f"exit status {self.status}: {last_line(self.output)}"
        if self.status != FINE and not self.output.strip():
            return f"exit status {self.status} without a word"
        return None


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1][:200] if lines else "(nothing printed)"


class Command:
    """The built command; every call has its command line in its folder."""

    def __init__(self, program):
        self.program = pathlib.Path(program).resolve()

    def command_line(self, *arguments):
        return [str(self.program), *map(str, arguments)]

    def call(self, *arguments, folder, **how):
        """Runs the command in a folder and waits for it."""
        line = self.command_line(*arguments)
        with open(pathlib.Path(folder) / "commands.txt", "a", encoding="utf-8") as log:
            log.write(" ".join(line) + "\n")
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, **how}
        with subprocess.Popen(line, cwd=folder, stdin=subprocess.DEVNULL,
                              start_new_session=True, **how) as process:
            try:
                output, _ = process.communicate(timeout=TIMEOUT_S)
                status = process.returncode
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                output, _ = process.communicate()
                status = None
        return Outcome(status, (output or b"").decode(errors="replace"))
