#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs a build into a folder of its own and uses it as an outsider would.

Usage: test_install.py [BUILD_FOLDER]        (build/release; its target ductile_product is built)

Prints "ok - CLAIM" or "not ok - CLAIM" for every claim; the exit status is 1 if one fails.
"""

import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUTSIDE = ROOT / "examples" / "outside"
sys.path.insert(0, str(ROOT / "scripts"))
import check_headers  # noqa: E402  (the one reader of the lists of public headers)
from claims import REFUSAL, Claims, run  # noqa: E402

# A square of two triangles, as COLLADA: a format that only ductile-import reads.
COLLADA = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="1"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array>
<technique_common><accessor source="#a" count="4" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
"""
# What a game needs that neither draws nor reads files, and a machine that has no more than that.
FEW_COMPONENTS = ("sim", "engine_bullet", "solids")
FEW_PACKAGES = ("eigen3", "fmt", "nlohmann_json", "tbb", "bullet-float64")
HIDDEN = ("embree", "Freetype", "PNG", "ZLIB", "assimp", "CLI11")
KEEP_ALL = "-Wl,--no-as-needed"  # A library that is linked for nothing shows, too.
HIDDEN_LIBRARIES = ("libembree", "libfreetype", "libpng", "libturbojpeg", "libassimp")
FEW_PROJECT = """cmake_minimum_required(VERSION 3.20)
project(game LANGUAGES CXX)
find_package(ductile 0.1 REQUIRED COMPONENTS {components})
add_executable(game game.cpp)
target_link_libraries(game PRIVATE {targets})
"""
FEW_SOURCE = """#include <ductile/deform/body_shape.h>
#include <ductile/deform/dent/dent_deformer.h>
#include <ductile/engine/bullet/bullet_engine.h>
#include <ductile/material/material.h>
#include <ductile/sim/simulation.h>
#include <ductile/solids/solids.h>

#include <cstdio>

int main() {
    using namespace ductile;
    const auto engine = BulletEngine::make({});
    Simulation simulation(*engine, {});
    const SolidOptions barrel{.kind = SolidKind::Barrel};
    const auto drum = std::make_shared<const SurfaceAsset>(make_solid(barrel).value());
    const auto shape = make_body_shape(
        drum, {.material = find_material("steel").value(), .thickness = 0.0012},
        {make_dent_deformer({})});
    const ObjectId body = simulation.add_deformable({}, shape.value()).value();
    for (int step = 0; step < 10; ++step) simulation.step(0.01);
    const double height = simulation.motion(body).pose_w.translation.y();
    std::printf("fell %.3f m\\n", -height);
    return height < 0.0 ? 0 : 1;
}
"""
DEEPEST = re.compile(r"deepest dent: ([\d.]+) mm")

# A game that found Bullet by itself: in single precision, as Debian's package gives it.
MIXED_PROJECT = """cmake_minimum_required(VERSION 3.20)
project(game LANGUAGES CXX)
{first}
{second}
add_library(physics INTERFACE)
target_link_libraries(physics INTERFACE {bullet})
add_executable(game game.cpp)
target_link_libraries(game PRIVATE physics ductile::ductile)
add_executable(viewer game.cpp)  # has nothing to do with ductile: no reason to refuse it
target_link_libraries(viewer PRIVATE BulletDynamics)
"""
FIND_DUCTILE = "find_package(ductile REQUIRED)"
FIND_BULLET = "find_package(Bullet REQUIRED)"
# A source that sees Bullet's headers without ductile's flags, and hands its world over.
MIXED_SOURCE = """#include <btBulletDynamicsCommon.h>
#include <ductile/engine/bullet/bullet_engine.h>
int main() {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    return ductile::BulletEngine::attach(world) ? 0 : 1;
}
"""

claim = Claims()


def files_of(prefix):
    return sorted(path for path in prefix.rglob("*") if path.is_file())


def check_files(prefix):
    """What is there, and that nothing in it remembers where it was made."""
    installed = {path.relative_to(prefix / "include").as_posix()
                 for path in files_of(prefix / "include")}
    wanted = check_headers.installed_headers(ROOT / "src" / "ductile")
    claim("the installed headers are the public ones and what they include, and no other",
          installed == wanted, "\n".join(sorted(installed ^ wanted)))
    needle = str(ROOT).encode()
    remembering = [path for path in files_of(prefix) if needle in path.read_bytes()]
    claim("no installed file holds the path of the sources", not remembering,
          "\n".join(map(str, remembering)))
    old = str(prefix).encode()
    holding = [path for path in files_of(prefix) if old in path.read_bytes()]
    claim("no installed file holds the path it was installed to", not holding,
          "\n".join(map(str, holding)))


