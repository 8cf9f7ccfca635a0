# SPDX-License-Identifier: MIT
"""Decks for CalculiX, and what it answers."""
import math
import pathlib
import re
import subprocess
import tempfile

# CalculiX solves a wedge of two degrees and tells its forces.
WEDGES = 180.0


def graded(even, cell, end, growth):
    """Places from 0: `cell` apart up to `even`, then ever further apart, up to `end`."""
    count = max(1, round(even / cell))
    places = [even * k / count for k in range(count + 1)]
    step = even / count
    while places[-1] < end:
        step *= growth
        places.append(places[-1] + step)
    places[-1] = end
    return places


def doubled(places):
    out = []
    for a, b in zip(places, places[1:]):
        out += [a, 0.5 * (a + b)]
    return out + [places[-1]]


class Arc:
    def __init__(self):
        self.nodes, self.elements = [], []


class Mesh:
    """Elements of eight nodes: axisymmetric, CAX8R, or of plane strain, CPE8R."""

    def __init__(self, kind="CAX8R"):
        self.nodes, self.sets, self.count, self.kind = [], {}, 0, kind

    def node(self, r, z):
        self.nodes.append((r, z))
        return len(self.nodes)

    def element(self, name, corners):
        self.count += 1
        self.sets.setdefault(name, []).append((self.count, corners))
        return self.count

    def strip(self, name, outer, inner):
        """Elements between two lines of places; an odd number each. Their first faces are outside."""
        strip = Arc()
        middle = [(0.5 * (r + s), 0.5 * (z + y)) for (r, z), (s, y) in zip(outer, inner)]
        low, mid, up = [[None if line is middle and k % 2 else self.node(*place) for k, place in enumerate(line)]
                        for line in (outer, middle, inner)]
        for a in range(0, len(outer) - 1, 2):
            strip.elements.append(self.element(name, [low[a], low[a + 2], up[a + 2], up[a],
                                                      low[a + 1], mid[a + 2], up[a + 1], mid[a]]))
        strip.nodes = [n for row in (low, mid, up) for n in row if n]
        return strip

    def arc(self, name, centre, radius, reach, pieces, thick=0.15):
        """The lower skin of a ball, from its pole up to the angle `reach`."""
        angles = [reach * k / (2 * pieces) for k in range(2 * pieces + 1)]
        outer, inner = [[(centre[0] + r * math.sin(t), centre[1] - r * math.cos(t)) for t in angles]
                        for r in (radius, radius * (1 - thick))]
        return self.strip(name, outer, inner)

    def wedge(self, name, half_angle, tip, reach, pieces):
        """The lower skin of a cone or an edge whose tip, at 0, is rounded by the radius `tip`, out to `reach`."""
        turn = math.pi / 2 - half_angle
        arc = [tip * turn * k / 4 for k in range(5)]
        flank = (reach - tip * math.sin(turn)) / math.cos(turn)
        ways = arc + [arc[-1] + flank * k / (2 * pieces) for k in range(1, 2 * pieces + 1)]
        outer, inner, thick = [], [], 0.3 * reach
        for way in ways:
            t, along = min(way / tip, turn), max(0.0, way - tip * turn)
            r, z = tip * math.sin(t) + along * math.cos(turn), tip * (1 - math.cos(t)) + along * math.sin(turn)
            outer.append((r, z))
            inner.append((r, z + thick))
        return self.strip(name, outer, inner)

    def text(self):
        out = "*NODE, NSET=ALL\n" + "".join(f"{i},{r:.12g},{z:.12g},0\n"
                                            for i, (r, z) in enumerate(self.nodes, 1))
        for name, elements in self.sets.items():
            out += f"*ELEMENT, TYPE={self.kind}, ELSET={name.upper()}\n"
            out += "".join(f"{e}," + ",".join(map(str, c)) + "\n" for e, c in elements)
        return out


def node_set(name, nodes):
    lines = [nodes[i:i + 10] for i in range(0, len(nodes), 10)]
    return f"*NSET, NSET={name}\n" + "".join(",".join(map(str, line)) + ",\n" for line in lines)


def face_surface(name, elements, face):
    return f"*SURFACE, NAME={name}\n" + "".join(f"{e},S{face}\n" for e in elements)


def elastic(name, elements, modulus, poisson=0.3):
    return (f"*MATERIAL, NAME={name}\n*ELASTIC\n{modulus:.9g},{poisson}\n"
            f"*SOLID SECTION, ELSET={elements.upper()}, MATERIAL={name}\n")


# Slope of stress over plastic strain of what hardens hardly.
STRAIGHT = [(1.0, 0.0), (1.01, 5.0)]


