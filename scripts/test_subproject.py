#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds ductile as a part of a project (add_subdirectory, docs/install.md), and runs that.

Usage: test_subproject.py [--all]

The sources are compiled one at a time and without precompiled headers, as that project gets them:
ductile::core and a program that uses it, by GCC, as on a machine that has only what those need;
with --all everything that such a project builds, by Clang, which takes long (the preset debug is
the same by GCC: scripts/test_presets.py).
Prints "ok - CLAIM" or "not ok - CLAIM" for every claim; the exit status is 1 if one fails.
"""

import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
from claims import REFUSAL, Claims, run  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(game LANGUAGES CXX)
add_subdirectory({root} ductile)
if(MIXED)
  add_executable(game game.cpp)
  target_link_libraries(game BulletDynamics ductile::ductile)
  return()
endif()
add_executable(core_game core_game.cpp)
target_link_libraries(core_game ductile::core)
if(TARGET ductile::render)
  add_executable(drop_ball {root}/examples/outside/drop_ball.cpp)
  target_link_libraries(drop_ball ductile::ductile)
endif()
"""
CORE_SOURCE = """#include <ductile/core/math.h>
#include <ductile/core/parallel.h>
#include <ductile/core/result.h>

#include <cstdio>
#include <vector>

int main() {
    std::vector<double> squares(1000);
    ductile::parallel_for(squares.size(), 1, [&](std::size_t i) { squares[i] = double(i * i); });
    double sum = 0;
    for (double square : squares) sum += square;
    const ductile::Result<double> result = ductile::Error{"no", "here", "try"};
    std::printf("%.0f %s\\n", sum, result.error().text().c_str());
    return sum == 332833500 && !result ? 0 : 1;
}
"""
# Quick to compile: what is made is not what is looked at.
QUICK = ("-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0")
HIDDEN = ("embree", "Freetype", "PNG", "assimp", "CLI11")
LEFT_OUT = {"image": "PNG::PNG", "io": "ductile::image", "scene": "ductile::io",
            "render": "ductile::image, embree, Freetype::Freetype"}

claim = Claims()


def configure(folder, *options):
    return run("cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build", *QUICK, *options)


def check_configuration(folder):
    """What is on and off, and what is refused."""
    status, output = configure(folder, "-DMIXED=OFF")
    claim("it can be a part of another project", status == 0, output)
    cache = (folder / "build" / "CMakeCache.txt").read_text(encoding="utf-8")
    on = [name for name in ("BUILD_TESTS", "BUILD_PYTHON", "WARNINGS_AS_ERRORS")
          if not re.search(rf"^DUCTILE_{name}:BOOL=OFF$", cache, re.MULTILINE)]
    claim("which then gets no tests, no Python and no errors for warnings", not on, on)
    status, output = configure(folder, "-DMIXED=ON")
    claim("and is refused, with a message, with Bullet in single precision beside it",
          status != 0 and REFUSAL.search(" ".join(output.split())), output)


def check_core(folder):
    """The quick half: one folder of the library, where the libraries of others are missing."""
    hidden = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in HIDDEN]
    status, output = configure(folder, "-DMIXED=OFF", *hidden)
    said = all(f"ductile: without ductile::{name}, which needs {needed}" in output
               for name, needed in LEFT_OUT.items())
    claim("folders whose libraries are not there are left out, by name", status == 0 and said,
          output)
    build_and_run(folder, "GCC", "core_game", "core_game")


def build_and_run(folder, compiler, program, *targets):
    status, output = run("cmake", "--build", folder / "build", *(("--target", *targets)
                                                                if targets else ()))
    what = "a program and what it links" if targets else "everything"
    if claim(f"{what} is built from the sources as they are, by {compiler}", status == 0, output):
        status, output = run(folder / "build" / program)
        claim(f"{program} runs, built by {compiler}", status == 0, output)


def check_all(parent):
    folder = make_project(parent / "all")
    status, output = configure(folder, "-DCMAKE_CXX_COMPILER=clang++")
    if claim("the project is configured for Clang", status == 0, output):
        build_and_run(folder, "Clang", "drop_ball")


def make_project(folder):
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(PROJECT.format(root=ROOT), encoding="utf-8")
    (folder / "core_game.cpp").write_text(CORE_SOURCE, encoding="utf-8")
    (folder / "game.cpp").write_text("int main() {}\n", encoding="utf-8")
    return folder


def main():
    if set(sys.argv[1:]) - {"--all"}:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as name:
        parent = pathlib.Path(name).resolve()
        folder = make_project(parent / "game")
        check_configuration(folder)
        check_core(folder)
        if "--all" in sys.argv:
            check_all(parent)
    return 1 if claim.failures else 0


if __name__ == "__main__":
    sys.exit(main())
