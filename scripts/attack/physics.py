# SPDX-License-Identifier: MIT
"""What every run of a valid scene owes: energy, momentum, drift, finite numbers, replay, threads."""

import itertools
import json
import math
import random
import time

from .command import FINE, NO_PICTURES
from .scenes import (drifting, has_tissue, is_free, random_scene, shifted, with_other_digits,
                     without_layers)

ENERGY_SHARE = 1e-6  # Of the energy in play: rounding over some hundred steps.
MOMENTUM_SHARE = 1e-6  # Of the momentum in play.
DRIFT_SHARE = 2e-5  # Of spins, speeds and depths: a step of the 65,535 of a dent map.
DRIFT_AMPLIFIED = 100.0  # Times what a mere shift changes: contacts are chosen by last digits.
SHRINK_S = 60  # For making the scene of a finding smaller.
DRIFT = (50.0, 0.0, 0.0)  # [m/s]
SHIFTS = ((1.0, 0.0, 0.0), (0.1, 0.2, -0.3), (-7.1, 3.3, 5.2), (23.9, -11.7, 8.6),
          (-31.4, 27.1, -14.1), (6.7, 37.3, 33.9), (12.8, -2.3, -38.2), (-39.7, -17.6, 3.1))  # [m]
DIGIT_RUNS = 100  # Ties between contacts fall otherwise in one of 24 runs and more.


