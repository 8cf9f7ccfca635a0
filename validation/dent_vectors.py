#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A dent as CalculiX leaves it, as a table of vectors for the source `vectors` of a dent.

    python3 validation/dent_vectors.py [METAL DEPTH RADIUS] >scenes/maps/ball-in-aluminium.csv

A rigid ball of this radius [m] is pressed DEPTH radii deep into a block and taken away (ball_on_block.py). Written
is where each place of the block's surface goes: outwards, and in. Half a minute.
"""
import sys

import ball_on_block
import ccx

LEAST = 0.02  # Of the deepest: what moves less, further out, is left out.


def vectors(metal, depth):
    """(r, dr, dz) of the surface after the ball has gone, by r."""
    text, rest, _ = ball_on_block.deck(ball_on_block.Ball(), depth, ball_on_block.RATIOS[metal],
                                       ball_on_block.POISSON[metal], ccx.STRAIGHT)
    frames = ccx.read(ccx.run("ball", text), ball_on_block.UNIT, ccx.WEDGES)
    moved = frames[-1][2]
    rows = sorted((rest[n][0], u[0], -u[1]) for n, u in moved.items() if n in rest)
    # The innermost elements of a wedge are no good: what they show is taken from their neighbours.
    rows = rows[3:]
    (r, _, z), (s, _, y) = rows[0], rows[2]
    rows = [(0.0, 0.0, z - r * r * (y - z) / (s * s - r * r))] + rows
    last = max(i for i, (_, a, b) in enumerate(rows) if max(abs(a), abs(b)) > LEAST * rows[0][2])
    return rows[:last + 1] + [(rows[last + 1][0], 0.0, 0.0)]


def main():
    metal = sys.argv[1] if len(sys.argv) > 3 else "6061"
    depth, radius = map(float, sys.argv[2:4]) if len(sys.argv) > 3 else (0.06, 0.42)
    print(f"# {metal}, a ball of radius {radius} m pressed {depth} radii deep and taken away: validation/dent_vectors.py")
    print("r,dr,dz")
    for row in vectors(metal, depth):
        print(",".join(f"{radius * number:.5g}" for number in row))


if __name__ == "__main__":
    main()
