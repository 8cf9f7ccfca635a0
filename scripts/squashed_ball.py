#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finite elements for a ball squeezed between two planes: reference points for `ductile press`.

    scripts/squashed_ball.py > ball.csv     # x, y [m], a line each; '#' begins a remark

A ball of diameter 1 m, compressible neo-Hookean with the ratio of stiffnesses that Brunel et al.
2020 give for figure 10 (shape 100, volume 642), is squeezed without friction between two rigid
planes until each has come in by DEPTH. By symmetry it is a quarter of a disc that turns about its
axis: quadratic triangles, Newton's method, contact by an active set, so that no point of the
surface is left inside. The plane lies at y = 0 and the ball's middle at y = 0.5 - DEPTH, as in
scenes/press-compare.json; only the lower half is written. Needs numpy.
"""

import argparse
import sys

import numpy as np

RADIUS = 0.5
SHAPE, VOLUME = 100.0, 642.0  # Lame's mu and lambda; only their ratio matters.


def set_poissons_ratio(ratio):
    global VOLUME
    VOLUME = SHAPE * 2 * ratio / (1 - 2 * ratio)


def quarter_disc(cells):
    """Nodes (r, z) of a grid of cells on the lower quarter disc, and its six-node triangles."""
    side = 2 * cells + 1
    u, v = np.meshgrid(np.linspace(0, 1, side), np.linspace(0, 1, side), indexing="ij")
    # A square laid on a quarter of a disc (Shirley and Chiu 1997): no narrow triangles.
    radius = np.maximum(u, v)
    share = np.divide(np.minimum(u, v), radius, out=np.zeros_like(u), where=radius > 0)
    angle = np.where(u >= v, share * np.pi / 4, np.pi / 2 - share * np.pi / 4)
    nodes = np.stack([radius * np.cos(angle), -radius * np.sin(angle)], axis=-1) * RADIUS
    nodes[0, :, 0] = 0.0
    nodes[:, 0, 1] = 0.0

    def node(i, j):
        return i * side + j

    triangles = []
    for i in range(0, side - 1, 2):
        for j in range(0, side - 1, 2):
            a, b = node(i, j), node(i + 2, j)
            c, d = node(i + 2, j + 2), node(i, j + 2)
            ab, bc, cd = node(i + 1, j), node(i + 2, j + 1), node(i + 1, j + 2)
            da, ac = node(i, j + 1), node(i + 1, j + 1)
            triangles.append([a, c, b, ac, bc, ab])
            triangles.append([a, d, c, da, cd, ac])
    rim = [node(side - 1, j) for j in range(side)]
    rim += [node(i, side - 1) for i in range(side - 2, -1, -1)]
    nodes = nodes.reshape(-1, 2)
    # Sides are straight inside; rim nodes are on the circle.
    return nodes, np.array(triangles), np.array(rim), side


# Seven points, exact to degree five (Radon 1948).
A1, A2 = (6 - np.sqrt(15)) / 21, (6 + np.sqrt(15)) / 21
W1, W2 = (155 - np.sqrt(15)) / 2400, (155 + np.sqrt(15)) / 2400
PLACES = np.array([[1 / 3, 1 / 3], [A1, A1], [1 - 2 * A1, A1], [A1, 1 - 2 * A1],
                   [A2, A2], [1 - 2 * A2, A2], [A2, 1 - 2 * A2]])
WEIGHTS = np.array([9 / 80, W1, W1, W1, W2, W2, W2])


def shapes(x, y):
    """Values and derivatives of the six quadratic functions at a place of the unit triangle."""
    w = 1 - x - y
    values = np.array([w * (2 * w - 1), x * (2 * x - 1), y * (2 * y - 1),
                       4 * w * x, 4 * x * y, 4 * y * w])
    by_x = np.array([1 - 4 * w, 4 * x - 1, 0, 4 * (w - x), 4 * y, -4 * y])
    by_y = np.array([1 - 4 * w, 0, 4 * y - 1, -4 * x, 4 * x, 4 * (w - y)])
    return values, np.stack([by_x, by_y], axis=-1)


class Ball:
    def __init__(self, cells, is_cylinder=False):
        """`is_cylinder`: an endless one across the picture instead, which keeps its length."""
        self.nodes, self.triangles, self.rim, self.side = quarter_disc(cells)
        # Per place of integration and triangle: what takes displacements to their gradient, the
        # hoop's stretch in its fifth row, and the volume that the place stands for.
        gradients, volumes = [], []
        corners = self.nodes[self.triangles]
        for (x, y), weight in zip(PLACES, WEIGHTS):
            values, slopes = shapes(x, y)
            jacobian = np.einsum("enc,nd->ecd", corners, slopes)
            by_place = np.einsum("nd,edc->enc", slopes, np.linalg.inv(jacobian))
            radius = corners[:, :, 0] @ values
            b = np.zeros((len(corners), 5, 12))
            b[:, 0, 0::2] = by_place[:, :, 0]
            b[:, 1, 0::2] = by_place[:, :, 1]
            b[:, 2, 1::2] = by_place[:, :, 0]
            b[:, 3, 1::2] = by_place[:, :, 1]
            if not is_cylinder:
                b[:, 4, 0::2] = values / radius[:, None]
            gradients.append(b)
            turned = 1.0 if is_cylinder else 2 * np.pi * radius
            volumes.append(weight * np.linalg.det(jacobian) * turned)
        self.gradients = np.array(gradients)
        self.volumes = np.array(volumes)
        assert (self.volumes > 0).all()
        dofs = 2 * self.triangles[:, :, None] + np.arange(2)
        self.dofs = dofs.reshape(len(self.triangles), 12)
        # Two columns of the grid are a block: elements reach from a block to the next only.
        columns = np.arange(len(self.nodes)) // self.side
        self.block = np.repeat((columns + 1) // 2, 2)

    def stretches(self, moved):
        f = np.einsum("qeij,ej->qei", self.gradients, moved[self.dofs])
        full = np.zeros(f.shape[:2] + (3, 3))
        full[..., 0, 0], full[..., 0, 1] = 1 + f[..., 0], f[..., 1]
        full[..., 1, 0], full[..., 1, 1] = f[..., 2], 1 + f[..., 3]
        full[..., 2, 2] = 1 + f[..., 4]
        return full

    def forces(self, moved):
        """What the material resists with, per degree of freedom, and its derivative per element."""
        f = self.stretches(moved)
        j = np.linalg.det(f)
        if not (j > 0).all():
            return None, None
        back = np.linalg.inv(f).swapaxes(-1, -2)  # F^-T
        log_j = np.log(j)[..., None, None]
        stress = SHAPE * (f - back) + VOLUME * log_j * back
        rows = ((0, 0), (0, 1), (1, 0), (1, 1), (2, 2))
        p = np.stack([stress[..., a, b] for a, b in rows], axis=-1)
        c = np.zeros(p.shape + (5,))
        for m, (a, b) in enumerate(rows):
            for n, (k, l) in enumerate(rows):
                c[..., m, n] = (VOLUME * back[..., a, b] * back[..., k, l]
                                + (SHAPE - VOLUME * log_j[..., 0, 0])
                                * back[..., a, l] * back[..., k, b])
                if m == n:
                    c[..., m, n] += SHAPE
        weighted = self.gradients * self.volumes[..., None, None]
        element = np.einsum("qeij,qei->ej", weighted, p)
        total = np.zeros(2 * len(self.nodes))
        np.add.at(total, self.dofs, element)
        return total, np.einsum("qeki,qekl,qelj->eij", weighted, c, self.gradients)

    def solve(self, stiffness, right, is_held):
        """Solves for the degrees of freedom that are free; elimination block by block."""
        count = self.block.max() + 1
        first = np.searchsorted(self.block, np.arange(count + 1))
        widest = np.diff(first).max()
        diagonal = np.zeros((count, widest, widest))
        upper = np.zeros((count, widest, widest))
        at = np.arange(len(self.block)) - first[self.block]
        for k in range(count):
            rest = np.arange(first[k + 1] - first[k], widest)
            diagonal[k, rest, rest] = 1.0
        i = np.repeat(self.dofs[:, :, None], 12, axis=2).ravel()
        j = np.repeat(self.dofs[:, None, :], 12, axis=1).ravel()
        value = np.where(is_held[i] | is_held[j], 0.0, stiffness.ravel())
        own = self.block[i] == self.block[j]
        np.add.at(diagonal, (self.block[i][own], at[i][own], at[j][own]), value[own])
        after = self.block[i] + 1 == self.block[j]
        np.add.at(upper, (self.block[i][after], at[i][after], at[j][after]), value[after])
        held = np.flatnonzero(is_held)
        diagonal[self.block[held], at[held], at[held]] = 1.0
        b = np.zeros((count, widest))
        b[self.block, at] = np.where(is_held, 0.0, right)
        for k in range(1, count):
            factor = np.linalg.solve(diagonal[k - 1], np.hstack([upper[k - 1], b[k - 1][:, None]]))
            diagonal[k] -= upper[k - 1].T @ factor[:, :-1]
            b[k] -= upper[k - 1].T @ factor[:, -1]
        x = np.zeros_like(b)
        x[-1] = np.linalg.solve(diagonal[-1], b[-1])
        for k in range(count - 2, -1, -1):
            x[k] = np.linalg.solve(diagonal[k], b[k] - upper[k] @ x[k + 1])
        return x[self.block, at]

    def squeeze(self, depth, moved, touching):
        """Newton's method with the plane at -radius + depth; the set of contacts follows along."""
        base = np.zeros(2 * len(self.nodes), dtype=bool)
        base[0::2] |= self.nodes[:, 0] == 0
        base[1::2] |= self.nodes[:, 1] == 0
        plane = -RADIUS + depth
        scale = SHAPE * RADIUS ** 2
        for _ in range(60):
            moved = moved.copy()
            before = moved.copy()
            is_held = base.copy()
            is_held[2 * touching + 1] = True
            moved[2 * touching + 1] = plane - self.nodes[touching, 1]
            lift = moved - before
            force, stiffness = self.forces(before)
            # What moving the contacts to the plane does to the others, to first order.
            pushed = np.zeros_like(force)
            np.add.at(pushed, self.dofs, np.einsum("eij,ej->ei", stiffness, lift[self.dofs]))
            step = self.solve(stiffness, -(force + pushed), is_held)
            share = 1.0
            while self.forces(before + share * (lift + step))[0] is None:
                share /= 2
                if share < 1e-6:
                    raise SystemExit("the elements turn over: use more steps")
            moved = before + share * (lift + step)
            force, _ = self.forces(moved)
            height = self.nodes[self.rim, 1] + moved[2 * self.rim + 1] - plane
            pull = force[2 * self.rim + 1] / scale  # The plane's push is what the material resists.
            is_touching = np.isin(self.rim, touching)
            found = self.rim[np.where(is_touching, pull > 0, height < -1e-12)]
            found = np.setdiff1d(found, np.flatnonzero(self.nodes[:, 1] == 0))
            left = np.where(is_held, 0.0, force)
            is_done = share == 1.0 and set(found) == set(touching)
            if is_done and np.abs(left).max() < 1e-9 * scale:
                return moved, touching
            touching = found
        raise SystemExit("no balance was found: use more steps")

    def volume(self, moved):
        return float((self.volumes * np.linalg.det(self.stretches(moved))).sum())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--depth", type=float, default=0.15, help="how far each plane comes in [m]")
    parser.add_argument("--cells", type=int, default=24, help="along a radius")
    parser.add_argument("--steps", type=int, default=15)
    parser.add_argument("--poisson", type=float, help="Poisson's ratio instead, below 0.5")
    arguments = parser.parse_args()
    if arguments.poisson is not None:
        if not 0 <= arguments.poisson < 0.5:
            parser.error("Poisson's ratio is at least 0 and below 0.5")
        set_poissons_ratio(arguments.poisson)
    ball = Ball(arguments.cells)
    moved = np.zeros(2 * len(ball.nodes))
    touching = ball.rim[ball.nodes[ball.rim, 0] == 0]
    rest = ball.volume(moved)
    for k in range(arguments.steps):
        moved, touching = ball.squeeze(arguments.depth * (k + 1) / arguments.steps, moved, touching)
    place = ball.nodes + moved.reshape(-1, 2)
    rim = place[ball.rim]
    contact = place[touching, 0].max()
    change = (ball.volume(moved) - rest) / rest
    print(f"contact radius {contact:.4f} m (Hertz: {np.sqrt(RADIUS * arguments.depth):.4f}), "
          f"radius at the middle {rim[0, 0]:.4f} m, volume {100 * change:+.2f} %", file=sys.stderr)
    print(f"# ball of diameter 1 m between two planes, each {arguments.depth:g} m in; neo-Hookean, "
          f"mu : lambda = {SHAPE:g} : {VOLUME:g}; {len(ball.triangles)} quadratic triangles")
    for r, z in np.concatenate([rim * [-1, 1], rim[-2::-1]]):
        print(f"{r:.6f},{z + RADIUS - arguments.depth:.6f}")


if __name__ == "__main__":
    main()
