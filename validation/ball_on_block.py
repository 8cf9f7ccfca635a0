#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A rigid ball pressed into an elastoplastic block and taken away again, with CalculiX.

Axisymmetric, quasi-static, large strains, no friction. Lengths in ball radii, stresses in yield
stresses: quasi-static plasticity has no length and no stress of its own, so one run stands for all
radii and for all metals of the same modulus / yield stress ratio.
"""
import math

import ccx


# Of stress: CalculiX takes forces below 1e-5 for none.
UNIT = 1e6


def block_mesh(contact_radius, width, elements):
    """Coordinates along r and down z: even under the contact, then growing."""
    cell = contact_radius / elements
    radial = ccx.graded(1.8 * contact_radius, cell, width, 1.3)
    down = ccx.graded(0.9 * contact_radius, cell, width, 1.3)
    return radial, down


def deck(depth, modulus, poisson, hardening, elements=10):
    contact_radius = 1.15 * math.sqrt(depth * (2.0 - depth))
    width = 12.0 * contact_radius
    radial, down = block_mesh(contact_radius, width, elements)
    mesh = ccx.Mesh()
    ids = {}
    # eight-node quadrilaterals on a doubled lattice
    rr, zz = ccx.doubled(radial), ccx.doubled(down)
    for i, r in enumerate(rr):
        for j, z in enumerate(zz):
            if i % 2 and j % 2:
                continue
            ids[i, j] = mesh.node(r, -z)
    cells = []
    for i in range(len(radial) - 1):
        for j in range(len(down) - 1):
            a, b = 2 * i, 2 * j
            element = mesh.element("block", [ids[a, b + 2], ids[a + 2, b + 2], ids[a + 2, b], ids[a, b],
                                             ids[a + 1, b + 2], ids[a + 2, b + 1], ids[a + 1, b], ids[a, b + 1]])
            cells.append((i, j, element))
    top = [e for i, j, e in cells if j == 0 and radial[i] < 2.5 * contact_radius]
    reach = min(math.pi / 2 * 0.97, 1.7 * math.asin(min(1.0, contact_radius / 1.15)) + 0.02)
    arc = mesh.arc("ball", (0.0, 1.0), 1.0, reach, max(24, int(2.2 * elements * 1.3)))
    floor = [ids[i, len(zz) - 1] for i in range(len(rr)) if (i, len(zz) - 1) in ids]
    axis = [ids[0, j] for j in range(len(zz)) if (0, j) in ids]
    surface = [ids[i, 0] for i in range(len(rr)) if (i, 0) in ids]
    side = [ids[len(rr) - 1, j] for j in range(len(zz)) if (len(rr) - 1, j) in ids]
    text = mesh.text()
    text += ccx.node_set("FLOOR", floor) + ccx.node_set("AXIS", axis) + ccx.node_set("SKIN", surface)
    text += ccx.node_set("SIDE", side) + ccx.node_set("BALLN", arc.nodes)
    text += ccx.face_surface("TOP", top, 3) + ccx.face_surface("PRESS", arc.elements, 1)
    text += ccx.elastic_plastic("BLOCK", "block", modulus, poisson, hardening, UNIT)
    text += ccx.elastic("STIFF", "ball", UNIT * 100 * modulus)
    text += ccx.contact("TOP", "PRESS", UNIT * 20000.0 / depth)
    text += "*BOUNDARY\nFLOOR,2,2\nAXIS,1,1\nBALLN,1,1\n"
    text += ccx.move_step("BALLN", -depth, 0.04, "BALLN", "SKIN")
    lift = 11.0 * contact_radius / modulus
    text += ccx.move_step("BALLN", lift - depth, 0.12, "BALLN", "SKIN")
    rest = {n: (r, 0.0) for n, r in ((ids[i, 0], r) for i, r in enumerate(rr) if (i, 0) in ids)}
    return text, rest


# Depths in ball radii, modulus in yield stresses: mild steel, aluminium, lead, and a hard alloy.
DEPTHS = {"6061": [0.02, 0.004], "steel": [0.02, 0.002]}
# These set nothing of the law.
HELD_OUT = {"steel": [0.06, 0.005], "aluminium": [0.006, 0.04], "lead": [0.02, 0.1], "6061": [0.06]}
RATIOS = {"steel": 840.0, "aluminium": 737.0, "lead": 1333.0, "6061": 254.0}
POISSON = {"steel": 0.3, "aluminium": 0.33, "lead": 0.44, "6061": 0.33}


def without_axis(points):
    """The innermost element of a wedge is no good: what it shows is taken from its neighbours."""
    points = points[2:]
    (r, z), (s, y) = points[0], points[2]
    return [(0.0, z - r * r * (y - z) / (s * s - r * r))] + points


def cases(chosen):
    for metal, depths in chosen.items():
        for depth in depths:
            yield metal, depth, RATIOS[metal]


def solve(metal, depth, ratio):
    text, rest = deck(depth, ratio, POISSON[metal], 0.002)
    frames = ccx.read(ccx.run("ball", text), UNIT)
    if frames[-1][0] < 1.0 or abs(frames[-1][1]) > 0.01 * max(abs(f) for _, f, _ in frames):
        raise RuntimeError(f"not taken away at {frames[-1][0]}")
    # The contact gives a little: how deep the surface is counts, not where the ball is.
    curve = [(t, -min(u[1] for u in skin.values()), abs(f)) for t, f, skin in frames]
    load = [(0.0, 0.0)] + [(z, f) for t, z, f in curve if t <= 1.0 + 1e-9]
    back = [(z, f) for t, z, f in curve if t >= 1.0 - 1e-9]
    profile = without_axis(ccx.profile(rest, frames[-1][2]))
    row = {"metal": metal, "ratio": ratio, "depth": load[-1][0], "force": load[-1][1],
           "work": ccx.work(load), "returned": -ccx.work(back)}
    row.update(ccx.measures(profile))
    return row, profile, load
