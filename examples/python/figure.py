#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Figure 5 of Patkar et al. 2014: one projectile, different materials.

Usage: figure.py OUT.png [--mesh FILE] [--small]

A head with two ears (or the mesh of a file) is pressed into blocks, face down. Left to
right, in the upper row the dent distance grows, in the lower row the width of the Gaussians that
broaden the dent: the illusion of different materials. Prints what each block measures.
"""

import argparse

import numpy as np

import ductile

DISTANCES = (0.02, 0.04, 0.06, 0.09)  # [m], at the softness below
SOFTNESS = 0.1
SOFTNESSES = (0.0, 0.1, 0.25, 0.5)  # at the distance below
DISTANCE = 0.06
BLOCK = (0.9, 0.3, 0.9)  # [m]
ON_ITS_FACE = {"axis": [1, 0, 0], "angle_deg": -90}


def head_with_ears():
    """A ball and two leaning ears, put together from arrays of ductile's own solids."""
    ball = ductile.Mesh.solid("sphere", size=[0.34, 0.3, 0.16])
    ear = ductile.Mesh.solid("capsule", size=[0.1, 0.36, 0.1])
    parts = [(ball.points, ball.triangles)]
    for side in (-1, 1):
        lean = np.radians(22 * side)
        turn = np.array([[np.cos(lean), np.sin(lean), 0], [-np.sin(lean), np.cos(lean), 0],
                         [0, 0, 1]])
        parts.append((ear.points @ turn.T + [0.13 * side, 0.24, 0], ear.triangles))
    starts = np.cumsum([0] + [len(points) for points, _ in parts])
    return ductile.Mesh(np.concatenate([points for points, _ in parts]),
                        np.concatenate([t + start for (_, t), start in zip(parts, starts)]))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("out")
    arguments.add_argument("--mesh", help="a mesh file instead of the head with ears")
    arguments.add_argument("--small", action="store_true", help="coarse and quick")
    arguments = arguments.parse_args()

    projectile = ductile.Mesh.load(arguments.mesh) if arguments.mesh else head_with_ears()
    lower, upper = projectile.bounds
    if arguments.mesh:  # as wide as the head with ears
        scale = 0.5 / max(upper[0] - lower[0], upper[2] - lower[2])
        projectile = ductile.Mesh(projectile.points * scale, projectile.triangles)
    block = ductile.Mesh.solid("box", size=BLOCK, resolution=0.03 if arguments.small else 0.0095)
    block = block.painted(colour=[0.5, 0.36, 0.24], roughness=0.6)

    world = ductile.Simulation(gravity=[0, 0, 0])
    rows = [[(d, SOFTNESS) for d in DISTANCES], [(DISTANCE, s) for s in SOFTNESSES]]
    bodies = []
    for row, cases in enumerate(rows):
        for column, (distance, softness) in enumerate(cases):
            body = world.add_deformable(
                block, name=f"{row}-{column}",
                position=[1.0 * (column - 1.5), 0.0, 1.0 * (row - 0.5)])
            dent = ductile.DentMap.projectile(projectile, distance=distance, smoothing=softness,
                                              rotation=ON_ITS_FACE, grid=200, edge=0.008)
            world.schedule_hit(body, **dent.hit([0, BLOCK[1] / 2, 0], [0, -1, 0]))
            bodies.append((body, distance, softness))
    world.step(1 / 60)
    world.start_recording()
    world.capture()

    print("distance [mm]  softness  deepest [mm]  volume [l]")
    for body, distance, softness in bodies:
        moved = block.damage(world.points(body))["depth"]
        after = ductile.Mesh(world.points(body), block.triangles)
        print(f"{1000 * distance:13.1f} {softness:9.2f} {1000 * moved.max():13.2f} "
              f"{1000 * (block.volume - after.volume):11.3f}")
    small, large = dict(width=240, height=135, samples=2), dict(width=960, height=540, samples=16)
    size = small if arguments.small else large
    picture = world.finish_recording().draw(
        0, eye=[0, 4.2, 2.6], target=[0, 0, 0.05], field_of_view_deg=27.5, exposure=-0.3,
        ground_height=-BLOCK[1] / 2, sun_direction=[-0.8, 0.45, -0.35], **size)
    ductile.write_png(arguments.out, picture)


if __name__ == "__main__":
    main()