def flow_stress(modulus, exponent, strain):
    """Swift's law, in yield stresses."""
    return (1.0 + modulus * strain) ** exponent


def hardening(modulus, exponent):
    """Points of that law, up to a strain of 5."""
    strains = [0.0] + [5.0 * 10 ** (-k / 5) for k in range(20, -1, -1)]
    return [(flow_stress(modulus, exponent, e), e) for e in strains]


def elastic_plastic(name, elements, modulus, poisson, curve, unit=1.0):
    """`curve`: stress in yield stresses, which are `unit`, and plastic strain."""
    points = "".join(f"{unit * stress:.9g},{strain:.9g}\n" for stress, strain in curve)
    return (f"*MATERIAL, NAME={name}\n*ELASTIC\n{unit * modulus:.9g},{poisson}\n*PLASTIC\n{points}"
            f"*SOLID SECTION, ELSET={elements.upper()}, MATERIAL={name}\n")


def contact(slave, master, stiffness, kind="SURFACE TO SURFACE"):
    return ("*SURFACE INTERACTION, NAME=TOUCH\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n"
            f"{stiffness:.9g}\n*CONTACT PAIR, INTERACTION=TOUCH, TYPE={kind}\n{slave},{master}\n")


def move_step(nodes, to, first, forces, skin):
    return (f"*STEP, NLGEOM, INC=400\n*CONTROLS, PARAMETERS=CONTACT\n0.001,0.1,1,60\n*STATIC\n{first},1,1e-6,{first}\n*BOUNDARY\n{nodes},2,2,{to:.12g}\n"
            f"*NODE PRINT, NSET={forces}, TOTALS=ONLY\nRF\n*NODE PRINT, NSET={skin}\nU\n*END STEP\n")


def run(name, text, seconds=600):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / f"{name}.inp"
        path.write_text(text)
        done = subprocess.run(["ccx", "-i", name], cwd=folder, capture_output=True, text=True, timeout=seconds,
                              env={"OMP_NUM_THREADS": "1", "PATH": "/usr/bin"})
        dat = path.with_suffix(".dat")
        if not dat.exists():
            raise RuntimeError(done.stdout[-800:])
        return dat.read_text()


def read(dat, unit=1.0, pieces=WEDGES):
    """(time, total force along z, {node: (ur, uz)}) per increment."""
    frames, force, skin, time, mode = [], {}, {}, None, None
    for line in dat.splitlines():
        head = re.match(r" (total force|displacements).*time\s+(\S+)", line)
        if head:
            mode, time = head[1], float(head[2])
            if mode == "displacements":
                skin[time] = {}
            continue
        numbers = line.split()
        if not numbers:
            continue
        if mode == "total force":
            force[time] = float(numbers[1]) * pieces / unit
        elif mode == "displacements":
            skin[time][int(numbers[0])] = (float(numbers[1]), float(numbers[2]))
    return [(t, force[t], skin[t]) for t in sorted(force) if t in skin]


def work(curve):
    """Under a curve of (way, force)."""
    return sum(0.5 * (f + g) * (b - a) for (a, f), (b, g) in zip(curve, curve[1:]))


def profile(rest, moved):
    """(r, height) of the surface, by r. `rest`: node to (r, z); `moved`: node to (ur, uz)."""
    return sorted((rest[n][0] + u[0], rest[n][1] + u[1]) for n, u in moved.items() if n in rest)


def crossing(points, level):
    """The first r at which the height rises to `level`."""
    for (r, z), (s, y) in zip(points, points[1:]):
        if z < level <= y:
            return r + (s - r) * (level - z) / (y - z)
    return points[-1][0]


def measures(points, is_round=True):
    """What people measure of a crater, all in the lengths of the profile; of a groove per length."""
    deep = -points[0][1]
    radius = crossing(points, 0.0)
    rim = max(points, key=lambda p: p[1])
    volume = sum(0.5 * (z + y) * (math.pi * (s * s - r * r) if is_round else 2.0 * (s - r))
                 for (r, z), (s, y) in zip(points, points[1:]) if s <= radius)
    return {"residual": deep, "radius": radius, "half_radius": crossing(points, -0.5 * deep),
            "tenth_radius": crossing(points, -0.1 * deep), "rim": max(0.0, rim[1]), "rim_radius": rim[0],
            "volume": -volume}


def write_table(path, rows):
    keys = list(rows[0])
    with open(path, "w") as out:
        out.write(",".join(keys) + "\n")
        for row in rows:
            out.write(",".join(f"{row[k]:.6g}" if isinstance(row[k], float) else str(row[k]) for k in keys) + "\n")
