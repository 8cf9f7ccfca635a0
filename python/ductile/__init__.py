# SPDX-License-Identifier: MIT
"""ductile: rigid bodies that dent when they are hit. Impacts in, shapes out.

SI units, y up, right-handed. Arrays are numpy's; which of them are views, and what may be done with
them, stands in docs/python.md.
"""

import pathlib as _pathlib

try:
    import numpy as _numpy  # noqa: F401  (its arrays are what the module speaks in)
except ImportError as _error:
    raise ImportError(
        "ductile needs numpy, which this Python does not have: install it (Debian: "
        "python3-numpy; elsewhere: pip install numpy), or start a Python that has it"
    ) from _error

from . import options  # noqa: F401
from ._core import (  # noqa: F401
    DentMap,
    Error,
    Journal,
    JournalFile,
    Material,
    Mesh,
    Pressed,
    Presser,
    PressRigid,
    Recording,
    Scene,
    Simulation,
    __version__,
    fields,
    materials,
    press,
    press_both,
    press_refined,
    write_png,
)

__all__ = [
    "DentMap",
    "Error",
    "Journal",
    "JournalFile",
    "Material",
    "Mesh",
    "PressRigid",
    "Pressed",
    "Presser",
    "Recording",
    "Scene",
    "Simulation",
    "fields",
    "materials",
    "press",
    "press_both",
    "press_refined",
    "scenes",
    "write_png",
]


def scenes():
    """Names of the built-in scenes, for Scene.load."""
    folder = _pathlib.Path(__file__).resolve().parent / "scenes"
    return sorted(path.stem for path in folder.glob("*.json"))
