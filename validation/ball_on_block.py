#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A rigid ball, cone or edge pressed into an elastoplastic block and taken away again, with CalculiX.

Axisymmetric (an edge: plane strain, per length), quasi-static, large strains, no friction. Lengths in ball radii, stresses in yield
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


class Ball:
    name, is_round = "ball", True

    def contact_radius(self, depth):
        return 1.15 * math.sqrt(depth * (2.0 - depth))

    def mesh(self, mesh, depth, elements):
        contact = self.contact_radius(depth)
        reach = min(math.pi / 2 * 0.97, 1.7 * math.asin(min(1.0, contact / 1.15)) + 0.02)
        return mesh.arc("striker", (0.0, 1.0), 1.0, reach, max(24, int(2.2 * elements * 1.3)))


class Edge(Ball):
    """An edge that is rounded by the radius 1: a cylinder that lies on the block."""

    name, is_round = "edge", False


class Wedge:
    """A cone, or the edge of a blade; its tip is rounded by a tenth of the depth. Angles in degrees."""

    def __init__(self, half_angle, is_round):
        self.name, self.is_round, self.half_angle = "cone" if is_round else "blade", is_round, math.radians(half_angle)

    def contact_radius(self, depth):
        return 1.3 * depth * math.tan(self.half_angle)

    def mesh(self, mesh, depth, elements):
        return mesh.wedge("striker", self.half_angle, 0.1 * depth, 1.7 * self.contact_radius(depth), 2 * elements)


def deck(striker, depth, modulus, poisson, curve, elements=10):
    contact_radius = striker.contact_radius(depth)
    width = 12.0 * contact_radius
    radial, down = block_mesh(contact_radius, width, elements)
    mesh = ccx.Mesh("CAX8R" if striker.is_round else "CPE8R")
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
    skin = striker.mesh(mesh, depth, elements)
    floor = [ids[i, len(zz) - 1] for i in range(len(rr)) if (i, len(zz) - 1) in ids]
    axis = [ids[0, j] for j in range(len(zz)) if (0, j) in ids]
    surface = [ids[i, 0] for i in range(len(rr)) if (i, 0) in ids]
    text = mesh.text()
    text += ccx.node_set("FLOOR", floor) + ccx.node_set("AXIS", axis) + ccx.node_set("SKIN", surface)
    text += ccx.node_set("STRIKERN", skin.nodes)
    text += ccx.face_surface("TOP", top, 3) + ccx.face_surface("PRESS", skin.elements, 1)
    text += ccx.elastic_plastic("BLOCK", "block", modulus, poisson, curve, UNIT)
    text += ccx.elastic("STIFF", "striker", UNIT * 100 * modulus)
    text += ccx.contact("TOP", "PRESS", UNIT * 20000.0 / depth)
    text += "*BOUNDARY\nFLOOR,2,2\nAXIS,1,1\nSTRIKERN,1,1\n"
    text += ccx.move_step("STRIKERN", -depth, 0.04, "STRIKERN", "SKIN")
    lift = 11.0 * contact_radius * curve[-1][0] / modulus
    text += ccx.move_step("STRIKERN", lift - depth, 0.12, "STRIKERN", "SKIN")
    rest = {n: (r, 0.0) for n, r in ((ids[i, 0], r) for i, r in enumerate(rr) if (i, 0) in ids)}
    return text, rest, lift


