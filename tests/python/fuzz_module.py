#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls the Python module at random. Usage: fuzz_module.py [CALLS] [SEED]

Every call may return or raise an exception; a crash, an abort, a SystemError, or an array with a
number that is not finite is a failure. Methods are found by looking at the module, so new ones are
called too. Arguments are now and then what a method wants, mostly nearly so, often nonsense; owners
are forgotten while their arrays live on; signals call back into objects that are at work. In the
end the module must give the same results as in the beginning. The same seed makes the same calls.
"""

import collections
import contextlib
import faulthandler
import gc
import inspect
import json
import os
import pathlib
import random
import re
import sys
import tempfile

import numpy as np

import ductile
from busy_simulation import busy_world, fingerprint, use_from_signals, use_from_threads
from hostile_values import Hostile, changing_dict, changing_list
from signatures import split_words

SIGNATURE = re.compile(r"^(?:\d+\. )?(\w+)\((.*)\)(?: -> .*)?$")
CLASSES = (ductile.DentMap, ductile.Journal, ductile.JournalFile, ductile.Material, ductile.Mesh,
           ductile.Pressed, ductile.Presser, ductile.PressRigid, ductile.Recording, ductile.Scene,
           ductile.Simulation)
FUNCTIONS = (ductile.fields, ductile.materials, ductile.press, ductile.press_both,
             ductile.press_refined, ductile.scenes, ductile.write_png)
HEAVY = ("Simulation.step", "Simulation.apply_impulse", "Scene.run", "Recording.points", "Mesh")
KEPT = 12  # objects of each kind

# Keyword options, by the call that takes them: names that are right, from the module itself.
OPTIONS = {name: [line["path"].split(".")[0] for line in ductile.fields(name)]
           for name in ("Material", "Mesh.load", "Mesh.solid", "Simulation", "Simulation.add_rigid",
                        "Simulation.add_deformable", "Simulation.schedule_hit",
                        "Recording.write_glb", "press", "press_refined", "Presser")}
DEFAULTS = {line["path"]: json.loads(line["default"]) for name in OPTIONS
            for line in ductile.fields(name) if line["default"] and "." not in line["path"]}
OPTIONS["Journal.add"] = OPTIONS["DentMap.hit"] = OPTIONS["Simulation.schedule_hit"]
OPTIONS["Material.replace"] = OPTIONS["Material"]
OPTIONS["Simulation.set_motion"] = ["position", "rotation", "velocity", "spin"]
OPTIONS["DentMap.projectile"] = ["distance", "rotation", "smoothing", "slant_deg", "grid", "edge"]
OPTIONS["Recording.draw"] = ["eye", "target", "field_of_view_deg", "samples", "exposure",
                             "sun_direction", "colour_by", "colour_range", "ground_height"]
OPTIONS["Presser.press"] = ["position", "rotation"]
OPTIONS["Mesh.painted"] = ["colour", "metallic", "roughness"]
OPTIONS["Recording.write_usd"] = ["split", "split_size", "velocities", "damage"]
OPTIONS["Scene"] = ["bodies", "duration", "gravity", "ground", "hits", "name"]


class Fuzzer:
    def __init__(self, seed, folder):
        self.rng = random.Random(seed)
        self.folder = pathlib.Path(folder)
        self.objects = collections.defaultdict(list)
        self.arrays = []  # whose owners may be gone
        self.counts = collections.Counter()
        self.calls = self.find_calls()
        # Where the work is done, and more can be wrong.
        self.weights = [5 if name in OPTIONS or name in HEAVY else 1 for name, *_ in self.calls]
        self.is_earnest = False  # whether this call is to be as its method wants it

    # ---- what to call -----------------------------------------------------------------------

    def find_calls(self):
        calls = [(function.__name__, None, function, parameters(function))
                 for function in FUNCTIONS]
        for kind in CLASSES:
            for name, member in vars(kind).items():
                full = f"{kind.__name__}.{name}"
                if isinstance(member, property):
                    calls.append((full, kind, member.fget, []))
                elif name == "__init__":
                    if not member.__doc__.startswith("Initialize self"):
                        calls.append((kind.__name__, None, kind, parameters(member)))
                elif isinstance(member, staticmethod):
                    function = getattr(kind, name)
                    calls.append((full, None, function, parameters(function)))
                elif name == "_repr_png_":
                    continue  # takes nothing but a second
                elif not name.startswith("__") or name in ("__repr__", "__len__", "__eq__",
                                                          "__hash__"):
                    calls.append((full, kind, member, parameters(member)))
        return calls

    # ---- what to call it with ---------------------------------------------------------------

    def number(self):
        rng = self.rng
        return rng.choice([0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, 1e300, -1e300, float("nan"),
                           float("inf"), float("-inf"), 1e9, 0.02, 1e-7, rng.uniform(-2, 2)])

    def whole(self):
        return self.rng.choice([0, 1, 2, 3, 7, 60, 255, -1, -2, 2**31 - 1, 2**31, -2**31, 2**63 - 1,
                                2**63, 2**64, -2**63, 2**200])

    def vector(self):
        rng = self.rng
        if self.is_earnest:
            return [rng.uniform(-0.5, 0.5), rng.uniform(0.5, 1.5), rng.uniform(-0.5, 0.5)]
        return rng.choice([
            [0, 0, 0], [0, 1, 0], [0, -1, 0], (1, 0, 0), np.array([0.1, 0.4, -0.2]),
            [self.number() for _ in range(3)], [1, 2], [1, 2, 3, 4], [], [[1, 2, 3]], "xyz",
            np.zeros(3, np.float32), np.ones((3, 1)), {"x": 1}, np.array([1 + 2j, 0, 0])])

    def shape(self):
        return self.rng.choice([(0, 3), (3, 3), (4, 3), (1, 1), (5, 5), (3,), (0,), (), (2, 3, 3),
                                (8, 12), (3, 4), (100, 3), (40, 30, 3)])

    def array(self):
        rng = self.rng
        made = np.random.default_rng(rng.randrange(2**32)).uniform(-1, 1, self.shape())
        made = rng.choice([made, np.abs(made), made * 1e300, made * np.nan, made.T,
                           (made * 10).astype(np.int64), np.abs(made * 200).astype(np.uint8),
                           made.astype(np.float32), made.astype(object), made.astype(str),
                           np.asfortranarray(made), made > 0, made.astype(">f8"), made.tolist(),
                           np.broadcast_to(made, (2,) + made.shape), made.astype("M8[s]")])
        return made

    def path(self):
        rng = self.rng
        return rng.choice([
            self.folder / f"{rng.randrange(6)}.bin", str(self.folder / "a.json"), "", ".", "a\0b",
            str(self.folder), self.folder / "no" / "such" / "folder.glb", b"bytes", "\udcff",
            "x" * 5000, self.folder / "mesh.obj", self.folder / "journal.json", "demo", "stack",
            self.folder / "nonsense.ply", "/proc/self/mem/no.obj"])

    def nonsense(self):
        rng = self.rng
        looped = []
        looped.append(looped)
        return rng.choice([
            None, True, False, self.number(), self.whole(), "", "steel", "\udc80", "a" * 3000, b"x",
            self.vector(), self.array(), self.path(), looped, {}, {"a": looped}, {1: 2}, {"x": {}},
            object(), lambda *a: None, ductile, ductile.Mesh, Ellipsis, range(3), {1, 2},
            Hostile(), changing_dict(), changing_list(), np.float64(2.5), np.int8(-3),
            np.bool_(True), np.array(7), 3 + 4j,
            *self.some_objects()])

    def some_objects(self):
        return [self.rng.choice(kept) for kept in self.objects.values() if kept]

    def one(self, kind):
        kept = self.objects[kind]
        return self.rng.choice(kept) if kept else None

    def plausible(self, call, name):
        """Something that the parameter of this name would take."""
        rng = self.rng
        made = {
            "mesh": lambda: self.one(ductile.Mesh), "journal": lambda: self.one(ductile.Journal),
            "points": self.surface_points, "triangles": lambda: [[0, 2, 1], [0, 1, 3], [0, 3, 2],
                                                                 [1, 2, 3]],
            "soft_points": self.surface_points, "rigid_points": self.surface_points,
            "soft_triangles": lambda: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
            "rigid_triangles": lambda: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
            "rigid": lambda: self.one(ductile.PressRigid),
            "a_points": self.surface_points, "b_points": self.surface_points,
            "a_triangles": lambda: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
            "b_triangles": lambda: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
            "share": lambda: rng.choice([0, 0.5, 1]),
            "a_options": lambda: {"stiffness": 0.1}, "b_options": lambda: {"bulge": 2},
            "positions": lambda: [[0, 0.1, 0], [0, 0, 0]],
            "rotations": lambda: [[1, 0, 0, 0], [0, 1, 0, 0]],
            "depths": lambda: abs(np.sin(np.arange(60.0).reshape(6, 10))) * 0.02,
            "heights": lambda: rng.choice([np.eye(9), self.folder / "0.bin"]),
            "pixels": lambda: np.zeros((4, 5, 3), np.uint8), "path": self.path,
            "kind": lambda: rng.choice(["box", "sphere", "barrel", "torus", "plate", "capsule"]),
            "card": lambda: rng.choice(["steel", "tin", "stel"]), "body": self.body,
            "material": lambda: rng.choice(["steel", "rubber", self.one(ductile.Material)]),
            "dt": lambda: rng.choice([1 / 60, 1 / 240, 1e-4, 0.5]),
            "count": lambda: rng.randrange(5),
            "frame": lambda: rng.randrange(-3, 4), "side": lambda: rng.choice([5, 20, 33]),
            "radius": lambda: 0.1, "depth": lambda: 0.02, "ball": lambda: 0.3, "cell": lambda: 0.01,
            "reach": lambda: 0.05, "rounds": lambda: rng.randrange(9), "width": lambda: 0.2,
            "floor": lambda: rng.choice([None, self.one(ductile.DentMap)]),
            "position": self.vector, "direction": self.vector, "impulse": self.vector,
            "point": self.vector, "time": lambda: rng.choice([None, 0.0, 0.1, 1.0]),
            "duration": lambda: rng.choice([0.0, 0.05]), "amount": lambda: rng.random(),
            "id": lambda: rng.randrange(5), "hit": lambda: rng.randrange(5),
            "frame_rate": lambda: 60.0, "height": lambda: 0.0, "thickness": lambda: 0.001,
            "text": self.text, "folder": self.path, "overrides": lambda: ["duration=1"],
            "max_frames": lambda: rng.randrange(1, 4), "progress": self.progress,
            "fields": lambda: rng.choice([{}, {"hits": []}, self.journal_fields()]),
            "name": lambda: rng.choice(list(OPTIONS)), "value": self.nonsense,
            "x": self.number, "y": self.number, "other": self.nonsense,
        }
        if name == "path" and call == "Scene.set":
            return rng.choice(["duration", "bodies.a.mass", "gravity.y", "hits", "camera.eye", "",
                               "bodies.a.solid.size", "picture.sky", "a.b.c", "=", "threads"])
        return made.get(name, self.nonsense)()

    def surface_points(self):
        mesh = self.one(ductile.Mesh)
        if mesh is None or self.rng.random() < 0.5:
            return [[0, 0, 0], [0.5, 0, 0], [0, 0.5, 0], [0, 0, 0.5]]
        return mesh.points + self.rng.choice([0.0, 0.01, 1e5])

    def body(self):
        if self.is_earnest:
            return self.rng.choice([0, 1, 1, 1, 2])
        return self.rng.choice([0, 1, 2, 3, -1, "a", "barrel", "ball", 99, 2**40])

    def text(self):
        return self.rng.choice(["1 - r", "x^", "r^^2", "0", "sin(x) / 0", "((((", "{}",
                                '{"bodies": {"a": {}}}',
                                '{"bodies": {"a": {"layers": {"dent": {}}}}}',
                                "[" * 3000, "\0", "exp(1000 * r)"])

    def progress(self):
        def fail(stage, share):
            raise KeyError("from a callback")
        scene = self.one(ductile.Scene)
        def change(stage, share):
            if scene is not None:
                scene.set("duration", 1)
        return self.rng.choice([None, lambda stage, share: None, lambda: None, fail, change, 3])

    def journal_fields(self):
        journal = self.one(ductile.Journal)
        fields = journal.to_dict() if journal is not None else {}
        if fields.get("hits") and self.rng.random() < 0.5:
            hit = self.rng.choice(fields["hits"])
            hit[self.rng.choice(list(hit))] = self.nonsense()
        return fields

    def option(self, name):
        rng = self.rng
        made = {
            "position": self.vector, "velocity": self.vector, "spin": self.vector,
            "direction": lambda: rng.choice([[0, -1, 0], [1, 0, 0], self.vector()]),
            "rotation": lambda: rng.choice([[1, 0, 0, 0], [0, 0, 0, 0],
                                            {"axis": [0, 1, 0], "angle_deg": 30}, self.vector()]),
            "size": lambda: rng.choice([[0.5, 0.5, 0.5], [1, 0.1, 1], [0, 0, 0], self.vector()]),
            "material": lambda: rng.choice(["steel", self.one(ductile.Material), "stee"]),
            "motion": lambda: rng.choice(["static", "kinematic", "dynamic", "fast"]),
            "collider": lambda: rng.choice(["auto", "sphere", "box", "half_space", "pieces"]),
            "dent": lambda: rng.choice([{}, {"radius": 0.1}, {"shape": {"source": "formula",
                                        "formula": "1 - r"}}, {"smoothing": 0}, self.nonsense()]),
            "map": lambda: rng.choice(["2x2:", "1x1:A", "x", "99999x99999:AAAA",
                                       self.map_text()]),
            "radius": lambda: rng.choice([0.1, 0.5, 1e-6, 100]), "resolution": lambda: 0.2,
            "depth": lambda: rng.choice([0.0, 0.01, 0.1, 100]),
            "thickness": lambda: rng.choice([0, 0.001, 10]),
            "mass": lambda: rng.choice([0, 20, 1e9]),
            "pieces": lambda: rng.choice([{}, {"count": 1}, {"depth": 0}, {"count_limit": 2}]),
            "gravity": self.vector, "sub_steps": lambda: rng.randrange(4), "grid": lambda: 20,
            "samples": lambda: rng.choice([0, 1, 2]), "surface_points": lambda: 100,
            "eye": self.vector, "target": self.vector, "distance": lambda: 0.05,
            "bodies": lambda: {"a": {"layers": {"dent": {}}, "position": [0, 1, 0]}, "b": {
                "solid": {"kind": "sphere"}, "position": [0, 3, 0], "velocity": [0, -9, 0]}},
            "duration": lambda: rng.choice([0.1, 0.0, 1.0]),
            "ground": lambda: {"is_on": rng.random() < 0.7},
            "hits": lambda: [{"body": "a", "frame": 1, "dent": {"position": [0, 0.5, 0]}}],
            "colour_by": lambda: rng.choice(["none", "depth", "strain", "scratch"]),
            "field_of_view_deg": lambda: 40, "exposure": lambda: 0, "colour_range": lambda: 0.1,
            "ground_height": lambda: 0, "sun_direction": self.vector, "edge": lambda: 0.01,
            "slant_deg": lambda: rng.choice([0, 30, 80]), "name": lambda: "somebody",
        }
        return made.get(name, lambda: rng.choice([self.number(), self.whole(), 0.5, 1]))()

    def map_text(self):
        made = self.one(ductile.DentMap)
        with contextlib.suppress(ValueError):
            if made is not None:
                return made.hit([0, 0, 0], [0, -1, 0])["map"]
        return ""

    def arguments(self, call, names):
        rng = self.rng
        values = {}
        for name, is_needed in names:
            if name in ("args", "kwargs", "self"):
                continue
            if not is_needed and rng.random() < 0.4:
                continue
            # A run as long as nonsense would have it never ends.
            is_wild = rng.random() < 0.25 and name != "max_frames" and not self.is_earnest
            values[name] = self.nonsense() if is_wild else self.plausible(call, name)
        if call in OPTIONS:
            for name in rng.sample(OPTIONS[call], rng.randrange(min(6, len(OPTIONS[call])))):
                if name in values:
                    continue
                if self.is_earnest and name in DEFAULTS and rng.random() < 0.8:
                    values[name] = DEFAULTS[name]
                else:
                    is_wild = rng.random() < 0.15 and not self.is_earnest
                    values[name] = self.nonsense() if is_wild else self.option(name)
            if rng.random() < 0.05 and not self.is_earnest:
                values[rng.choice(["radios", "", "self", "класс"])] = 1
        if call == "Recording.draw":
            values.update(width=8, height=6)
        if call == "Scene.run":
            values.setdefault("max_frames", 2)
        return values

    # ---- calling ----------------------------------------------------------------------------

    def call(self):
        name, kind, function, names = self.rng.choices(self.calls, self.weights)[0]
        self.is_earnest = self.rng.random() < 0.4
        target = []
        if kind is not None:
            owner = self.one(kind) if self.rng.random() < 0.97 else self.nonsense()
            target = [owner]
            # A scene that nonsense changed may be long: only short ones run.
            if name == "Scene.run" and isinstance(owner, ductile.Scene) and not is_short(owner):
                return
        values = self.arguments(name, names)
        self.counts[name] += 1
        print(f"{sum(self.counts.values())} {name}", file=self.log, flush=False)
        try:
            result = function(*target, **values)
        except SystemError:
            raise
        except Exception as problem:  # pylint: disable=broad-except
            assert str(problem) is not None
            self.counts["raised"] += 1
            return
        self.counts["returned"] += 1
        self.keep(name, result)

    def keep(self, name, result):
        if isinstance(result, np.ndarray):
            self.arrays.append(result)
            if result.dtype == np.float64 and not np.isfinite(result).all():
                raise AssertionError(f"{name} gave a number that is not finite")
            if len(self.arrays) > 50:
                del self.arrays[self.rng.randrange(len(self.arrays))]
        elif isinstance(result, CLASSES):
            kept = self.objects[type(result)]
            kept.append(result)
            if len(kept) > KEPT:
                del kept[self.rng.randrange(len(kept))]

    def forget(self):
        """Drops owners while their arrays live on, and reads those."""
        for kept in self.objects.values():
            if len(kept) > 3:
                del kept[self.rng.randrange(len(kept))]
        gc.collect()
        for array in self.arrays:
            if array.dtype.kind in "fi":
                float(np.abs(array).sum())
            with contextlib.suppress(ValueError):
                array.flags.writeable = True
                array[...] = 0  # only what is its own to write

    def seed_objects(self):
        mesh = ductile.Mesh.solid("barrel", resolution=0.2)
        self.keep("", mesh)
        self.keep("", ductile.Mesh.solid("sphere", size=[0.4] * 3, resolution=0.1))
        mesh.write_obj(self.folder / "mesh.obj")
        (self.folder / "nonsense.ply").write_bytes(b"ply\nformat ascii 1.0\nelement vertex 9\n")
        self.keep("", ductile.DentMap.gaussian(20, 0.1, 0.02))
        ball = ductile.Mesh.solid("sphere", size=[0.4] * 3, resolution=0.05)
        rigid = ductile.PressRigid(ball.points + [0, 0.3, 0], ball.triangles)
        presser = ductile.Presser(ball.points, ball.triangles)
        self.keep("", rigid)
        self.keep("", presser)
        self.keep("", presser.press(rigid))
        self.keep("", ductile.Material())
        self.keep("", busy_world())
        scene = ductile.Scene(duration=0.1, bodies={
            "a": {"layers": {"dent": {}}, "position": [0, 1, 0], "velocity": [0, -8, 0]}})
        self.keep("", scene)
        film = scene.run()
        self.keep("", film)
        self.keep("", film.journal)
        self.keep("", film.journal.journal("a"))
        film.journal.save(self.folder / "journal.json")


def is_short(scene):
    fields = scene.to_dict()
    rates = fields["step_rate"] / fields["frame_rate"]
    return rates <= 100 and fields["sub_steps"] <= 10 and fields["solver_iterations"] <= 100


def parameters(function):
    """(name, whether it must be given) of each parameter."""
    if inspect.isfunction(function):
        return []
    match = SIGNATURE.match((function.__doc__ or "").split("\n")[0])
    names = []
    for word in split_words(match[2] if match else ""):
        name = word.split(":")[0].split("=")[0].strip().lstrip("*")
        if name:
            names.append((name, "=" not in word))
    return names


def main():
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    faulthandler.enable()
    before = fingerprint()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        fuzzer = Fuzzer(seed, folder)
        with open(os.environ.get("FUZZ_LOG", os.devnull), "w", encoding="utf-8") as fuzzer.log, \
                np.errstate(all="ignore"):
            import warnings
            warnings.simplefilter("ignore")
            fuzzer.seed_objects()
            while sum(fuzzer.counts[name] for name in ("raised", "returned")) < calls:
                fuzzer.call()
                if fuzzer.rng.random() < 0.02:
                    fuzzer.forget()
                for kind in CLASSES:
                    if not fuzzer.objects[kind]:
                        fuzzer.seed_objects()
        os.chdir("/")
    use_from_threads(1.0)
    use_from_signals()
    assert fingerprint() == before, "the module is not what it was"
    counts = fuzzer.counts
    uncalled = [name for name, *_ in fuzzer.calls if not counts[name]]
    assert not uncalled or calls < 2000, f"never called: {uncalled}"
    print(f"{counts['returned'] + counts['raised']} calls of {len(fuzzer.calls)} functions: "
          f"{counts['returned']} returned, {counts['raised']} raised")


if __name__ == "__main__":
    main()
