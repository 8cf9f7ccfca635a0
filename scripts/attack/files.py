# SPDX-License-Identifier: MIT
"""Damaged input files of every kind, made from files that the project writes itself: the command
may refuse them or make the best of them, but it ends in time and with a status of its own."""

import json
import pathlib

from .command import NO_PICTURES

NASTY = (b"nan", b"inf", b"-1", b"0", b"1e308", b"-1e308", b"1e-320", b"99999999999", b"-2147483649",
         b"4294967296", b"\x00", b"\xff\xff\xff\xff", b"{", b"]", b'"', b"//", b"\n")

SCENE = {"duration": 0.1, "frame_rate": 20, "step_rate": 60,
         "bodies": {"drum": {"solid": {"kind": "barrel", "resolution": 0.15}, "thickness": 0.002,
                             "position": [0, 0.46, 0], "velocity": [0, -5, 0],
                             "layers": {"dent": {}}}},
         "hits": [{"body": "drum", "frame": 1, "dent": {"position": [0.3, 0, 0]}}]}
OUTPUTS = ("glb", "ply", "usd", "pc2", "mdd", "obj_sequence", "csv", "poster")
MESHES = (".glb", ".ply", ".obj", ".usda")
CACHES = (".pc2", ".mdd")


def make_seeds(command, folder):
    """One run that leaves a file of every kind."""
    (folder / "seed.json").write_text(json.dumps(SCENE, indent=1), encoding="utf-8")
    settings = [word for name in OUTPUTS for word in ("--set", f"outputs.{name}=true")]
    done = command.call("run", "seed.json", "--quiet", "--draft", "--out", "out",
                        "--set", "outputs.film=false", "--set", "outputs.player=false",
                        "--set", "picture.width=64", "--set", "picture.height=48", *settings,
                        folder=folder)
    problem = done.problem(allowed=(0,))
    if problem:
        raise RuntimeError(f"the run that makes files to damage failed: {problem}")
    kinds = {*MESHES, *CACHES, ".png"}
    files = sorted(p for p in (folder / "out").rglob("*") if p.suffix in kinds)
    return [folder / "seed.json", folder / "out" / "journal.json", *files]


def damaged(rng, content):
    """Bytes with a few faults: flipped, cut, doubled, replaced by what parsers trip over."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        if not data:
            break
        at = rng.randrange(len(data))
        fault = rng.randrange(6)
        if fault == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif fault == 1:
            del data[at:]
        elif fault == 2:
            del data[at:at + rng.randint(1, 64)]
        elif fault == 3:
            data[at:at] = data[at:at + rng.randint(1, 256)]
        elif fault == 4:
            word = rng.choice(NASTY)
            data[at:at + len(word)] = word
        else:
            _replace_number(rng, data, at)
    return bytes(data)


def _replace_number(rng, data, at):
    """Puts something else in the place of the number that stands nearest after `at`."""
    digits = b"0123456789.-+eE"
    while at < len(data) and data[at] not in digits:
        at += 1
    end = at
    while end < len(data) and data[end] in digits:
        end += 1
    data[at:end] = rng.choice(NASTY)


def uses_of(path, seeds):
    """The calls that read such a file."""
    quick = ["--quiet", "--max-frames", "2", "--out", "used", *NO_PICTURES]
    if path.name == "journal.json":
        return [["replay", path.name], ["replay", path.name, "--time", "0.05", "--repair", "0.5"]]
    if path.suffix == ".json":
        return [["check", path.name], ["run", path.name, *quick]]
    if path.suffix in MESHES:
        soft = next(seed for seed in seeds if seed.suffix == ".ply")
        return [["info", path.name, "--json"], ["run", "use.json", *quick],
                ["press", path.name, soft, "-o", "pressed.ply"]]
    if path.suffix in CACHES:
        rest = path.with_suffix(".obj")
        return [["press", rest, rest, "--frames", path.name, "-o", "pressed.ply"]]
    return [["run", "use.json", *quick]]  # A picture.


def using_scene(path):
    """A scene that reads a mesh, or a picture as the shape of dents."""
    body = dict(SCENE["bodies"]["drum"])
    if path.suffix == ".png":
        body["layers"] = {"dent": {"shape": {"source": "picture", "picture": path.name}}}
    else:
        del body["solid"]
        body["mesh"] = path.name
    return {**SCENE, "bodies": {"drum": body}, "hits": []}


def attack_file(rng, command, folder):
    """One damaged file in all its uses; what was found, or None."""
    seeds = command.seeds()
    seed = rng.choice(seeds)
    broken = folder / seed.name
    broken.write_bytes(damaged(rng, seed.read_bytes()))
    (folder / "use.json").write_text(json.dumps(using_scene(broken)), encoding="utf-8")
    for arguments in uses_of(seed, seeds):
        problem = command.call(*arguments, folder=folder).problem()
        if problem:
            return f"{arguments[0]} of a damaged {pathlib.Path(seed).suffix}: {problem}"
    return None
