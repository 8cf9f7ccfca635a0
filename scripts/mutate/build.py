# SPDX-License-Identifier: MIT
"""Compiles a source with a fault, and links a test program with it, from what a build left.

Only the one source is compiled, with its unit's flags. A build may have compiled it with others as
one unit: the faulty object is linked before the libraries, and the linker keeps the first of two
definitions (-z muldefs). GCC calls what is not inline through its symbol (-fPIC), so neighbours in
the unit call the faulty one, too.

Objects and libraries are copied first: others may go on building. Nothing in the checkout or in
the build is written to.
"""

import hashlib
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import threading

INCLUDED = re.compile(r'^#include "([^"]+\.cpp)"$', re.MULTILINE)
COMPILE_TIMEOUT_S = 600


class BuildError(Exception):
    """What is wrong with a build folder."""


def read_settings(folder):
    cache = pathlib.Path(folder) / "CMakeCache.txt"
    if not cache.is_file():
        raise BuildError(f"{folder} is no build folder: there is no CMakeCache.txt")
    return dict(re.findall(r"^(\w+):\w+=(.*)$", cache.read_text(encoding="utf-8"), re.MULTILINE))


def source_root(folder):
    """Where the sources of a build folder are."""
    return pathlib.Path(read_settings(folder)["CMAKE_HOME_DIRECTORY"])


class Build:
    """A build folder, and copies of what its test programs are linked from."""

    def __init__(self, folder, work, run):
        self.folder = pathlib.Path(folder).resolve()
        self.work = work
        self.run = run  # tally.execute
        self.lock = threading.Lock()
        self.root = source_root(self.folder)
        self.compiler = read_settings(self.folder)["CMAKE_CXX_COMPILER"]
        if "clang" in pathlib.Path(self.compiler).name:
            raise BuildError("GCC is needed: clang calls neighbours in a unit past their symbols")
        self.sources = self.root / "src" / "ductile"
        self.linker = next((name for name in ("lld", "gold") if shutil.which(f"ld.{name}")), None)
        self.units = self.read_units()
        self.programs = {}
        self.copies = {}

    def read_units(self):
        """{path below src/ductile: [(target, folder, flags)]}"""
        commands = self.folder / "compile_commands.json"
        units = {}
        for entry in json.loads(commands.read_text(encoding="utf-8")):
            file = pathlib.Path(entry["file"])
            target = re.search(r"CMakeFiles/([^/]+)\.dir/", entry["command"])
            if "/Unity/" in entry["file"]:
                files = INCLUDED.findall(file.read_text(encoding="utf-8")) if file.is_file() else []
            else:
                files = [entry["file"]]
            for name in map(pathlib.Path, files):
                if self.sources in name.parents and target:
                    path = name.relative_to(self.sources).as_posix()
                    units.setdefault(path, []).append((target[1], entry["directory"],
                                                       self.flags(entry["command"])))
        return units

    def flags(self, command):
        words = shlex.split(command)
        words = words[words.index(self.compiler):]
        for option in ("-o", "-c"):
            at = words.index(option)
            del words[at:at + 2]
        return [word for word in words if word != "-Werror"] + ["-w"]

    def copy(self, name):
        """The copy of an object or library of the build."""
        if name not in self.copies:
            place = self.work / "objects" / f"{len(self.copies)}-{pathlib.Path(name).name}"
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.folder / name, place)
            self.copies[name] = place
        return str(self.copies[name])

    def program(self, name):
        """How a test program is linked: (words before what it is linked from, those after)."""
        with self.lock:
            if name not in self.programs:
                self.programs[name] = self.read_program(name)
            return self.programs[name]

    def read_program(self, name):
        answer = subprocess.run(["ninja", "-C", str(self.folder), "-t", "commands", name],
                                capture_output=True, text=True, check=False)
        lines = [line for line in answer.stdout.splitlines() if f" bin/{name} " in line]
        if answer.returncode != 0 or not lines:
            raise BuildError(f"{self.folder} does not build {name}")
        words = shlex.split(lines[-1])
        words = words[words.index(self.compiler):]
        words = words[:words.index("&&")] if "&&" in words else words
        at = words.index("-o")
        del words[at:at + 2]
        missing = [word for word in words
                   if word.endswith((".o", ".a")) and not (self.folder / word).is_file()]
        if missing:
            raise BuildError(f"{name} is not built in {self.folder}: there is no {missing[0]}")
        return [self.copy(word) if word.endswith((".o", ".a")) else word for word in words]

    def program_key(self, name):
        """Changes when anything that the program is linked from does."""
        key = hashlib.sha256()
        for word in self.program(name):
            file = pathlib.Path(word)
            is_copy = self.work in file.parents
            key.update(hashlib.sha256(file.read_bytes()).digest() if is_copy else word.encode())
        return key.hexdigest()

    def compile(self, path, text, program, job, more=()):
        """Compiles `text` in place of a source, with more flags than its own; the object, or None
        if it is no C++."""
        units = self.units[path]
        libraries = {pathlib.Path(word).name.split("-", 1)[1].removeprefix("lib")
                     .removesuffix(".a").replace("-", "_")
                     for word in self.program(program) if word.endswith(".a")
                     and self.work in pathlib.Path(word).parents}
        # A source may be in two libraries, as for Bullet's two precisions.
        _, folder, flags = next((u for u in units if u[0] in libraries), units[0])
        source, made = job / "source.cpp", job / "source.o"
        made.unlink(missing_ok=True)
        original = self.sources / path
        source.write_text(f'#line 1 "{original}"\n{text}', encoding="utf-8")
        command = ["sh", "-c", 'cd "$0" && exec "$@"', folder, *flags, *more,
                   "-iquote", original.parent, "-o", made, "-c", source]
        status, _ = self.run(command, COMPILE_TIMEOUT_S)
        return made if status == 0 and made.is_file() else None

    def link(self, program, made, job):
        """The test program with an object of ours in it, if any; None if they do not fit."""
        compiler, *rest = self.program(program)
        linked = job / program
        linked.unlink(missing_ok=True)
        with_linker = [f"-fuse-ld={self.linker}"] if self.linker else []
        command = ["sh", "-c", 'cd "$0" && exec "$@"', self.folder, compiler, *with_linker,
                   "-Wl,-z,muldefs", *([made] if made else []), *rest, "-o", linked]
        status, _ = self.run(command, COMPILE_TIMEOUT_S)
        return linked if status == 0 and linked.is_file() else None
