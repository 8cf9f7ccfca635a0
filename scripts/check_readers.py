#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Has other people's programs read what the command writes. Usage: check_readers.py COMMAND

Runs a small scene (drums, a ball, a crate from a file with parts, a picture and UVs) with every
output, then compares: Khronos' validator, tinyusdz and three.js (tests/web, with its modules
installed), and Blender where it is there. Prints "ok - CLAIM" or "not ok - CLAIM" a line.
"""

import base64
import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
RATE = 30
TIMEOUT_S = 300
SHOWN_LINES = 30

SCENE = {
    "duration": 0.7, "frame_rate": RATE, "step_rate": 240,
    "bodies": {
        "ball": {"solid": {"kind": "sphere", "size": [0.3, 0.3, 0.3], "resolution": 0.06},
                 "mass": 60, "position": [0, 1.3, 0], "velocity": [0, -8, 0]},
        "drum": {"solid": {"kind": "barrel", "resolution": 0.06}, "thickness": 0.0012,
                 "layers": {"dent": {}}, "position": [0, 0.45, 0], "copies": {
                     "count": [2, 1, 1], "spacing": [1.2, 1, 1]}},
        "crate": {"mesh": "crate.gltf", "thickness": 0.002, "layers": {"dent": {}},
                  "position": [1.5, 0.6, 1.5], "velocity": [-1, 0, 0]},
        "post": {"solid": {"kind": "box", "size": [0.2, 1, 0.2]}, "motion": "static",
                 "position": [-2, 0.5, 0]},
    },
    "hits": [
        {"body": "drum-1", "frame": 3,
         "dent": {"position": [0.29, 0, 0], "direction": [-1, 0, 0], "depth": 0.05, "radius": 0.15}},
        {"body": "drum-2", "frame": 5, "duration": 0.3,
         "dent": {"position": [0, 0.1, 0.29], "direction": [0, 0, -1], "depth": 0.06, "radius": 0.2}},
        {"body": "crate", "frame": 8,
         "dent": {"position": [0, 0.25, 0], "direction": [0, -1, 0], "depth": 0.04, "radius": 0.2}},
    ],
    "outputs": {"film": False, "poster": False, "usd": True, "pc2": True, "mdd": True, "csv": True,
                "obj_sequence": True, "ply_sequence": True},
}


def png(width, height, pixel):
    """A picture of pixel(x, y) = (r, g, b)."""
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))
    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width))
                    for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def side(axis, sign, cells, half):
    """One side of a cube as a grid: points, normals, UVs, triangles."""
    points, normals, uvs, triangles = [], [], [], []
    for j in range(cells + 1):
        for i in range(cells + 1):
            p = [0.0, 0.0, 0.0]
            p[axis] = sign * half
            p[(axis + 1) % 3] = half * (2 * i / cells - 1)
            p[(axis + 2) % 3] = half * (2 * j / cells - 1)
            n = [0.0, 0.0, 0.0]
            n[axis] = float(sign)
            points.append(p)
            normals.append(n)
            uvs.append([i / cells, j / cells])
    for j in range(cells):
        for i in range(cells):
            a, b = j * (cells + 1) + i, (j + 1) * (cells + 1) + i
            for t in ([a, a + 1, b + 1], [a, b + 1, b]):
                triangles.append(t if sign > 0 else t[::-1])
    return points, normals, uvs, triangles


def write_crate(path):
    """A crate of half a metre with a lid: two meshes, one below the other, a picture on both."""
    buffer, views, accessors = bytearray(), [], []

    def add(rows, kind, code):
        flat = [x for row in rows for x in row]
        views.append({"buffer": 0, "byteOffset": len(buffer), "byteLength": 4 * len(flat)})
        buffer.extend(struct.pack(f"<{len(flat)}{code}", *flat))
        entry = {"bufferView": len(views) - 1, "type": kind, "count": len(flat) if kind == "SCALAR"
                 else len(rows), "componentType": 5126 if code == "f" else 5125}
        if kind == "VEC3":
            entry["min"], entry["max"] = [min(c) for c in zip(*rows)], [max(c) for c in zip(*rows)]
        accessors.append(entry)
        return len(accessors) - 1

    def mesh(name, sides):
        points, normals, uvs, triangles = [], [], [], []
        for axis, sign in sides:
            p, n, u, t = side(axis, sign, 10, 0.25)
            triangles += [[v + len(points) for v in corners] for corners in t]
            points, normals, uvs = points + p, normals + n, uvs + u
        return {"name": name, "primitives": [{
            "attributes": {"POSITION": add(points, "VEC3", "f"), "NORMAL": add(normals, "VEC3", "f"),
                           "TEXCOORD_0": add(uvs, "VEC2", "f")},
            "indices": add(triangles, "SCALAR", "I"), "material": 0}]}

    meshes = [mesh("crate", [(0, 1), (0, -1), (1, -1), (2, 1), (2, -1)]), mesh("lid", [(1, 1)])]
    picture = png(16, 16, lambda x, y: (200, 120, 40) if (x // 4 + y // 4) % 2 else (90, 50, 20))

    def data(kind, raw):
        return f"data:{kind};base64," + base64.b64encode(raw).decode()
    path.write_text(json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "crate", "mesh": 0, "children": [1]}, {"name": "lid", "mesh": 1}],
        "meshes": meshes, "accessors": accessors, "bufferViews": views,
        "buffers": [{"byteLength": len(buffer),
                     "uri": data("application/octet-stream", bytes(buffer))}],
        "images": [{"uri": data("image/png", picture)}], "textures": [{"source": 0}],
        "materials": [{"name": "wood", "pbrMetallicRoughness": {
            "baseColorTexture": {"index": 0}, "metallicFactor": 0, "roughnessFactor": 0.8}}]}))


def claim(text, holds, output=""):
    print(f"{'ok' if holds else 'not ok'} - {text}")
    if not holds:
        print("\n".join("    " + line[:300] for line in output.splitlines()[-SHOWN_LINES:]), flush=True)


def run(*command):
    """(whether it went well, its output). Blender must find the system's Python, and its numpy."""
    environment = {**os.environ, "PATH": "/usr/bin:/bin:" + os.environ.get("PATH", "")}
    try:
        done = subprocess.run([str(word) for word in command], env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired) as problem:
        return False, str(problem)
    return done.returncode == 0, done.stdout.decode(errors="replace")