# Depths in ball radii, modulus in yield stresses: mild steel, aluminium, lead, and a hard alloy.
DEPTHS = {"6061": [0.02, 0.004], "steel": [0.02, 0.002, 0.06, 0.15], "lead": [0.1]}
# These set nothing of the law. Deep ones have larger elements, which bear more.
HELD_OUT = {"steel": [0.005], "aluminium": [0.006, 0.04], "lead": [0.02], "6061": [0.06]}
DEEP, DEEP_ELEMENTS = 0.03, 6
RATIOS = {"steel": 840.0, "aluminium": 737.0, "lead": 1333.0, "6061": 254.0, "copper": 2300.0, "brass": 611.0}
POISSON = {"steel": 0.3, "aluminium": 0.33, "lead": 0.44, "6061": 0.33, "copper": 0.34, "brass": 0.34}
# Of an edge, in radii of its rounding.
EDGES = {"steel": [0.02, 0.1], "6061": [0.1]}
HELD_OUT_EDGES = {"brass": [0.05], "lead": [0.2]}
# Metals that harden, with their exponents: depths of a ball.
HARDENING = {("steel", 0.2): [0.06], ("aluminium", 0.15): [0.06], ("copper", 0.35): [0.06]}
HELD_OUT_HARDENING = {("steel", 0.2): [0.02], ("copper", 0.35): [0.02, 0.15], ("6061", 0.06): [0.02]}
HARDENING_ELEMENTS = 6
# Cones and blades of some half angle, in some metals; the depth is 1. Sharper ones need a new mesh on the way.
WEDGES = [(70.0, True, "steel"), (70.0, True, "6061"), (75.0, True, "lead"), (70.0, False, "steel"),
          (70.0, False, "6061")]
HELD_OUT_WEDGES = [(72.0, True, "brass"), (75.0, False, "brass"), (65.0, True, "steel")]


def without_axis(points):
    """The innermost element of a wedge is no good: what it shows is taken from its neighbours."""
    points = points[2:]
    (r, z), (s, y) = points[0], points[2]
    return [(0.0, z - r * r * (y - z) / (s * s - r * r))] + points


def with_straight_tip(points):
    """Elements are wider than a sharp tip: its flanks go on to the middle."""
    radius = max(r for r, z in points if z < -0.05)
    flank = [(r, z) for r, z in points if 0.2 * radius < r < 0.8 * radius]
    (r, z), (s, y) = flank[0], flank[-1]
    return [(0.0, z - r * (y - z) / (s - r))] + [p for p in points if p[0] >= r]


def cases(chosen):
    for metal, depths in chosen.items():
        for depth in depths:
            yield metal, depth, RATIOS[metal]


def solve(metal, depth, ratio, exponent=0.0, striker=Ball(), elements=None):
    curve = ccx.hardening(ratio, exponent) if exponent > 0 else ccx.STRAIGHT
    elements = elements or (10 if depth < DEEP else DEEP_ELEMENTS)
    text, rest, lift = deck(striker, depth, ratio, POISSON[metal], curve, elements)
    frames = ccx.read(ccx.run(striker.name, text), UNIT, ccx.WEDGES if striker.is_round else 2.0)
    if frames[-1][0] < 1.0 or abs(frames[-1][1]) > 0.01 * max(abs(f) for _, f, _ in frames):
        raise RuntimeError(f"not taken away at {frames[-1][0]}")
    if isinstance(striker, Ball):
        # The contact gives a little: how deep the surface is counts, not where the striker is.
        curve = [(t, -min(u[1] for u in skin.values()), abs(f)) for t, f, skin in frames]
    else:
        curve = [(t, depth * t if t <= 1.0 else depth - lift * (t - 1.0), abs(f)) for t, f, _ in frames]
    load = [(0.0, 0.0)] + [(z, f) for t, z, f in curve if t <= 1.0 + 1e-9]
    back = [(z, f) for t, z, f in curve if t >= 1.0 - 1e-9]
    profile = ccx.profile(rest, frames[-1][2])
    if isinstance(striker, Ball):
        profile = without_axis(profile)
    else:
        profile = with_straight_tip(profile)
    row = {"metal": metal, "ratio": ratio, "depth": load[-1][0], "force": load[-1][1],
           "work": ccx.work(load), "returned": -ccx.work(back)}
    row.update(ccx.measures(profile, striker.is_round))
    return row, profile, load
