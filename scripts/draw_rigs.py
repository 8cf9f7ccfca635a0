#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the rigs of rigs/ anew: `scripts/draw_rigs.py build/release/bin/ductile [NAME ...]`.

Every rig is a solid of our own. The command spreads the handles; each pose is a drawing rule, here, of
where a place of the body should go, and moves every handle by it. How handles turn is found by the
command. The rules are free-hand: they say what a crash, a crease or a heavy weight looks like, not what it does.
"""

import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "rigs"


def smooth(low, high, x):
    """0 up to low, 1 from high on, smooth in between."""
    t = min(max((x - low) / (high - low), 0.0), 1.0)
    return t * t * (3 - 2 * t)


def turn(p, middle, axis, angle_deg):
    """p turned about an axis (0, 1, 2) through a place."""
    a, b = [(1, 2), (2, 0), (0, 1)][axis]
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    q = list(p)
    u, v = p[a] - middle[a], p[b] - middle[b]
    q[a], q[b] = middle[a] + c * u - s * v, middle[b] + s * u + c * v
    return q


def dent(p, at, reach, move):
    """Pushes what is near a place along, most in the middle."""
    share = 1 - smooth(0.0, 1.0, math.dist(p, at) / reach)
    return [p[k] + share * move[k] for k in range(3)]


def hinge(p, at, axis, angle_deg, along, sign=1, soft=0.3):
    """Turns all beyond a plane through `at`, over a soft stretch: a crease."""
    share = smooth(-soft, soft, sign * (p[along] - at[along]))
    return turn(p, at, axis, angle_deg * share)


def squash(p, axis, floor, factor, bulge):
    """Presses towards a floor; what gives way goes outwards."""
    q = [p[k] * (1 + bulge) for k in range(3)]
    q[axis] = floor + factor * (p[axis] - floor)
    return q


def crumple(p, axis, front, depth, keep):
    """Pushes a front in: what lies within `keep` of it is folded up, in waves."""
    sign = 1 if front > 0 else -1
    inwards = sign * (front - p[axis])  # 0 at the front
    if inwards > keep:
        return list(p)
    share = 1 - inwards / keep
    q = list(p)
    q[axis] -= sign * depth * share ** 1.2
    q[1] += 0.1 * depth * math.sin(2.5 * math.pi * share)
    return q


def barrel():
    waist = {f"waist {n}": {"place": [round(0.27 * math.cos(t), 4), 0.0, round(0.27 * math.sin(t), 4)]}
             for n, t in (("right", 0), ("front", math.pi / 2), ("left", math.pi), ("back", -math.pi / 2))}

    def crushed(p):
        q = dent(p, (0.3, 0.0, 0.12), 0.55, (-0.34, 0.02, -0.1))
        return [q[0], q[1] - 0.05 * smooth(0.1, 0.45, p[1]), q[2]]

    def creased(p):
        q = dent(p, (0.27, 0.0, 0.1), 0.36, (-0.2, 0, -0.05))
        return hinge(q, (0.2, 0.0, 0), 2, -42, 1, 1, 0.16)

    def flattened(p):
        q = squash(p, 1, -0.44, 0.5, 0.1)
        bulge = 1 + 0.35 * (1 - smooth(0.0, 0.3, abs(p[1])))
        q = [q[0] * bulge, q[1], q[2] * bulge]
        return turn(q, (0, -0.44, 0), 0, 14 * smooth(-0.2, 0.45, p[1]))

    return {"description": "a steel drum: one side driven in, folded over, pressed down",
            "solid": {"kind": "barrel"}, "handles": waist, "handle_count": 12, "nodes": 1800,
            "poses": {"crushed": crushed, "creased": creased, "flattened": flattened}}


def drum():
    """The barrel with more poses: it can be driven in from everywhere."""
    rig = barrel()
    poses = {k: rig["poses"][k] for k in ("creased", "flattened")}

    def driven_in(x, z):
        return lambda p: dent(p, (0.3 * x, 0.0, 0.3 * z), 0.5, (-0.3 * x, 0, -0.3 * z))

    def rim(x, z, y):
        return lambda p: dent(p, (0.29 * x, y, 0.29 * z), 0.5, (-0.2 * x, -0.4 * y, -0.2 * z))

    for name, x, z in (("right", 1, 0), ("left", -1, 0), ("front", 0, 1), ("back", 0, -1)):
        poses[f"{name} side in"] = driven_in(x, z)
        poses[f"{name} of the top in"], poses[f"{name} of the foot in"] = rim(x, z, 0.44), rim(x, z, -0.44)
    return {**rig, "description": "a steel drum that can be driven in from all sides", "handle_count": 24,
            "poses": poses}


def car():
    def front(p):
        q = crumple(p, 2, 2.1, 1.15, 2.1)
        return dent(q, (0, 0.15, 1.0), 0.9, (0, 0.28, 0))  # the bonnet folds up

    def rear(p):
        q = crumple(p, 2, -2.1, 0.95, 1.8)
        return dent(q, (0, 0.4, -1.4), 0.8, (0, -0.18, 0))

    def roof(p):
        share = smooth(-0.1, 0.65, p[1])
        return [p[0] * (1 + 0.1 * share), p[1] - 0.55 * share + 0.1 * share * math.cos(2.5 * p[2]), p[2]]

    poses = {
        "front crushed": front,
        "rear crushed": rear,
        "roof flattened": roof,
        "left side crushed": lambda p: dent(p, (0.9, 0.0, 0.1), 1.5, (-0.75, 0.08, 0)),
        "right side crushed": lambda p: dent(p, (-0.9, 0.0, -0.2), 1.5, (0.75, 0.08, 0)),
        "twisted": lambda p: turn(p, (0, -0.1, 0), 2, 19 * max(-1.0, min(1.0, p[2] / 1.9))),
    }
    return {"description": "the hatchback: front, rear, roof and sides driven in, and twisted along its length",
            "solid": {"kind": "car"}, "handle_count": 32, "nodes": 4700, "poses": poses}


def bar(start, end, radius, end_radius=0.0):
    part = {"from": list(start), "to": list(end), "radius": radius}
    if end_radius:
        part["end_radius"] = end_radius
    return part


def painted(colour, parts):
    return [{**p, "colour": colour} for p in parts]


def mirrored(parts):
    """With everything on the other side of x = 0 as well."""
    flip = lambda v: [-v[0], v[1], v[2]]
    return parts + [{**p, "from": flip(p["from"]), "to": flip(p["to"])} for p in parts]


# Linear RGB.
STEEL, CONCRETE, GLASS, SIGNAL = [0.05, 0.06, 0.07], [0.36, 0.35, 0.33], [0.008, 0.014, 0.022], [0.45, 0.03, 0.02]
ENGINE, NAVY, ORANGE = [0.035, 0.035, 0.04], [0.02, 0.06, 0.16], [0.55, 0.16, 0.02]


def crane():
    legs = mirrored([bar((1.6, 0.25, z), (0.8, 4.0, 0.5 * z), 0.26) for z in (-1.6, 1.6)] +
                    [bar((1.6, 0.25, -1.6), (1.6, 0.25, 1.6), 0.28), bar((0.8, 4, -0.8), (0.8, 4, 0.8), 0.32)])
    parts = painted(STEEL, legs + [
        bar((-0.8, 4, 0.8), (0.8, 4, 0.8), 0.32), bar((-0.8, 4, -0.8), (0.8, 4, -0.8), 0.32),
    ]) + [
        bar((0, 4.2, 0), (0, 5.0, 0), 0.85, 0.7), bar((0, 4.6, 0), (0, 9.4, 0), 0.38, 0.28),
    ] + painted(GLASS, [bar((0.3, 5.0, 0), (1.1, 5.2, 0), 0.5, 0.45)]) + [
        bar((0, 7.2, 0), (7.2, 8.9, 0), 0.34, 0.24), bar((0, 9.3, 0), (5.2, 8.6, 0), 0.24),
        bar((0, 7.2, 0), (-3.0, 7.3, 0), 0.34), bar((0, 9.3, 0), (-2.8, 7.5, 0), 0.24),
    ] + painted(CONCRETE, [bar((-3.0, 6.9, -0.35), (-3.0, 6.9, 0.35), 0.62)]) + painted(
        STEEL, [bar((6.9, 8.7, 0), (6.9, 6.6, 0), 0.24)]) + painted(
        SIGNAL, [bar((6.9, 6.4, 0), (6.9, 6.2, 0), 0.4)])
    poses = {
        "jib folded": lambda p: hinge(p, (1.6, 7.6, 0), 2, -62, 0, 1, 1.0) if p[1] > 5.6 else list(p),
        "legs buckled": lambda p: dent(hinge(p, (0, 3.4, 0), 0, 24, 1, 1, 1.2), (1.2, 2.0, 1.2), 2.2, (0.7, -0.3, 0.5)),
        "mast twisted": lambda p: turn(turn(p, (0, 5, 0), 1, 75 * smooth(4.4, 8.8, p[1])), (0, 5, 0), 2, 14 * smooth(4.6, 9, p[1])),
    }
    return {"description": "a yard crane: its jib folded down, its legs buckled, its mast wrung",
            "solid": {"kind": "blend", "blend": 0.15, "resolution": 0.17, "parts": parts},
            "colour": [0.62, 0.36, 0.02],
            "handle_count": 14, "nodes": 1940, "poses": poses}


def big_ship():
    parts = [bar((0, 0, -10), (0, 0.3, 8), 2.4, 1.2)] + painted(SIGNAL, [
        bar((0, 0.3, 8), (0, 0.1, 12), 1.2, 0.45),
    ]) + [bar((0, 2.1, -5.5), (0, 1.7, -1.5), 1.2, 0.8)] + painted(GLASS, [
        bar((0, 2.6, -6.2), (0, 3.6, -7.2), 0.7, 0.5),
    ]) + painted(ENGINE, [bar((0, -0.9, -9), (0, -0.9, -12.5), 1.1, 1.25)]) + mirrored(painted(NAVY, [
        bar((2.0, -0.4, -8), (1.3, -0.2, 4), 1.4, 0.7),
    ]) + [
        bar((2.0, -0.1, -2.5), (9.4, -0.7, -8.6), 0.62, 0.34), bar((2.0, -0.1, -4.2), (9.4, -0.7, -9.2), 0.62, 0.34),
        bar((2.0, -0.1, -5.9), (9.4, -0.7, -9.8), 0.62, 0.34), bar((2.0, -0.1, -7.6), (9.4, -0.7, -10.4), 0.62, 0.34),
    ] + painted(SIGNAL, [
        bar((9.4, -0.7, -9.0), (9.8, 1.9, -10.8), 0.36, 0.3), bar((9.4, -0.7, -10.2), (9.8, 1.9, -11.3), 0.36, 0.3),
    ]) + painted(ENGINE, [bar((1.9, 0.7, -9), (1.9, 0.7, -12.5), 1.0, 1.15)]) + painted(NAVY, [
        bar((0.7, -0.4, 9.5), (2.6, -0.6, 7.4), 0.34, 0.3),
    ]))
    poses = {
        "nose crushed": lambda p: crumple(p, 2, 12.2, 4.2, 9.0),
        "left wing bent": lambda p: hinge(p, (4.5, -0.3, 0), 2, 58, 0, 1, 1.6),
        "right wing torn back": lambda p: turn(hinge(p, (-3.6, -0.3, -6), 1, 36, 0, -1, 1.6), (-3, -0.3, -6), 0, 18 * smooth(3, 8, -p[0])),
        "back broken": lambda p: hinge(hinge(p, (0, -1.2, -1), 0, -17, 2, 1, 1.5), (0, -1.2, -1), 0, 9, 2, -1, 1.5),
        "twisted": lambda p: turn(p, (0, 0, 0), 2, 34 * smooth(-9, 11, p[2]) - 12),
        "flattened": lambda p: [p[0] * 1.06, -1.8 + (p[1] + 1.8) * (0.5 if p[1] > -1.8 else 1.0), p[2]],
    }
    return {"description": "a large spaceship: nose crushed, a wing bent up, one torn back, its back broken, wrung, flattened",
            "solid": {"kind": "blend", "blend": 0.5, "resolution": 0.26, "parts": parts},
            "colour": [0.38, 0.40, 0.43],
            "handle_count": 64, "nodes": 4200, "poses": poses}


def small_ship():
    parts = [bar((0, 0, -2.2), (0, 0, 2.6), 0.62, 0.24)] + painted(GLASS, [
        bar((0, 0.42, 0.1), (0, 0.36, 1.1), 0.4, 0.26),
    ]) + mirrored([
        bar((0.4, 0, -0.5), (2.7, -0.15, -1.8), 0.26, 0.15), bar((0.4, 0, -1.1), (2.7, -0.15, -2.1), 0.26, 0.15),
    ] + painted(ORANGE, [bar((0.4, 0, -1.7), (2.7, -0.15, -2.4), 0.26, 0.15)]) + painted(ENGINE, [
        bar((0.55, 0.12, -1.6), (0.55, 0.12, -2.7), 0.38, 0.42),
    ]) + painted(ORANGE, [
        bar((0.5, 0.3, -1.7), (0.85, 1.25, -2.5), 0.17, 0.13), bar((0.5, 0.3, -2.1), (0.85, 1.25, -2.7), 0.17, 0.13),
    ]))
    poses = {
        "nose crushed": lambda p: crumple(p, 2, 2.9, 1.5, 3.0),
        "wings folded": lambda p: hinge(hinge(p, (0.9, 0, -1.5), 2, 55, 0, 1, 0.5), (-0.9, 0, -1.5), 2, -35, 0, -1, 0.5),
        "wrung": lambda p: hinge(turn(p, (0, 0, 0), 2, 60 * smooth(-2.2, 2.4, p[2]) - 25), (0, -0.4, 0.2), 0, -22, 2, 1, 0.8),
    }
    return {"description": "a small spaceship: nose crushed, wings folded, wrung",
            "solid": {"kind": "blend", "blend": 0.14, "resolution": 0.11, "parts": parts},
            "colour": [0.03, 0.2, 0.26],
            "handle_count": 12, "nodes": 1190, "poses": poses}


RIGS = {"barrel": barrel, "drum": drum, "car": car, "crane": crane, "big_ship": big_ship, "small_ship": small_ship}


def middle_of(solid):
    """Where the middle of a solid's box is in the frame of its parts: the solid is centred on it."""
    if "parts" not in solid:
        return [0.0, 0.0, 0.0]
    ends = [(p["from"], p["radius"]) for p in solid["parts"]]
    ends += [(p["to"], p.get("end_radius") or p["radius"]) for p in solid["parts"]]
    return [0.5 * (min(at[k] - r for at, r in ends) + max(at[k] + r for at, r in ends)) for k in range(3)]