def check_tables(folder):
    """The tables say what the report says."""
    report = json.loads((folder / "report.json").read_text())
    rows = [line.split(",") for line in
            (folder / "tiny_csv" / "bodies.csv").read_text().splitlines()]
    names = rows[0]
    last = {row[2]: dict(zip(names, row)) for row in rows[1:]}
    deepest = {b["name"]: b["deepest_mm"] for b in report["bodies"] if "deepest_mm" in b}
    claim("the tables end with the report's deepest moves", bool(deepest) and all(
        math.isclose(1000 * float(last[name]["moved_m"]), mm, rel_tol=1e-9, abs_tol=1e-9)
        for name, mm in deepest.items()), str(deepest))
    hits = (folder / "tiny_csv" / "hits.csv").read_text().splitlines()
    claim("the tables have every hit", len(hits) - 1 == report["hits"], "\n".join(hits))
    claim("the tables have the ledger of every frame",
          len((folder / "tiny_csv" / "energy.csv").read_text().splitlines()) == report["frames"] + 1)


def check_blender(folder):
    if not shutil.which("blender"):
        print("skipped - Blender reads GLB, PC2 and MDD: it is not installed")
        return
    fine, output = run("blender", "-b", "--factory-startup", "--python-exit-code", "1", "--python",
                       ROOT / "tests" / "blender" / "read_files.py", "--", folder, "tiny", RATE)
    lines = output.splitlines()
    print("\n".join(line for line in lines if line.startswith(("ok - ", "not ok - "))))
    claim("Blender reads GLB, PC2 and MDD to the end", fine, output)


def rig_poses(command, glb, out):
    """What a GLB's skin is as a rig: handles' places, and moves and turns by pose and handle."""
    fine, output = run(command, "rig", glb, "--skin", "--no-pictures", "-q", "--out", out)
    if not fine:
        return output
    rig = json.loads((out / f"{glb.stem}.rig.json").read_text())
    return {(pose, handle): move["move"] + move["turn"] for pose, pose_fields in rig["poses"].items()
            for handle, move in pose_fields["handles"].items()}


def is_same_pose(a, b):
    """Moves and turns as near as floats are; a quaternion and its opposite are one turn."""
    sign = -1.0 if sum(x * y for x, y in zip(a[3:], b[3:])) < 0 else 1.0
    return max(abs(x - y) for x, y in zip(a, b[:3] + [sign * q for q in b[3:]])) < 1e-5


def check_rig(command, work):
    fine, output = run(command, "rig", "barrel", "--no-pictures", "-q", "--out", work / "rig")
    claim("the command writes a rig", fine, output)
    glb = work / "rig" / "barrel.glb"
    claim("Khronos' validator finds nothing in the GLB of a rig",
          *run("node", ROOT / "tests" / "web" / "validate_glb.mjs", glb))
    if not shutil.which("blender"):
        print("skipped - a rig goes through Blender and back: it is not installed")
        return
    back = work / "back.glb"
    fine, output = run("blender", "-b", "--factory-startup", "--python-exit-code", "1", "--python",
                       ROOT / "tests" / "blender" / "pass_rig.py", "--", glb, back)
    ours = rig_poses(command, glb, work / "ours")
    theirs = rig_poses(command, back, work / "theirs") if fine else output
    is_same = isinstance(ours, dict) and isinstance(theirs, dict) and len(ours) == 36 \
        and ours.keys() == theirs.keys() and all(is_same_pose(ours[k], theirs[k]) for k in ours)
    claim("a rig goes through Blender and back: every pose within 1e-5", is_same,
          output if not fine else str(theirs))


def main():
    command = pathlib.Path(sys.argv[1]).resolve()
    web = ROOT / "tests" / "web"
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        write_crate(work / "crate.gltf")
        (work / "tiny.json").write_text(json.dumps(SCENE))
        out, split = work / "out", work / "split"
        fine, output = run(command, "run", work / "tiny.json", "--quiet", "--out", out)
        claim("the command writes every format", fine, output)
        more, text = run(command, "run", work / "tiny.json", "--quiet", "--out", split, "--set",
                         "outputs.usd_split=bodies", "--set", "outputs.glb=false")
        claim("the command writes a split stage", more, text)
        if not fine or not more:
            return 1
        check_tables(out)
        for name, arguments in {
            "Khronos' validator finds nothing in the GLB": ["validate_glb.mjs", out / "tiny.glb"],
            "tinyusdz shows every sample of the stage":
                ["read_usd.mjs", out / "tiny.usda", out / "tiny_pc2"],
            "tinyusdz shows every sample of a split stage":
                ["read_usd.mjs", split / "tiny.usda", split / "tiny_pc2"],
            "three.js finds every mesh of the stage": ["read_usd_three.mjs", out / "tiny.usda"],
        }.items():
            claim(name, *run("node", web / arguments[0], *arguments[1:]))
        check_blender(out)
        check_rig(command, work)
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main())
