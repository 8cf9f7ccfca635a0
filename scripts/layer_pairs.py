# SPDX-License-Identifier: MIT
"""Scenes with two ways of deforming on one body: `./ductile test pairs` runs each for some frames
with every output that there is."""

import itertools
import json

FRAMES = 10
# A drum of steel sheet, since a rig of ours fits it; fine enough for a ball of its half to mark.
BODY = {"solid": {"kind": "barrel"}, "thickness": 0.0012, "material": "steel",
        "position": [0, 0.46, 0]}
BALL = {"solid": {"kind": "sphere", "size": [0.4, 0.4, 0.4], "resolution": 0.05},
        "material": "steel", "position": [0.55, 0.5, 0.02], "velocity": [-25, 0, 0]}
# What is added to the body for each: the hits are hard enough for all of them to answer.
WAYS = {
    "dent": {"layers": {"dent": {}}},
    "slow dent": {"layers": {"dent": {"duration": 0.05}}},
    "shell": {"layers": {"shell": {}}},
    "bend": {"layers": {"bend": {}}},
    "fracture": {"layers": {"fracture": {"strength": 0.02, "pattern": {"cells": 8}}}},
    "example": {"layers": {"example": {"rig": "drum"}}},
    "tissue": {"tissue": {}},
}
# Off where they cost minutes or say nothing more: a second film, a film around the last frame.
OUTPUTS = {"film": False, "glb": True, "ply": True, "usd": True, "pc2": True, "mdd": True,
           "obj_sequence": True, "ply_sequence": True, "csv": True, "poster": True}


def pairs():
    """Names of two ways that can stand on one body: each is one layer, so not two kinds of dent."""
    return [names for names in itertools.combinations(WAYS, 2)
            if names != ("dent", "slow dent")]


def scene(names):
    """The text of a scene in which a ball strikes a drum that deforms in these ways."""
    body = dict(BODY)
    for name in names:
        for key, value in WAYS[name].items():
            body[key] = {**body.get(key, {}), **value}
    return json.dumps({"description": f"a ball strikes a drum: {' and '.join(names)}",
                       "frame_rate": 120, "step_rate": 240, "duration": FRAMES / 120,
                       "bodies": {"drum": body, "ball": BALL}, "outputs": OUTPUTS}, indent=1)
