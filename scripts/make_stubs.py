#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the keyword options of the Python module, with their types, into its stubs.

Usage: PYTHONPATH=build/release/python make_stubs.py      (when a field list changed)

The options of a call are a field list of the library, which the module tells (ductile.fields). In
python/ductile/__init__.pyi a call that takes some says so by `*,  # options: NAME`; what follows, up
to the closing bracket, is written here. Options within options are TypedDicts in
python/ductile/options.py. tests/python/stubs_test.py holds both to what this would write.
"""

import dataclasses
import importlib.util
import json
import keyword
import pathlib
import re
import sys

PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "python" / "ductile"
# In the order in which classes get their names: what is used most first.
LISTS = ("Simulation.add_deformable", "Simulation.add_rigid", "Simulation", "Simulation.set_motion",
         "Mesh.load", "Mesh.solid", "Mesh.painted", "Material", "DentMap.projectile",
         "DentMap.hit", "hits", "press", "press_both", "press_refined", "Presser", "Presser.press",
         "Recording.draw", "Recording.write_glb", "Recording.write_player", "Recording.write_usd",
         "Scene")
MARK = re.compile(r"(?P<start>^(?P<indent> *)def \w+\((?P<own>[^#]*?)\*,  # options: (?P<name>[\w.]+)\n)"
                  r".*?(?P<end>^ *\) -> )", re.MULTILINE | re.DOTALL)
PLAIN = {"number": "float", "whole number": "int", "true or false": "bool", "text": "str",
         "[x, y, z]": "Vector", "rotation": "Rotation"}
# Where the module takes more than a scene file can hold.
WIDER = {"material": 'Union[str, "Material"]'}
# What is left out of these stays as it was, or is as a card or a scene has it.
WITHOUT_DEFAULTS = {"Material", "Simulation.set_motion", "Recording.draw", "Recording.write_player"}
HEADER = '''# SPDX-License-Identifier: MIT
"""Options within options, as typed dicts: a dict of the same names does as well.

    world.add_deformable(drum, dent=ductile.options.Dent(rim=0.2), pieces={"count": 40})

