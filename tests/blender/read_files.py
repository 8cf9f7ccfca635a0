# SPDX-License-Identifier: MIT
"""What Blender makes of a run's files, against its point caches in world space.

Usage: blender -b --factory-startup --python read_files.py -- FOLDER NAME RATE
FOLDER holds NAME.glb, NAME_pc2 and NAME_mdd, both in world space. Prints "ok - CLAIM" and
"not ok - CLAIM" a line.
"""

import pathlib
import sys

import bpy
import numpy

numpy.bool = bool  # the glTF importer of Blender 3.4 asks for what numpy 1.24 dropped

FOLDER, NAME, RATE = sys.argv[sys.argv.index("--") + 1:]
FOLDER = pathlib.Path(FOLDER)
ALLOWED = 1.1e-3  # of a body's size: the tolerances of docs/glb.md, shapes and motion


def claim(text, holds):
    print(f"{'ok' if holds else 'not ok'} - {text}", flush=True)


def read_pc2(path):
    """Places by sample and vertex, as they stand in the file: Y up."""
    raw = path.read_bytes()
    assert raw[:12] == b"POINTCACHE2\0"
    points, samples = numpy.frombuffer(raw, "<i4", 1, 16)[0], numpy.frombuffer(raw, "<i4", 1, 28)[0]
    return numpy.frombuffer(raw, "<f4", 3 * points * samples, 32).reshape(samples, points, 3)


def read_mdd(path):
    raw = path.read_bytes()
    samples, points = numpy.frombuffer(raw, ">i4", 2)
    places = numpy.frombuffer(raw, ">f4", 3 * points * samples, 8 + 4 * samples)
    return places.reshape(samples, points, 3).astype("<f4")


def vertices_of(thing, graph, in_world):
    mesh = thing.evaluated_get(graph).data
    places = numpy.empty(3 * len(mesh.vertices), "f4")
    mesh.vertices.foreach_get("co", places)
    places = places.reshape(-1, 3)
    if not in_world:
        return places
    matrix = numpy.array(thing.evaluated_get(graph).matrix_world)
    return places @ matrix[:3, :3].T + matrix[:3, 3]


def meshes_below(thing):
    found = [thing] if thing.type == "MESH" else []
    for child in sorted(thing.children, key=lambda c: c.name):
        found += meshes_below(child)
    return found


def nearest(places, shown):
    """For each place the index of the nearest one that is shown; pieces keep memory small."""
    out = numpy.empty(len(places), int)
    for first in range(0, len(places), 256):
        part = places[first:first + 256]
        out[first:first + 256] = ((part[:, None] - shown[None]) ** 2).sum(-1).argmin(-1)
    return out


def show(frame):
    bpy.context.scene.frame_set(frame)
    return bpy.context.evaluated_depsgraph_get()


def check_glb(caches):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = int(RATE)
    bpy.ops.import_scene.gltf(filepath=str(FOLDER / f"{NAME}.glb"))
    worst = {}
    order = {}
    frames = next(iter(caches.values())).shape[0]
    for frame in range(frames):
        graph = show(frame)
        for name, places in caches.items():
            # Blender stands things up: (x, y, z) becomes (x, -z, y).
            wanted = places[frame][:, [0, 2, 1]] * numpy.array([1, -1, 1], "f4")
            shown = numpy.concatenate(
                [vertices_of(thing, graph, True) for thing in meshes_below(bpy.data.objects[name])])
            if name not in order:
                order[name] = nearest(wanted, shown)
            off = numpy.linalg.norm(shown[order[name]] - wanted, axis=1).max()
            worst[name] = max(worst.get(name, 0.0), float(off))
    for name, off in worst.items():
        size = numpy.linalg.norm(caches[name][0].max(0) - caches[name][0].min(0))
        claim(f"Blender shows {name} within 0.11 % of its size at {frames} frames"
              f" (off by {off:.2e} m)", off <= ALLOWED * size + 1e-5)
    keyed = [m for m in bpy.data.meshes if m.shape_keys]
    claim("Blender has shape keys and their names",
          bool(keyed) and all(k.name.startswith(("shape", "Basis"))
                              for m in keyed for k in m.shape_keys.key_blocks))
    claim("Blender has materials, pictures and UVs",
          len(bpy.data.materials) > 1 and len(bpy.data.images) > 0
          and any(m.uv_layers for m in bpy.data.meshes))


def check_caches(kind, read):
    for path in sorted((FOLDER / f"{NAME}_{kind}").glob(f"*.{kind}")):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.wm.obj_import(filepath=str(path.with_suffix(".obj")), forward_axis="Y",
                              up_axis="Z")
        things = bpy.context.selected_objects
        cache = things[0].modifiers.new("cache", "MESH_CACHE")
        cache.cache_format = kind.upper()
        cache.filepath = str(path)
        cache.frame_start = 0
        cache.forward_axis, cache.up_axis = "POS_Y", "POS_Z"
        places = read(path)
        is_same = len(things) == 1
        for frame in range(places.shape[0]):
            shown = vertices_of(things[0], show(frame), False)
            is_same = is_same and shown.shape == places[frame].shape \
                and numpy.array_equal(shown, places[frame])
        claim(f"Blender plays {path.name} bit for bit at {places.shape[0]} frames", is_same)


pc2 = {path.stem: read_pc2(path) for path in sorted((FOLDER / f"{NAME}_pc2").glob("*.pc2"))}
check_glb(pc2)
check_caches("pc2", read_pc2)
check_caches("mdd", read_mdd)