def check_public_headers(prefix, folder):
    """Each installed header compiles alone, with nothing but the installed ones in sight."""
    headers = sorted(path.relative_to(prefix / "include").as_posix()
                     for path in files_of(prefix / "include"))
    _, flags = run("pkg-config", "--cflags", "ductile",
                   PKG_CONFIG_PATH=str(prefix / "lib" / "pkgconfig"))
    # One unit that names them all proves that they exist for each other; that each compiles alone
    # was proven inside the tree (check_headers.py), where more could have been in sight.
    text = "".join(f"#include <{header}>\n" for header in headers)
    source = folder / "all.cpp"
    source.write_text(text + "int main() {}\n", encoding="utf-8")
    status, output = run("g++", *shlex.split(flags), "-Wall", "-Wextra", "-Werror",
                         "-fsyntax-only", source)
    claim("the installed headers include nothing that is not installed", status == 0, output)


def build_by_cmake(prefix, folder, compiler):
    status, output = run("cmake", "-G", "Ninja", "-S", OUTSIDE, "-B", folder,
                         f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release",
                         f"-DCMAKE_CXX_COMPILER={compiler}")
    if not claim("find_package(ductile) finds it", status == 0, output):
        return None
    status, output = run("cmake", "--build", folder)
    return folder / "drop_ball" if claim(f"a program is built against it by CMake and {compiler}",
                                         status == 0, output) else None


def build_by_pkg_config(prefix, folder, compiler):
    status, flags = run("pkg-config", "--cflags", "--libs", "ductile",
                        PKG_CONFIG_PATH=str(prefix / "lib" / "pkgconfig"))
    if not claim("pkg-config knows it", status == 0, flags):
        return None
    program = folder / "by_pkg_config"
    status, output = run(compiler, OUTSIDE / "drop_ball.cpp", *shlex.split(flags), "-o", program)
    return program if claim(f"a program is built against it by pkg-config and {compiler}",
                            status == 0, output) else None


def check_components(prefix, folder):
    """What a game needs that neither draws nor reads files, on a machine that has no more."""
    folder.mkdir()
    known = folder / "pkgconfig"
    known.mkdir()
    for name in FEW_PACKAGES:
        _, where = run("pkg-config", "--variable=pcfiledir", name)
        (known / f"{name}.pc").symlink_to(f"{where.strip()}/{name}.pc")
    (folder / "game.cpp").write_text(FEW_SOURCE, encoding="utf-8")
    hidden = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in HIDDEN]

    def configure(components):
        (folder / "CMakeLists.txt").write_text(FEW_PROJECT.format(
            components=" ".join(components),
            targets=" ".join(f"ductile::{name}" for name in components)), encoding="utf-8")
        return run("cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build", *hidden,
                   f"-DCMAKE_EXE_LINKER_FLAGS={KEEP_ALL}", f"-DCMAKE_PREFIX_PATH={prefix}",
                   PKG_CONFIG_LIBDIR=str(known))

    status, output = configure(["render"])
    claim("a component whose libraries are not there is refused, and they are named", status != 0
          and "ductile::render needs embree 3, Freetype, PNG" in " ".join(output.split()), output)
    status, output = configure(["rendre"])
    claim("a component that does not exist is refused by its name", status != 0
          and "ductile::rendre needs to be one of core" in " ".join(output.split()), output)
    status, output = configure(FEW_COMPONENTS)
    claim("sim and engine_bullet need no library of pictures and files", status == 0, output)
    by_cmake = folder / "build" / "game"
    status, output = run("cmake", "--build", folder / "build")
    claim("a program is built with these components", status == 0, output)

    _, flags = run("pkg-config", "--cflags", "--libs",
                   *(f"ductile-{name}" for name in FEW_COMPONENTS),
                   PKG_CONFIG_LIBDIR=f"{prefix / 'lib' / 'pkgconfig'}:{known}")
    by_flags = folder / "by_pkg_config"
    status, output = run("g++", KEEP_ALL, folder / "game.cpp", *shlex.split(flags), "-o", by_flags)
    claim("a program is built with these components by pkg-config", status == 0, output + flags)
    for program in filter(pathlib.Path.is_file, (by_cmake, by_flags)):
        status, output = run(program)
        claim(f"{program.name}: with few components it runs", status == 0 and "fell" in output,
              output)
        _, needed = run("readelf", "-d", program)
        claim(f"{program.name}: it links none of the others' libraries",
              "libBulletDynamics" in needed
              and not any(name in needed for name in HIDDEN_LIBRARIES), needed)


def configure_mixed(prefix, folder, **fields):
    folder.mkdir()
    (folder / "game.cpp").write_text("int main() {}\n", encoding="utf-8")
    (folder / "CMakeLists.txt").write_text(MIXED_PROJECT.format(**fields), encoding="utf-8")
    status, output = run("cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build",
                         f"-DCMAKE_PREFIX_PATH={prefix}")
    return status, " ".join(output.split())