Written by scripts/make_stubs.py from the field lists of the library; any may be left out.
"""

from typing import Any, Literal, Mapping, Optional, Sequence, TypedDict, Union

from numpy.typing import ArrayLike

Vector = Union[ArrayLike, Mapping[str, float]]
"""Three numbers: a list, an array, or a dict of x, y and z."""
Rotation = Union[ArrayLike, Mapping[str, Any]]
"""[w, x, y, z], or {"axis": [0, 1, 0], "angle_deg": 30}."""
'''


@dataclasses.dataclass
class Option:
    name: str
    kind: str = "object"  # As the library writes it.
    line: dict = dataclasses.field(default_factory=dict)  # What it tells; {} of an item.
    inside: dict = dataclasses.field(default_factory=dict)  # Options of an object or of items.


def tree_of(lines):
    """The options of a list by name, with those inside of each."""
    root = Option("")
    for line in lines:
        at = root
        for word in line["path"].split("."):
            at = at.inside.setdefault(word, Option(word))
        at.kind, at.line = line["type"], line
    return root.inside


class Classes:
    """The TypedDicts, each content once, under the first name that it had."""

    def __init__(self):
        self.names = {}  # By content.
        self.texts = []
        self.prefix = ""  # Where they are named outside of their own file.

    def name_of(self, path, options):
        content = json.dumps(shape_of(options))
        if content not in self.names:
            outside, self.prefix = self.prefix, ""
            members = [(option, type_of(self, option, f"{path}.{option.name}"))
                       for option in options.values()]
            self.prefix = outside
            name = re.sub(r"(?:^|[._])(\w)", lambda m: m[1].upper(), path.replace(".*", ".item"))
            count = sum(known == name or known.startswith(name + "_")
                        for known in self.names.values())
            self.names[content] = name = f"{name}_{count + 1}" if count else name
            self.texts.append(class_text(name, members))
        return self.prefix + self.names[content]


def shape_of(options):
    return {name: [option.kind, option.line.get("range"), option.line.get("help"),
                   shape_of(option.inside)] for name, option in options.items()}


def type_of(classes, option, path):
    kind = option.kind
    if kind.endswith(", or left out"):
        inner = dataclasses.replace(option, kind=kind.removesuffix(", or left out"))
        return f"Optional[{type_of(classes, inner, path)}]"
    if kind in PLAIN:
        return (classes.prefix if PLAIN[kind] in ("Vector", "Rotation") else "") + PLAIN[kind]
    if kind.startswith("one of "):
        return f"Literal[{', '.join(json.dumps(w) for w in kind[7:].split(', '))}]"
    if kind == "object":
        return classes.name_of(path, option.inside)
    if kind == "objects by name":
        return f"Mapping[str, {classes.name_of(path + '.*', option.inside['*'].inside)}]"
    found = re.fullmatch(r"array of (?:\d+: )?(.*)", kind)
    if found:
        item = option.inside.get("*", Option("*"))
        inner = type_of(classes, dataclasses.replace(item, kind=found[1]), path + ".*")
        return f"Sequence[{inner}]"
    raise ValueError(f"{path}: no type is known for '{kind}'")


def comment_of(option, with_default=True):
    """What is said about an option, as a comment."""
    line = option.line
    default = line.get("default", "") if with_default else ""
    parts = [line.get("range", ""), f"default {default}" if default not in ("", '""') else "",
             line.get("help", "")]
    return "; ".join(part for part in parts if part)


def class_text(name, members):
    """A TypedDict; one with a name that Python keeps for itself (`from`) is written as a call."""
    if any(keyword.iskeyword(option.name) for option, _ in members):
        lines = [f'    "{option.name}": {kind},  # {comment_of(option)}' for option, kind in members]
        return "\n".join([f'{name} = TypedDict("{name}", {{', *lines, "}, total=False)"])
    lines = [f"    {option.name}: {kind}  # {comment_of(option)}" for option, kind in members]
    return "\n".join([f"class {name}(TypedDict, total=False):", *lines])


def default_of(option):
    """A default that Python can write down; ... stands for others."""
    text = option.line.get("default", "")
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    return repr(value) if isinstance(value, (bool, int, float, str)) else "..."


def keywords(classes, name, options, indent):
    lines = []
    for option in options.values():
        if keyword.iskeyword(option.name):
            continue  # Only to be had as **{"from": ...}.
        kind = WIDER.get(option.name) if name.startswith("Simulation.add") else None
        kind = kind or type_of(classes, option, option.name)
        default = "..." if name in WITHOUT_DEFAULTS else default_of(option)
        comment = comment_of(option, name not in WITHOUT_DEFAULTS and default == "...")
        lines.append(f"{indent}{option.name}: {kind} = {default},  # {comment}\n")
    return "".join(lines)


def merged_kinds(options):
    """The fields of every kind of hit, as keywords of one call; one that several have is the first."""
    out = {}
    for kind in options.values():
        for option in kind.inside.values():
            out.setdefault(option.name, option)
    return out


def make(fields, stub):
    """(text of options.py, text of the stub) for what `fields(name)` tells."""
    classes = Classes()
    trees = {name: tree_of(fields(name)) for name in LISTS}
    trees["hits"] = merged_kinds(trees["hits"])
    trees["Mesh.solid"].pop("kind", None)  # An argument of its own.
    for name in LISTS:
        keywords(classes, name, trees[name], "")
    classes.prefix = "options."

    def written(call):
        own = re.findall(r"(\w+):", call["own"])
        left = {name: option for name, option in trees[call["name"]].items() if name not in own}
        return (call["start"] + keywords(classes, call["name"], left, call["indent"] + 8 * " ")
                + call["end"])

    stub = MARK.sub(written, stub)
    return "\n\n\n".join([HEADER.rstrip(), *classes.texts]) + "\n", stub


def compiled_module():
    """The compiled part alone: the package around it may be what is to be mended."""
    for folder in sys.path:
        for path in pathlib.Path(folder).glob("ductile/_core.*.so"):
            spec = importlib.util.spec_from_file_location("_core", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    sys.exit("no ductile on PYTHONPATH")


def main():
    ductile = compiled_module()
    stub = PACKAGE / "__init__.pyi"
    options, text = make(ductile.fields, stub.read_text(encoding="utf-8"))
    (PACKAGE / "options.py").write_text(options, encoding="utf-8")
    stub.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
