#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the headers of src/ductile. Usage: check_headers.py [--self-test]

Every header compiles alone. A header that some .cpp includes before anything else is proven by the
build; only the others are compiled here, as many at a time as there are cores. A header that failed
is named with its first errors, and the exit status is 1.

The public headers are those that the CMake lists name after HEADERS, and <ductile/ductile.h>, which
includes all of them. What they include of ductile's stands after INCLUDED: it is installed, too, but
nobody else includes it by name. Both exist and include each other only; a header that no public one
leads to is not INCLUDED; the examples and the pages need public ones only. The command and the
Python module are part of ductile and may use every header.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
MODULE = re.compile(r"ductile_module\(([^)]*)\)")
OUTSIDERS = ("README.md", "docs/**/*.md", "examples/**/*.cpp")
UMBRELLA = "ductile/ductile.h"
ERROR_LINES = 8
COMPILER = ["g++", "-std=c++20", "-Wall", "-Wextra", "-Wshadow", "-Wno-psabi",
            "-DDUCTILE_ASSERTS=1"]
MATH = "ductile/core/math.h"
EIGEN = "Eigen/Geometry"  # What MATH includes, and next to all of its compile time.


def unproven(source):
    """Headers below `source` that no .cpp includes first, as include names."""
    headers = {f"ductile/{p.relative_to(source).as_posix()}" for p in source.rglob("*.h")}
    for path in source.rglob("*.cpp"):
        first = INCLUDE.search(path.read_text(encoding="utf-8"))
        if first:
            headers.discard(first[1])
    return sorted(headers)


def listed_headers(source, keyword):
    """The headers that the CMake lists name after a keyword, as include names."""
    headers = set()
    for path in source.rglob("CMakeLists.txt"):
        for module in MODULE.findall(path.read_text(encoding="utf-8")):
            words = module.split()
            begin = words.index(keyword) + 1 if keyword in words else len(words)
            for word in words[begin:]:
                if word.isupper():
                    break
                headers.add((path.parent.relative_to(source.parent) / word).as_posix())
    return headers


def public_headers(source):
    """The headers that users may include."""
    return listed_headers(source, "HEADERS") | {UMBRELLA}


def installed_headers(source):
    """The public headers and what they include of ductile's."""
    return public_headers(source) | listed_headers(source, "INCLUDED")


def outsiders(root):
    """Files that may use public headers only."""
    return [path for pattern in OUTSIDERS for path in sorted(root.glob(pattern))]


def check_public(root):
    """What is wrong with who includes what, a line each."""
    source = root / "src" / "ductile"
    public, installed = public_headers(source), installed_headers(source)
    problems = [f"src/{header}: named in a list of public headers, but not there"
                for header in sorted(installed) if not (root / "src" / header).is_file()]
    included = set()
    for path in (root / "src" / header for header in sorted(installed)):
        for name in own_includes(path):
            included.add(name)
            if name not in installed:
                problems.append(f"{path.relative_to(root)}: <{name}> is not installed "
                                "(name it after INCLUDED in its CMakeLists.txt, or do without)")
    problems += [f"src/{header}: no public header includes it (take it out of the list)"
                 for header in sorted(installed - public - included)]
    for path in outsiders(root):
        problems += [f"{path.relative_to(root)}: <{name}> is not public "
                     "(name it after HEADERS in its CMakeLists.txt, or do without)"
                     for name in own_includes(path) if name not in public]
    differing = set(own_includes(root / "src" / UMBRELLA)) ^ (public - {UMBRELLA})
    problems += [f"src/{UMBRELLA}: includes all public headers and no other, but for <{name}>"
                 for name in sorted(differing)]
    return problems


def own_includes(path):
    """What a file includes of ductile's; nothing if it is not there."""
    names = INCLUDE.findall(path.read_text(encoding="utf-8")) if path.is_file() else []
    return [name for name in names if name.startswith("ductile/")]


def library_flags(header):
    """Bullet's private headers need Bullet's folders; all others find theirs by themselves."""
    if "/engine/bullet/" not in header:
        return []
    answer = subprocess.run(["pkg-config", "--cflags", "bullet-float64"], capture_output=True,
                            text=True, check=True)
    return answer.stdout.replace("-I", "-isystem").split()


def eigen_flags():
    answer = subprocess.run(["pkg-config", "--cflags", "eigen3"], capture_output=True, text=True,
                            check=True)
    return answer.stdout.replace("-I", "-isystem").split()