def check_mixed_configuration(prefix, folder):
    """Bullet in both precisions has the same names: a program with both would link, and crash."""
    folder.mkdir()
    for order, finds in {"before": (FIND_BULLET, FIND_DUCTILE),
                         "after": (FIND_DUCTILE, FIND_BULLET)}.items():
        status, output = configure_mixed(prefix, folder / order, first=finds[0], second=finds[1],
                                         bullet="${BULLET_LIBRARIES}")
        claim(f"Bullet in single precision, found {order} ductile, is refused with a message",
              status != 0 and REFUSAL.search(output), output)
    status, output = configure_mixed(prefix, folder / "same", first=FIND_DUCTILE, second="",
                                     bullet="BulletDynamics-float64")
    claim("Bullet in the same precision, and other programs of the project, are not", status == 0,
          output)


def check_mixed_program(prefix, folder):
    """Whoever gets past the configuration, by flags of their own, hears of it from attach."""
    source = folder / "mixed.cpp"
    source.write_text(MIXED_SOURCE, encoding="utf-8")
    settings = {"PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}
    _, flags = run("pkg-config", "--cflags", "ductile", **settings)
    _, libraries = run("pkg-config", "--libs", "ductile", **settings)
    for refusal, precision in {"was compiled for Bullet in single precision": "-U",
                               "runs with Bullet in single precision": "-D"}.items():
        program = folder / "mixed"
        status, output = run("g++", *shlex.split(flags), f"{precision}BT_USE_DOUBLE_PRECISION",
                             source, "-lBulletDynamics", "-lBulletCollision", "-lLinearMath",
                             *shlex.split(libraries), "-o", program)
        if status == 0:
            status, output = run(program)
        claim(f"a program that {refusal} is refused with a message", status != 0 and refusal in output,
              output)


def run_program(program, how):
    if program is None:
        return None
    status, output = run(program)
    found = DEEPEST.search(output)
    claim(f"the program built by {how} runs and dents the drum", status == 0 and found, output)
    return found[1] if found else None


def check_command(prefix, folder):
    command = prefix / "bin" / "ductile"
    status, output = run(command, "scenes")
    claim("the installed command runs", status == 0 and "demo" in output, output)
    status, output = run(command, "check", "fracture-crate", "dent-maps")
    claim("the installed command finds the files that its scenes name", status == 0, output)
    mesh = folder / "corner.dae"
    mesh.write_text(COLLADA, encoding="utf-8")
    status, output = run(command, "info", mesh)
    claim("the installed command finds ductile-import beside it", status == 0, output)
    return mesh


def check_python(prefix, mesh):
    modules = sorted(prefix.glob("lib/python3*/dist-packages"))
    if not modules:
        print("  the build has no Python module", flush=True)
        return
    script = ("import ductile; m = ductile.Mesh.load(__import__('sys').argv[1]); "
              "print(len(m.triangles), ductile.__version__)")
    status, output = run("/usr/bin/python3", "-c", script, mesh, PYTHONPATH=str(modules[0]))
    claim("the installed Python module loads, and finds ductile-import", status == 0
          and output.startswith("4 "), output)
    library = next((modules[0] / "ductile").glob("_core*.so"))
    _, output = run("nm", "-D", "--defined-only", library)
    shown = [line.split()[-1] for line in output.splitlines()]
    claim("the Python module shows its entry and no other symbol", shown == ["PyInit__core"],
          "\n".join(shown))


def use(prefix, folder, compiler):
    folder.mkdir()
    check_files(prefix)
    mesh = check_command(prefix, folder)
    check_python(prefix, mesh)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        made = pool.submit(build_by_cmake, prefix, folder / "cmake", compiler)
        by_flags = build_by_pkg_config(prefix, folder, compiler)
        by_cmake = made.result()
    depths = {run_program(by_cmake, "CMake"), run_program(by_flags, "pkg-config")}
    claim("both programs find the same depth", len(depths) == 1 and None not in depths, depths)
    # A program beside nothing of ours finds the importer by PATH.
    if by_flags:
        status, output = run(by_flags, mesh, PATH=f"{prefix / 'bin'}:{os.environ['PATH']}")
        claim("a program finds ductile-import on PATH", "ductile-import" not in output, output)
    return depths


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "release")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        prefix = folder / "first"
        status, output = run("cmake", "--install", build.resolve(), "--prefix", prefix)
        if not claim("cmake --install installs", status == 0, output):
            return 1
        check_public_headers(prefix, folder)
        check_components(prefix, folder / "few")
        check_mixed_configuration(prefix, folder / "game_with_bullet")
        check_mixed_program(prefix, folder)
        before = use(prefix, folder / "a", "g++")
        moved = folder / "elsewhere" / "second"
        moved.parent.mkdir()
        shutil.move(prefix, moved)
        claim.stage = "moved: "
        claim("the depths are the same", use(moved, folder / "b", "clang++") == before)
    return 1 if claim.failures else 0


if __name__ == "__main__":
    sys.exit(main())