def spread_handles(command, base):
    """The handles that the command chooses: name -> place."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "base.json")
        path.write_text(json.dumps(base))
        subprocess.run([command, "rig", path, "--out", folder, "--no-pictures", "-q"], check=True)
        return json.loads(pathlib.Path(folder, "base.rig.json").read_text())["handles"]


def main():
    command, names = sys.argv[1], sys.argv[2:] or list(RIGS)
    for name in names:
        rig = RIGS[name]()
        rules = rig.pop("poses")
        middle = middle_of(rig["solid"])
        handles = spread_handles(command, rig)
        rounded = lambda v: [round(x, 4) + 0.0 for x in v]
        rig.pop("handle_count")
        rig["handles"] = {n: {"place": rounded(h["place"])} for n, h in handles.items()}
        rig["poses"] = {}
        for pose, rule in rules.items():
            moves = {}
            for n, h in rig["handles"].items():
                place = [a + b for a, b in zip(h["place"], middle)]
                move = rounded(a - b for a, b in zip(rule(place), place))
                if any(move):
                    moves[n] = {"move": move}
            rig["poses"][pose] = {"handles": moves}
        text = json.dumps(rig, indent=1)
        # Vectors on one line.
        text = re.sub(r"\[\s+([-\d.e]+),\s+([-\d.e]+),\s+([-\d.e]+)\s+\]", r"[\1, \2, \3]", text)
        text = re.sub(r"\{\s+(\"(?:place|move)\": \[[^]]*\])\s+\}", r"{\1}", text)
        (FOLDER / f"{name}.json").write_text(text + "\n")
        print(f"{name}: {len(handles)} handles, {len(rules)} poses")


if __name__ == "__main__":
    main()
