# SPDX-License-Identifier: MIT
"""`pip install .` gives the whole package, without a network. The compiled part is the build's own."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import ductile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(ductile.__file__).resolve().parents[2]


def run(*command, **settings):
    return subprocess.run([str(word) for word in command], cwd="/", capture_output=True, text=True,
                          env={**os.environ, **settings})


@unittest.skipIf(run(sys.executable, "-m", "pip", "--version").returncode, "pip is not installed")
class Pip(unittest.TestCase):
    def test_what_pip_installs_is_the_package_and_its_importer(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            done = run(sys.executable, "-m", "pip", "install", ROOT, "--target", folder, "--no-deps",
                       "--no-index", "--disable-pip-version-check", "--no-cache-dir",
                       "--config-settings", f"build-folder={BUILD}")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            installed = {p.relative_to(folder / "ductile").as_posix()
                         for p in (folder / "ductile").rglob("*")
                         if p.is_file() and p.suffix != ".pyc"}
            built = BUILD / "python" / "ductile"
            self.assertEqual(installed, {p.relative_to(built).as_posix() for p in built.rglob("*")
                                         if p.is_file() and p.suffix != ".pyc"})
            self.assertTrue(os.access(folder / "bin" / "ductile-import", os.X_OK))
            info = next(folder.glob("ductile-*.dist-info"))
            self.assertIn("Requires-Dist: numpy", (info / "METADATA").read_text(encoding="utf-8"))
            script = ("import ductile, importlib.metadata as m; "
                      "assert m.version('ductile') == ductile.__version__; "
                      "print(ductile.__file__, ductile.Mesh.solid('box'))")
            done = run(sys.executable, "-c", script, PYTHONPATH=str(folder))
            self.assertTrue(done.stdout.startswith(str(folder)), done.stdout + done.stderr)

    def test_whoever_installs_pybind11_after_pip_named_it_can_try_again(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            # CMake, but for what takes minutes; and a machine with pybind11 or without.
            (folder / "cmake").write_text(WITHOUT_BUILDING.format(cmake=shutil.which("cmake")))
            (folder / "cmake").chmod(0o755)
            machine = folder / "machine.cmake"

            def install(content, build):
                machine.write_text(content)
                return run(sys.executable, "-m", "pip", "install", ROOT, "--target",
                           folder / "target", "--no-deps", "--no-index", "--no-cache-dir",
                           "--disable-pip-version-check", "--config-settings",
                           f"build-folder={build}", PATH=f"{folder}:{os.environ['PATH']}",
                           CMAKE_TOOLCHAIN_FILE=str(machine))

            # As a folder that the command was built in (`./ductile demo`), and one of pip's own.
            machine.write_text(NO_PYBIND11)
            self.assertEqual(run("cmake", "-S", ROOT, "-B", folder / "demo", "-G", "Ninja",
                                 CMAKE_TOOLCHAIN_FILE=str(machine)).returncode, 0)
            for build in (folder / "demo", folder / "own"):
                said = install(NO_PYBIND11, build)
                self.assertNotEqual(said.returncode, 0)
                self.assertIn("pybind11-dev", said.stdout + said.stderr)
                self.assertNotIn(BUILDS, said.stdout + said.stderr)
                said = install("", build)
                self.assertIn(f"{BUILDS} {build} --target ductile_python",
                              said.stdout + said.stderr)


BUILDS = "would build:"
WITHOUT_BUILDING = f"""#!/bin/sh
[ "$1" = --build ] && shift && echo "{BUILDS} $*" && exit 1
exec {{cmake}} "$@"
"""
NO_PYBIND11 = "set(CMAKE_DISABLE_FIND_PACKAGE_pybind11 ON)\n"


if __name__ == "__main__":
    unittest.main()
