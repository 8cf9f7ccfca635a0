#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the deformer that CONTRIBUTING.md shows, and runs it. Usage: test_recipe.py [--keep]

Takes the deformer's files and the changes to the lists from the page, makes them in a copy of
src/, compiles the sources that include the edited lists, however indirectly, without optimisation,
links them to the libraries of build/release, and runs scripts/recipe_main.cpp with it. Prints
"ok - CLAIM" or "not ok - CLAIM".
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from check_headers import reached  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "CONTRIBUTING.md"
MOST_LINES = 75  # Of the deformer, without comments, includes and blank lines.
MOST_EDITED = 4   # Files, CHANGELOG.md among them.
LIBRARIES = ["sim", "deform", "engine", "record", "solids", "material", "impact", "skin", "geom",
             "core"]
UNIT_SIZE = 9  # Sources that are compiled as one.
# Read once for all of them: three quarters of the time goes into headers.
PRECOMPILED = ["Eigen/Dense", "ductile/core/json_fields.h", "ductile/sim/simulation.h"]
ERROR_LINES = 40


def shown_files(text):
    """{path: source} of the code blocks below a line that is a path in bold."""
    found = re.findall(r"^\*\*(src/[\w/.]+)\*\*\n\n```c\+\+\n(.*?)^```", text,
                       re.MULTILINE | re.DOTALL)
    return dict(found)


def shown_changes(text):
    """{path: [(kind, line)]} of the diff block, kind being one of ' ', '-' and '+'."""
    changes, lines = {}, None
    for line in re.search(r"^```diff\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[1].splitlines():
        if line.startswith("--- "):
            lines = changes.setdefault(line[4:], [])
        elif not line.startswith("+++ "):
            lines.append((line[0], line[1:]))
    return changes


def change(text, lines, path):
    """The text with each + line put after the line before it, or in the place of a - line."""
    previous = None
    for kind, line in lines:
        if kind in " -" and line not in text:
            raise ValueError(f"{path} has no line '{line}'")
        if kind == "+":
            text = text.replace(previous[1] + "\n", (
                "" if previous[0] == "-" else previous[1] + "\n") + line + "\n", 1)
        previous = (kind, line)
    return text


def code_lines(source):
    lines = [line.strip() for line in source.splitlines()]
    return sum(1 for line in lines if line and not line.startswith(("//", "#")))


def sources(tree, new, edited):
    """The new sources, and those of the libraries that see an edited header: the others stay as they
    were built."""
    known, found = {}, []
    for module in ("deform", "sim"):
        for path in sorted((tree / "ductile" / module).rglob("*.cpp")):
            name = path.relative_to(tree).as_posix()
            if name in new or reached(tree / "ductile", name, known) & edited:
                found.append(path)
    return found


def join_sources(paths, folder):
    """Sources that include a few of `paths` each, as the build has them: far fewer are parsed."""
    units = []
    for start in range(0, len(paths), UNIT_SIZE):
        units.append(folder / f"unit_{len(units)}.cpp")
        units[-1].write_text("".join(f'#include "{path}"\n'
                                     for path in paths[start:start + UNIT_SIZE]), encoding="utf-8")
    return units


def call_compiler(tree, *arguments):
    """What it says if it fails."""
    flags = ["-std=c++20", "-O0", "-ffp-contract=off", "-DDUCTILE_ASSERTS=1", "-DFMT_SHARED",
             "-Wno-psabi", f"-I{tree}", "-isystem", "/usr/include/eigen3"]
    done = subprocess.run(["g++", *flags, *arguments], capture_output=True, text=True)
    return done.stderr if done.returncode != 0 else ""


def precompile(tree, folder):
    header = folder / "precompiled.h"
    header.write_text("".join(f"#include <{name}>\n" for name in PRECOMPILED), encoding="utf-8")
    return header, call_compiler(tree, "-x", "c++-header", header, "-o", f"{header}.gch")


def compile_one(path, tree, folder, header):
    made = folder / f"{path.stem}.o"
    return made, call_compiler(tree, "-include", header, "-c", path, "-o", made)


def claim(ok, what, output=""):
    print(f"{'ok' if ok else 'not ok'} - {what}")
    if not ok:
        print("\n".join("    " + line for line in output.splitlines()[-ERROR_LINES:]))
    return ok


def build(folder):
    text = PAGE.read_text(encoding="utf-8")
    tree = folder / "src"
    shutil.copytree(ROOT / "src", tree)
    files, changes = shown_files(text), shown_changes(text)
    claim(len(files) > 1, "the page shows a deformer")
    length = sum(map(code_lines, files.values()))
    claim(0 < length <= MOST_LINES, f"it has {length} lines, at most {MOST_LINES}")
    claim(len(changes) + 1 <= MOST_EDITED,
          f"{len(changes)} files and CHANGELOG.md are edited, at most {MOST_EDITED} in all")
    for path, source in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(source, encoding="utf-8")
    for path, lines in changes.items():
        edited = folder / path
        edited.write_text(change(edited.read_text(encoding="utf-8"), lines, path), encoding="utf-8")
    objects = folder / "objects"
    objects.mkdir()
    new, edited = ({path.removeprefix("src/") for path in shown} for shown in (files, changes))
    paths = join_sources(sources(tree, new, edited), folder)
    paths.append(ROOT / "scripts" / "recipe_main.cpp")
    header, errors = precompile(tree, folder)
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        made = list(pool.map(lambda path: compile_one(path, tree, objects, header), paths))
    errors += "\n".join(error for _, error in made if error)
    if not claim(not errors, "it compiles with four files edited", errors):
        return None
    program = folder / "recipe"
    libraries = [ROOT / "build" / "release" / "src" / "ductile" / name / f"libductile-{name}.a"
                 for name in LIBRARIES]
    # The libraries hold the same functions as they were without the deformer: those made here come
    # first, and the first count.
    done = subprocess.run(["g++", *(path for path, _ in made), "-Wl,--allow-multiple-definition",
                           "-Wl,--start-group",
                           *(path for path in libraries if path.is_file()), "-Wl,--end-group",
                           "-lfmt", "-ltbb", "-lmeshoptimizer", "-lpthread", "-o", program],
                          capture_output=True, text=True)
    return program if claim(done.returncode == 0, "it links", done.stderr) else None


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ductile-recipe-"))
    try:
        program = build(folder)
        if not program:
            return 1
        done = subprocess.run([program], capture_output=True, text=True, timeout=60)
        print(done.stdout, end="")
        return 0 if claim(done.returncode == 0, "it runs", done.stdout + done.stderr) else 1
    finally:
        if "--keep" not in sys.argv[1:]:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
