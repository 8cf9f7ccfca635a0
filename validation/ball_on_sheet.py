#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A rigid ball pressed into a round sheet and taken away again, with CalculiX.

Axisymmetric, quasi-static, large strains, no friction. Lengths in ball radii, stresses in yield
stresses. "clamped": the rim can neither move nor turn. "supported": the rim's lower edge stays at
its height, free to slide and turn.
"""
import math

import ccx


def deck(thickness, span, depth, modulus, poisson, support):
    print_radius = max(0.5 * thickness, 0.12)
    cell = min(0.05, 0.5 * thickness)
    radial = ccx.graded(0.75, cell, span, 1.18)
    layers = 2
    mesh, ids = ccx.Mesh(), {}
    rr = ccx.doubled(radial)
    for i, r in enumerate(rr):
        for j in range(2 * layers + 1):
            if not (i % 2 and j % 2):
                ids[i, j] = mesh.node(r, -thickness * j / (2 * layers))
    top = []
    for i in range(len(radial) - 1):
        for j in range(layers):
            a, b = 2 * i, 2 * j
            e = mesh.element("sheet", [ids[a, b + 2], ids[a + 2, b + 2], ids[a + 2, b], ids[a, b],
                                       ids[a + 1, b + 2], ids[a + 2, b + 1], ids[a + 1, b], ids[a, b + 1]])
            if j == 0 and radial[i] < 1.2:
                top.append(e)
    arc = mesh.arc("ball", (0.0, 1.0), 1.0, math.pi / 2 * 0.9, 36)
    last, deepest = len(rr) - 1, 2 * layers
    edge = [ids[last, j] for j in range(deepest + 1)]
    text = mesh.text() + ccx.node_set("AXIS", [ids[0, j] for j in range(deepest + 1)])
    text += ccx.node_set("SKIN", [ids[i, 0] for i in range(len(rr))])
    text += ccx.node_set("EDGE", edge if support == "clamped" else [edge[-1]])
    text += ccx.node_set("BALLN", arc.nodes)
    text += ccx.face_surface("TOP", top, 3) + ccx.face_surface("PRESS", arc.elements, 1)
    text += ccx.elastic_plastic("SHEET", "sheet", modulus, poisson, ccx.STRAIGHT)
    text += ccx.elastic("STIFF", "ball", 100 * modulus)
    text += ccx.contact("TOP", "PRESS", 1500.0, "NODE TO SURFACE")
    text += "*BOUNDARY\nAXIS,1,1\nBALLN,1,1\nEDGE,2,2\n" + ("EDGE,1,1\n" if support == "clamped" else "")
    text += ccx.move_step("BALLN", -depth, 0.06, "BALLN", "SKIN")
    text += ccx.move_step("BALLN", 0.0, 0.05, "BALLN", "SKIN")
    rest = {ids[i, 0]: (r, 0.0) for i, r in enumerate(rr)}
    return text, rest


# Of a ball of 50 mm: sheets of 0.5 to 4 mm over spans (radii) of 50, 100 and 200 mm; then thicker ones,
# other spans and metals.
CASES = [(support, thickness, span, depth, 840.0) for depth in (0.2, 0.6, 0.06) for span in (4.0, 8.0, 2.0)
         for thickness in (0.04, 0.16, 0.02, 0.08) for support in ("clamped", "supported")]
CASES += [(support, *rest) for rest in ((0.1, 3.0, 0.3, 840.0), (0.12, 6.0, 0.4, 840.0), (0.1, 3.0, 0.3, 254.0),
                                        (0.3, 3.0, 0.15, 840.0), (0.06, 5.0, 0.3, 840.0), (0.1, 1.5, 0.4, 840.0))
          for support in ("clamped", "supported")]
CASES += [("clamped", 0.1, 3.0, 0.3, 1333.0), ("clamped", 0.1, 1.5, 0.15, 737.0)]
# These set nothing of the law.
HELD_OUT = [(support, *rest) for rest in ((0.07, 2.5, 0.25, 500.0), (0.15, 5.0, 0.5, 840.0), (0.05, 3.0, 0.5, 840.0),
                                          (0.2, 2.5, 0.3, 840.0), (0.15, 5.0, 0.5, 1000.0))
            for support in ("clamped", "supported")]


def solve(support, thickness, span, depth, ratio, poisson=0.3):
    text, rest = deck(thickness, span, depth, ratio, poisson, support)
    frames = ccx.read(ccx.run("sheet", text))
    if frames[-1][0] < 1.0 or abs(frames[-1][1]) > 0.01 * max(abs(f) for _, f, _ in frames):
        raise RuntimeError(f"not taken away at {frames[-1][0]}")
    load = [(depth * t, abs(f)) for t, f, _ in frames if t <= 1.0 + 1e-9]
    lift = [(depth * (2.0 - t), abs(f)) for t, f, _ in frames if t >= 1.0 - 1e-9]
    points = ccx.profile(rest, frames[-1][2])
    touching = -min(u[1] for u in [f for f in frames if f[0] <= 1.0 + 1e-9][-1][2].values())
    row = {"support": support, "ratio": ratio, "thickness": thickness, "span": span, "depth": depth,
           "touching": touching, "force": load[-1][1], "work": ccx.work([(0.0, 0.0)] + load), "returned": -ccx.work(lift)}
    row.update(ccx.measures(points))
    return row, points