def numbers_in(value, path=""):
    """(path, number) of every number in what JSON holds; null stands for one that is none."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from numbers_in(item, f"{path}/{key}")
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from numbers_in(item, f"{path}/{i}")
    elif value is None or isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, math.nan if value is None else value


class SceneRun:
    """A scene run into a folder of its own, and its report."""

    def __init__(self, command, scene, folder, name, *settings):
        self.out = folder / name
        file = folder / f"{name}.json"
        file.write_text(json.dumps(scene, indent=1), encoding="utf-8")
        done = command.call("run", file.name, "--quiet", "--out", name, *NO_PICTURES, *settings,
                            folder=folder)
        self.problem = done.problem(allowed=(FINE,))
        self.report = {}
        if not self.problem:
            self.report = json.loads((self.out / "report.json").read_text(encoding="utf-8"))

    def bodies(self):
        """Those that move, by name."""
        return {body["name"]: body for body in self.report["bodies"] if "velocity_m_s" in body}


def check_finite(run, _):
    for path, number in numbers_in(run.report):
        if not math.isfinite(number):
            return f"{path} is not finite"
    return None


def check_energy(run, scene):
    """Nothing but forces gives energy; what the engine owns up to (gained, integration) aside."""
    if has_tissue(scene):  # Coats hold energy and momentum that the report does not list.
        return None
    energy = run.report["energy_joule"]
    given = energy["start"] + energy["forces"] + energy["gained"] + max(0.0, energy["integration"])
    scale = energy["start"] + abs(energy["forces"]) + energy["gained"]
    if energy["now"] > given + ENERGY_SHARE * scale:
        return f"{energy['now']:.6g} J where {given:.6g} J were given"
    if energy["dissipated"] < -ENERGY_SHARE * scale:
        return f"dissipated {energy['dissipated']:.6g} J"
    if abs(energy["gap"]) > ENERGY_SHARE * scale:
        return f"the books are {energy['gap']:.3g} J apart"
    return None


def check_momentum(run, scene):
    if not is_free(scene) or has_tissue(scene):
        return None
    for axis in range(3):
        change, scale = 0.0, 0.0
        for name, body in run.bodies().items():
            fall = scene["gravity"][axis] * run.report["time_s"]
            start = scene["bodies"][name]["velocity"][axis]
            end = body["velocity_m_s"][axis]
            change += body["mass_kg"] * (end - start - fall)
            scale += body["mass_kg"] * (sum(map(abs, scene["bodies"][name]["velocity"]))
                                        + abs(end) + abs(fall))
        if abs(change) > MOMENTUM_SHARE * scale:
            return f"momentum along {'xyz'[axis]} changed by {change:.3g} of {scale:.3g} N s"
    return None


def check_replay(run, _, command, folder):
    done = command.call("replay", run.out / "journal.json", folder=folder)
    if done.problem(allowed=(FINE,)):
        return done.problem(allowed=(FINE,))
    if "the same bits" not in done.output:
        return "the replay does not say that it is the run"
    return None


def check_threads(run, scene, command, folder):
    other = SceneRun(command, scene, folder, "threads", "--set", "threads=1")
    if other.problem:
        return other.problem
    for name in ("state_hash", "shape_hash", "shown_hash"):
        if other.report[name] != run.report[name]:
            return f"{name} depends on the number of threads"
    return None


def deviation(run, other, drift):
    """How far the spins, speeds and dents of two runs are apart, as shares of what they are."""
    speed = max(math.hypot(*body["velocity_m_s"]) for body in run.bodies().values())
    spin = max(math.hypot(*body["spin_rad_s"]) for body in run.bodies().values())
    worst = 0.0
    for name, body in run.bodies().items():
        twin = other.bodies()[name]
        moved = [a - b + d for a, b, d in
                 zip(body["velocity_m_s"], twin["velocity_m_s"], drift)]
        turned = [a - b for a, b in zip(body["spin_rad_s"], twin["spin_rad_s"])]
        dents = abs(body.get("deepest_mm", 0.0) - twin.get("deepest_mm", 0.0))
        worst = max(worst, math.hypot(*moved) / max(speed, 1e-3),
                    math.hypot(*turned) / max(spin, 1e-3),
                    dents / max(body.get("deepest_mm", 0.0), 1e-6))
    return worst


def check_drift(run, scene, command, folder):
    """A common drift changes nothing, but for what the last digits of places do by themselves: so
    much as the same scene somewhere else, or with other last digits, differs from itself."""
    if not is_free(scene) or has_tissue(scene):
        return None
    drifted = SceneRun(command, drifting(scene, DRIFT), folder, "drifting")
    if drifted.problem:
        return drifted.problem
    found = deviation(run, drifted, DRIFT)
    allowed = DRIFT_SHARE
    rng = random.Random(DIGIT_RUNS)
    variants = itertools.chain((shifted(scene, way) for way in SHIFTS),
                               (with_other_digits(scene, rng) for _ in range(DIGIT_RUNS)))
    for variant in variants:
        if found <= allowed:
            return None
        other = SceneRun(command, variant, folder, "variant")
        if other.problem:
            return other.problem
        allowed = max(allowed, DRIFT_AMPLIFIED * deviation(run, other, (0.0, 0.0, 0.0)))
    if found <= allowed or not is_engine_invariant(scene, command, folder):
        return None
    return f"a drift of {DRIFT} m/s changes the run by {found:.3g}, last digits by {allowed:.3g}"


def is_engine_invariant(scene, command, folder):
    """Whether the drift changes nothing where nothing deforms: then ductile has no part in it."""
    rigid = without_layers(scene)
    run = SceneRun(command, rigid, folder, "rigid")
    drifted = SceneRun(command, drifting(rigid, DRIFT), folder, "rigid-drifting")
    return bool(run.problem or drifted.problem) or deviation(run, drifted, DRIFT) <= DRIFT_SHARE


# Checks of one run, then those that need further calls of the command.
RUN_CHECKS = {"finite": check_finite, "energy": check_energy, "momentum": check_momentum}
CALL_CHECKS = {"replay": check_replay, "threads": check_threads, "drift": check_drift}


def first_problem(scene, command, folder, checks):
    """(name of the check, what it found) for a scene; None if all is well."""
    run = SceneRun(command, scene, folder, "scene")
    if run.problem:
        return "run", run.problem
    for name, check in RUN_CHECKS.items():
        problem = check(run, scene) if name in checks else None
        if problem:
            return name, problem
    for name, check in CALL_CHECKS.items():
        problem = check(run, scene, command, folder) if name in checks else None
        if problem:
            return name, problem
    return None


def smaller_scenes(scene):
    """The scene with one thing less: a body, a hit, a setting."""
    bodies = scene["bodies"]
    if "press" in scene:
        yield {key: value for key, value in scene.items() if key != "press"}
    for name in bodies if len(bodies) > 1 and "press" not in scene else ():
        yield {**scene, "bodies": {n: b for n, b in bodies.items() if n != name},
               "hits": [hit for hit in scene["hits"] if hit["body"] != name]}
    for i in range(len(scene["hits"])):
        yield {**scene, "hits": scene["hits"][:i] + scene["hits"][i + 1:]}
    for name, body in bodies.items():
        for key in ("thickness", "mass"):
            if key in body:
                less = {k: v for k, v in body.items() if k != key}
                yield {**scene, "bodies": {**bodies, name: less}}
        layers = body.get("layers", {})
        for layer in layers if len(layers) > 1 else ():
            less = {k: v for k, v in layers.items() if k != layer}
            yield {**scene, "bodies": {**bodies, name: {**body, "layers": less}}}
        for layer, options in layers.items():
            for key in options:
                less = {**layers, layer: {k: v for k, v in options.items() if k != key}}
                yield {**scene, "bodies": {**bodies, name: {**body, "layers": less}}}
        if any(body["spin"]):
            yield {**scene, "bodies": {**bodies, name: {**body, "spin": [0.0, 0.0, 0.0]}}}


def shrink(scene, command, folder, check):
    """A smaller scene that the check still finds fault with, by leaving things out for a while."""
    end = time.monotonic() + SHRINK_S
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for candidate in smaller_scenes(scene):
            if time.monotonic() > end:
                return scene
            found = first_problem(candidate, command, folder, {check})
            if found and found[0] == check:
                scene, is_smaller = candidate, True
                break
    return scene


def attack_scene(rng, command, folder):
    """One random scene; what was found, or None. Leaves the smallest scene in the folder."""
    scene = random_scene(rng, command.materials())
    # The costly two take turns.
    checks = {*RUN_CHECKS, "replay", rng.choice(("threads", "drift"))}
    found = first_problem(scene, command, folder, checks)
    if not found:
        return None
    check, _ = found
    small = shrink(scene, command, folder, check)
    again = first_problem(small, command, folder, {check})
    check, problem = again or found
    return f"{check}: {problem}"
