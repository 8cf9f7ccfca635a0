# SPDX-License-Identifier: MIT
"""Kills and full disks: whatever happens, a file is whole or not there, and the next run works."""

import json
import re
import resource
import signal
import struct
import subprocess
import time

from .command import BAD_INPUT, FAILED, FINE
from .files import OUTPUTS, SCENE

PICTURE = ["--draft", "--set", "picture.width=64", "--set", "picture.height=48",
           "--set", "outputs.film=false", "--set", "outputs.ply_sequence=true",
           *(word for name in OUTPUTS for word in ("--set", f"outputs.{name}=true"))]


# What the command writes has such a name, or lies in a folder of such a name, until it is whole
# (core/file.h, unfinished_name).
UNFINISHED = re.compile(r"\.\d+\.part(\.|$)|^\.")


def is_unfinished(path, folder):
    return any(UNFINISHED.search(name) for name in path.relative_to(folder).parts)


def half_written(folder):
    """The first file under a folder that is not whole and does not say so by its name; None if
    there is none."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or is_unfinished(path, folder):
            continue
        data = path.read_bytes()
        if not is_whole(path, data):
            return f"{path.relative_to(folder)} ({len(data)} bytes) is not whole"
    return None


def is_whole(path, data):
    if path.suffix == ".json":
        try:
            json.loads(data)
            return True
        except ValueError:
            return False
    if path.suffix == ".glb":
        return len(data) >= 12 and struct.unpack("<I", data[8:12])[0] == len(data)
    if path.suffix == ".png":
        return data.endswith(b"IEND\xaeB\x60\x82")
    if path.suffix == ".pc2":
        return len(data) >= 32 and len(data) == 32 + 12 * _product(data[16:20], data[28:32])
    if path.suffix in (".csv", ".obj", ".usda", ".html"):
        return data.endswith(b"\n")
    return len(data) > 0


def _product(*counts):
    points, samples = (struct.unpack("<I", count)[0] for count in counts)
    return points * samples


def listed_files(out):
    """Why the folder is not what its report says; None if it is."""
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    missing = [name for name in report["files"] if not (out / name).exists()]
    left = [path.name for path in out.rglob("*") if is_unfinished(path, out)]
    if missing:
        return f"the report lists {missing[0]}, which is not there"
    return f"{left[0]} was left behind" if left else None


def attack_kill(rng, command, folder):
    """A run killed at a random time, in a folder that may hold an earlier one, then another run."""
    (folder / "scene.json").write_text(json.dumps(SCENE), encoding="utf-8")
    run_arguments = ["run", "scene.json", "--quiet", "--out", "out", *PICTURE]
    if rng.random() < 0.5:
        problem = command.call(*run_arguments, folder=folder).problem(allowed=(FINE,))
        if problem:
            return f"the run before the kill: {problem}"
    with subprocess.Popen(command.command_line(*run_arguments), cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(rng.uniform(0.0, 1.5))
        process.send_signal(rng.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM)))
    problem = half_written(folder / "out") if (folder / "out").is_dir() else None
    if problem:
        return f"after a kill {problem}"
    problem = command.call(*run_arguments, folder=folder).problem(allowed=(FINE,))
    if problem:
        return f"the run after the kill: {problem}"
    problem = half_written(folder / "out") or listed_files(folder / "out")
    return f"after the next run {problem}" if problem else None


def attack_disk(rng, command, folder):
    """A disk that is full after so many bytes, or standard ways that take nothing."""
    (folder / "scene.json").write_text(json.dumps(SCENE), encoding="utf-8")
    run_arguments = ["run", "scene.json", "--out", "out", *PICTURE]
    if rng.random() < 0.3:
        return _attack_ways(rng, command, folder, run_arguments)
    limit = int(10.0 ** rng.uniform(0.0, 6.5))

    def limit_files():
        # Beyond it a write fails with an error, as on a full disk.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    done = command.call(*run_arguments, "--quiet", folder=folder, preexec_fn=limit_files)
    problem = done.problem(allowed=(FINE, FAILED))
    if problem:
        return f"files of {limit} bytes at most: {problem}"
    problem = half_written(folder / "out") if (folder / "out").is_dir() else None
    if problem:
        return f"files of {limit} bytes at most: {problem}"
    if done.status == FINE:
        return listed_files(folder / "out")
    problem = command.call(*run_arguments, "--quiet", folder=folder).problem(allowed=(FINE,))
    return f"the run after a full disk: {problem}" if problem else None


def _attack_ways(rng, command, folder, run_arguments):
    """A full standard error stops nothing; a full standard output is told by the status."""
    way = rng.choice(("stdout", "stderr"))
    arguments = rng.choice((run_arguments, ["check", "scene.json"], ["materials"]))
    with open("/dev/full", "wb") as full:
        others = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, way: full}
        done = command.call(*arguments, folder=folder, **others)
    allowed = (FINE,) if way == "stderr" else (FINE, FAILED)
    if done.status not in allowed:
        return f"{arguments[0]} with a full {way}: exit status {done.status}"
    return None


def attack_pair(rng, command, folder):
    """Two runs into one folder at once: one of them works, the other is refused with a message."""
    (folder / "scene.json").write_text(json.dumps(SCENE), encoding="utf-8")
    run_arguments = command.command_line("run", "scene.json", "--out", "out", *PICTURE)
    first = subprocess.Popen(run_arguments, cwd=folder, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    time.sleep(rng.uniform(0.0, 1.0))
    second = command.call("run", "scene.json", "--out", "out", *PICTURE, folder=folder)
    first.communicate()
    statuses = sorted((first.returncode, -99 if second.status is None else second.status))
    if statuses not in ([FINE, FINE], [FINE, BAD_INPUT], [FINE, FAILED]):
        return f"two runs into one folder ended with {statuses}"
    problem = half_written(folder / "out") or listed_files(folder / "out")
    return f"after two runs {problem}" if problem else None
