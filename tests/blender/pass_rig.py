# SPDX-License-Identifier: MIT
"""Takes a rig through Blender: imports a GLB, exports it again as artists do, with all influences.

Usage: blender -b --factory-startup --python pass_rig.py -- IN.glb OUT.glb
"""

import sys

import bpy
import numpy

numpy.bool = bool  # the glTF importer of Blender 3.4 asks for what numpy 1.24 dropped

SOURCE, TARGET = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=SOURCE)
bpy.ops.export_scene.gltf(filepath=TARGET, export_all_influences=True)
