#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Soft balls and cylinders between two planes: how wide, over what they touch, what volume they lose.

With the finite elements of scripts/squashed_ball.py: neo-Hookean, no friction. Lengths in radii; an
elastic body's shape depends on Poisson's ratio alone, so one run stands for all sizes and stiffnesses.
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "scripts"))
import numpy as np  # noqa: E402
import squashed_ball as fem  # noqa: E402

# How far each plane comes in.
DEPTHS = [0.1, 0.2, 0.3, 0.4]
HELD_OUT_DEPTHS = [0.15, 0.25, 0.35]
# Shape, Poisson's ratio, and whether its depths all are held out of the fit.
CASES = [("ball", 0.3, False), ("ball", 0.45, False), ("ball", 0.49, False), ("ball", 0.4, True),
         ("cylinder", 0.3, True), ("cylinder", 0.45, True), ("cylinder", 0.49, True)]
# What hardly gives its volume up needs small steps.
STEP, SMALL_STEP, CELLS = 0.025, 0.0125, 14
# Points of a profile, from the equator to the middle of the contact.
PROFILE = 25


def measures(body, moved, touching, rest_volume):
    place = (body.nodes + moved.reshape(-1, 2)) / fem.RADIUS
    rim = place[body.rim]
    chosen = rim[np.linspace(0, len(rim) - 1, PROFILE).round().astype(int)]
    # The rim goes from the equator to the axis: half way from the last point that is free.
    first = np.flatnonzero(np.isin(body.rim, touching))[0]
    contact = 0.5 * (rim[first - 1, 0] + rim[first, 0])
    return {"contact_radius": float(contact), "widest_radius": float(rim[:, 0].max()),
            "widest_height": float(abs(rim[rim[:, 0].argmax(), 1])),
            "volume_change": float(body.volume(moved) / rest_volume - 1)}, chosen


def solve(shape, ratio):
    """Yields depth, row and profile, in radii; heights from the plane of symmetry."""
    fem.set_poissons_ratio(ratio)
    body = fem.Ball(CELLS, shape == "cylinder")
    moved = np.zeros(2 * len(body.nodes))
    touching = body.rim[body.nodes[body.rim, 0] == 0]
    rest = body.volume(moved)
    depth = 0.0
    while depth < max(DEPTHS) - 1e-9:
        depth = round(depth + (SMALL_STEP if ratio > 0.4 else STEP), 6)
        moved, touching = body.squeeze(depth * fem.RADIUS, moved, touching)
        if depth in DEPTHS or depth in HELD_OUT_DEPTHS:
            row, profile = measures(body, moved, touching, rest)
            yield depth, {"shape": shape, "poissons_ratio": ratio, "depth": depth, **row}, profile


def cases():
    """Yields whether a row is held out of the fit, the row and its profile."""
    for shape, ratio, are_held_out in CASES:
        try:
            for depth, row, profile in solve(shape, ratio):
                yield are_held_out or depth in HELD_OUT_DEPTHS, row, profile
        except SystemExit as trouble:
            print(shape, ratio, trouble, file=sys.stderr)
