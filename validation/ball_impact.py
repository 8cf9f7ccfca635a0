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
# Blocks that set the law, of any metal (the modulus over the yield stress; Poisson's ratio is POISSON): about how deep the ball goes
# [radii], its density over the block's, elements. As fast as in something as stiff and as heavy as steel. What is
# heavier and goes as deep as 0.2 R turns elements over.
POISSON, STIFF, HEAVY = 0.31, 210e9, 7850.0
LAW = [(150, 0.003, 1, 14), (150, 0.02, 1, 14), (150, 0.1, 1, 14), (150, 0.1, 3, 14), (400, 0.003, 1, 14), (400, 0.02, 3, 14),
       (400, 0.1, 1, 14), (400, 0.1, 10, 14), (400, 0.2, 1, 10), (1100, 0.002, 3, 14), (1100, 0.01, 1, 14), (1100, 0.05, 1, 14),
       (1100, 0.2, 1, 10), (3000, 0.005, 1, 14), (3000, 0.05, 1, 14), (3000, 0.2, 1, 10)]


def build(folder):
    program = pathlib.Path(folder) / "ball_impact"
    source = pathlib.Path(__file__).with_suffix(".cpp")
    subprocess.run(["c++", "-std=c++20", "-O3", str(source), "-o", str(program)], check=True)
    return program


def solve(program, metal, card, speed, ball_density=BALL_DENSITY, elements=10):
    modulus, poisson, stress, density = card
    words = [modulus / stress, poisson, speed / math.sqrt(stress / density), ball_density / density, elements]
    out = subprocess.run([str(program)] + [f"{w:.9g}" for w in words], capture_output=True, text=True, check=True, timeout=600)
    lines = [tuple(map(float, line.split())) for line in out.stdout.splitlines()]
    energy, rebound, deepest, contact_time = lines[0]
    row = {"metal": metal, "speed": speed, "ratio": words[0], "work": energy, "rebound": rebound, "depth": deepest,
           "contact_time": contact_time}
    row.update(ccx.measures(lines[1:]))
    return row


def held_out_cases():
    """What a row begins with, and a function that solves it."""
    folder = tempfile.TemporaryDirectory()
    program = build(folder.name)
    return [({}, lambda metal=metal, speed=speed, keep=folder: solve(program, metal, CARDS[metal], speed))
            for metal, speeds in SPEEDS.items() for speed in speeds]


def law_cases():
    folder = tempfile.TemporaryDirectory()
    program = build(folder.name)

    def solve_law(ratio, depth, density, elements, keep=folder):
        stress, work = STIFF / ratio, 3.9 * math.pi * depth * depth
        speed = math.sqrt(2.0 * work / (density * 4.0 / 3.0 * math.pi)) * math.sqrt(stress / HEAVY)
        name = f"E/Y {ratio}" + ("" if density == 1 else f"; ball {density} times as dense")
        return solve(program, name, (STIFF, POISSON, stress, HEAVY), round(speed, 3), density * HEAVY, elements)

    return [({}, lambda case=case: solve_law(*case)) for case in LAW]
