# SPDX-License-Identifier: MIT
"""Steel balls that fly into blocks, in time: runs ball_impact.cpp beside this file."""
import math
import pathlib
import subprocess
import tempfile

import ccx

BALL_DENSITY = 7850.0
# Young's modulus, Poisson's ratio, yield stress and density of the cards.
CARDS = {"mild-steel": (210e9, 0.30, 250e6, 7850.0), "aluminium-soft": (70e9, 0.33, 95e6, 2700.0),
         "aluminium-6061": (69e9, 0.33, 276e6, 2700.0), "copper": (120e9, 0.34, 140e6, 8960.0),
         "lead": (16e9, 0.44, 12e6, 11340.0), "tin": (50e9, 0.36, 14e6, 7290.0)}
# Speeds of the ball [m/s].
SPEEDS = {"mild-steel": [1.0, 5.0, 20.0, 60.0, 100.0], "aluminium-soft": [1.0, 10.0, 50.0], "aluminium-6061": [3.0, 30.0],
          "copper": [2.0, 15.0, 60.0], "lead": [1.0, 4.0, 12.0], "tin": [2.0, 10.0]}


def build(folder):
    program = pathlib.Path(folder) / "ball_impact"
    source = pathlib.Path(__file__).with_suffix(".cpp")
    subprocess.run(["c++", "-std=c++20", "-O3", str(source), "-o", str(program)], check=True)
    return program


def solve(program, metal, speed):
    modulus, poisson, stress, density = CARDS[metal]
    words = [modulus / stress, poisson, speed / math.sqrt(stress / density), BALL_DENSITY / density]
    out = subprocess.run([str(program)] + [f"{w:.9g}" for w in words], capture_output=True, text=True, check=True, timeout=600)
    lines = [tuple(map(float, line.split())) for line in out.stdout.splitlines()]
    energy, rebound, deepest, contact_time = lines[0]
    row = {"metal": metal, "speed": speed, "ratio": words[0], "work": energy, "rebound": rebound, "depth": deepest,
           "contact_time": contact_time}
    row.update(ccx.measures(lines[1:]))
    return row


def cases():
    """What a row begins with, and a function that solves it."""
    folder = tempfile.TemporaryDirectory()
    program = build(folder.name)
    return [({}, lambda metal=metal, speed=speed, keep=folder: solve(program, metal, speed))
            for metal, speeds in SPEEDS.items() for speed in speeds]