def reaches(source, header, target, seen):
    """Whether a header includes another one, by however many steps."""
    if header == target:
        return True
    seen.add(header)
    path = source.parent / header
    names = INCLUDE.findall(path.read_text(encoding="utf-8")) if path.is_file() else []
    return any(reaches(source, name, target, seen) for name in names if name not in seen)


def precompile_eigen(folder, flags):
    """Compiles once what core/math.h begins with: two seconds of every header that includes it."""
    header = pathlib.Path(folder) / "eigen.h"
    header.write_text(f"#include <{EIGEN}>\n", encoding="utf-8")
    subprocess.run([*COMPILER, *flags, "-x", "c++-header", header, "-o", f"{header}.gch"],
                   check=True)
    return ["-include", str(header)]


def compile_alone(source, header, flags):
    """The compiler's words about a header on its own; empty if it has none."""
    command = [*COMPILER, "-fsyntax-only", f"-I{source.parent}", *flags, *library_flags(header),
               "-x", "c++", "-"]
    # Twice, so that a header without a guard is found too.
    text = f"#include <{header}>\n#include <{header}>\n"
    return subprocess.run(command, input=text, capture_output=True, text=True).stderr


def check(source):
    headers = unproven(source)
    flags = eigen_flags()
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        # Headers that get Eigen by math.h lose nothing by getting it sooner.
        sooner = precompile_eigen(folder, flags)
        answers = pool.map(
            lambda header: compile_alone(source, header, flags + (
                sooner if reaches(source, header, MATH, set()) else [])), headers)
        problems = [(h, text) for h, text in zip(headers, answers) if text]
    for header, text in problems:
        print(f"src/{header}:1: does not compile alone")
        print("\n".join("    " + line for line in text.splitlines()[:ERROR_LINES]))
    return headers, problems


def self_test():
    files = {
        "core/sound.h": "#pragma once\n#include <vector>\nstruct Sound { std::vector<int> v; };\n",
        "core/needy.h": "#pragma once\ninline std::vector<int> needy() { return {}; }\n",
        "core/twice.h": "struct Twice {};\n",
        "core/proven.h": "#pragma once\nthis one is left to the compiler of proven.cpp\n",
        "core/proven.cpp": "// First.\n#include <ductile/core/proven.h>\n#include <vector>\n",
    }
    with tempfile.TemporaryDirectory() as root:
        source = pathlib.Path(root) / "src" / "ductile"
        for name, text in files.items():
            path = source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert unproven(source) == [f"ductile/core/{n}.h" for n in ("needy", "sound", "twice")]
        assert compile_alone(source, "ductile/core/sound.h", []) == ""
        assert "vector" in compile_alone(source, "ductile/core/needy.h", [])
        assert "redefinition" in compile_alone(source, "ductile/core/twice.h", [])
    self_test_public()
    print("check_headers: self-test passed")


def self_test_public():
    files = {
        "src/ductile/core/CMakeLists.txt":
            "ductile_module(core SOURCES a.cpp\n HEADERS a.h gone.h\n"
            " INCLUDED in/b.h idle.h PUBLIC fmt::fmt)\n",
        "src/ductile/ductile.h": "#include <ductile/core/a.h>\n",
        "src/ductile/core/a.h": "#include <ductile/core/in/b.h>\n#include <vector>\n",
        "src/ductile/core/in/b.h": "#include <ductile/core/hidden.h>\n",
        "src/ductile/core/hidden.h": "",
        "src/ductile/core/idle.h": "",
        "examples/a.cpp": "#include <ductile/core/a.h>\n#include <ductile/core/hidden.h>\n",
        "README.md": "#include <ductile/ductile.h>\n",
        "docs/b.md": "#include <ductile/core/in/b.h>\n",
        "tests/a.cpp": "#include <ductile/core/hidden.h>\n",
    }
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        places = [problem.split(":")[0] for problem in check_public(root)]
        assert places == ["src/ductile/core/gone.h", "src/ductile/core/in/b.h",
                          "src/ductile/core/idle.h", "docs/b.md", "examples/a.cpp",
                          "src/ductile/ductile.h"], places


def main():
    if "--self-test" in sys.argv[1:]:
        self_test()
    source = pathlib.Path(__file__).resolve().parent.parent / "src" / "ductile"
    unseen = check_public(source.parent.parent)
    for problem in unseen:
        print(problem)
    headers, problems = check(source)
    if not problems and not unseen:
        print(f"check_headers: {len(headers)} headers that no source includes first compile alone, "
              f"{len(installed_headers(source))} installed ones include no other, "
              f"{len(public_headers(source))} of them public")
    return 1 if problems or unseen else 0


if __name__ == "__main__":
    sys.exit(main())
