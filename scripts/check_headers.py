#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the headers of src/ductile. Usage: check_headers.py [--all] [--self-test]

Every header compiles alone: the build does not show that, since sources share units and precompiled
headers there. With --all every header is compiled, else those that changed (at most MOST_CHANGED, see
shares.py) and a share of all others. As many are compiled at a time as there are cores. A header
that failed is named with its first errors, and the exit status is 1.

Every header is included by a test, directly. As C++17, public ones end in one #error. Members of
structs that users fill in have initialisers, so that leaving one out does not warn.

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

import shares

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
MODULE = re.compile(r"ductile_module\(([^)]*)\)")
OUTSIDERS = ("README.md", "docs/**/*.md", "examples/**/*.cpp")
UMBRELLA = "ductile/ductile.h"
LANGUAGE = "ductile/core/language.h"
STRUCT = re.compile(r"^\s*struct (\w+)[^;]*\{")
MEMBER = re.compile(r"^\s+(?!(?:using|return|friend|static|else) )[\w:]+(?:<.*>)?[*]? ((?:\w+(?:, )?)+);")
ERROR_LINES = 8
# Of the two compilers the one whose precompiled headers cost next to nothing to begin with.
COMPILER = ["clang++", "-std=c++20", "-Wall", "-Wextra", "-Wshadow", "-Wno-psabi",
            "-DDUCTILE_ASSERTS=1"]
MOST_CHANGED = 40
SHARE = 40  # Headers beside those that changed.
PRECOMPILED_SETS = 20  # Each costs as much as a dear header; more of them save little.


def all_headers(source):
    """Headers below `source`, as include names."""
    return sorted(f"ductile/{p.relative_to(source).as_posix()}" for p in source.rglob("*.h"))


def check_tested(root):
    """Headers that no test includes, a line each."""
    tested = {name for pattern in ("*.h", "*.cpp") for path in (root / "tests").rglob(pattern)
              for name in INCLUDE.findall(path.read_text(encoding="utf-8"))}
    return [f"src/{header}:1: no test includes it"
            for header in all_headers(root / "src" / "ductile") if header not in tested]


def listed_headers(source, keyword):
    """The headers that the CMake lists name after a keyword, as include names."""
    headers = set()
    for path in source.rglob("CMakeLists.txt"):
        for module in MODULE.findall(path.read_text(encoding="utf-8")):
            items = module.split()
            begin = items.index(keyword) + 1 if keyword in items else len(items)
            for word in items[begin:]:
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


def check_language(source):
    """Public headers that an older C++ does not refuse by one #error, a line each."""
    def answer(compiler, header):
        done = subprocess.run([compiler, "-std=c++17", f"-I{source.parent}", *eigen_flags(),
                               "-fsyntax-only", "-x", "c++", "-"], input=f"#include <{header}>\n",
                              capture_output=True, text=True)
        return done.stderr

    # GCC stops at once; clang reads on in silence, so that one header must do.
    asked = [("g++", header) for header in sorted(public_headers(source))]
    asked.append((COMPILER[0], UMBRELLA))
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        answers = zip(asked, pool.map(lambda one: answer(*one), asked))
    # The #error, and the missing file by which it makes the compiler stop.
    return [f"src/{header}:1: as C++17 it does not end in one #error with {compiler} "
            f"(include <{LANGUAGE}> first)" for (compiler, header), text in answers
            if "ductile needs C++20" not in text or text.count(" error: ") != 2]


def options_members(text):
    """(line, member) of what has no initialiser in structs that users fill in: those with a field
    list, and those called Options, Desc or Setup."""
    listed = set(re.findall(r"visit_fields\((\w+)& \w", text))
    found, around = [], []
    for number, line in enumerate(text.splitlines(), 1):
        code = line.split("//")[0]
        inside = around[-1] if around else ""
        member = MEMBER.match(code)
        if member and (inside in listed or inside.endswith(("Options", "Desc", "Setup"))):
            found.append((number, member[1]))
        opened = STRUCT.match(code)
        more = code.count("{") - code.count("}")
        around += [opened[1] if opened else ""] * max(more, 0)
        del around[len(around) - max(-more, 0):]
    return found


def check_members(source):
    """Members that make a user's designated initialisers warn, a line each."""
    return [f"src/{header}:{line}: {member} has no initialiser: leaving it out of a designated one "
            "warns (-Wextra)" for header in sorted(installed_headers(source))
            if (source.parent / header).is_file()
            for line, member in options_members((source.parent / header).read_text("utf-8"))]


def eigen_flags():
    answer = subprocess.run(["pkg-config", "--cflags", "eigen3"], capture_output=True, text=True,
                            check=True)
    return answer.stdout.replace("-I", "-isystem").split()


def reached(source, header, known):
    """The headers that a header includes, by however many steps; `known` remembers."""
    if header not in known:
        known[header] = set()  # Ends circles.
        path = source.parent / header
        # What the check of the language includes is not there, on purpose.
        is_read = path.is_file() and header != LANGUAGE
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")) if is_read else []:
            known[header] |= {name} | (reached(source, name, known)
                                       if name.startswith("ductile/") else set())
    return known[header]


def choose_sets(reaches):
    """Sets of headers that are worth precompiling, one after the other the one that saves
    most. A header that reaches all of a set loses nothing by getting it sooner."""
    chosen, saved = [], {header: 0 for header in reaches}
    candidates = sorted({tuple(sorted(names)) for names in reaches.values() if names})
    for _ in range(PRECOMPILED_SETS):
        def gain(candidate):
            """How many headers fewer are parsed, those for making the set counted in."""
            return sum(max(len(candidate) - saved[header], 0) for header, names in reaches.items()
                       if names.issuperset(candidate)) - len(candidate)
        best = max(candidates, key=gain, default=())
        if not best or gain(best) <= 0:
            break
        chosen.append(best)
        for header, names in reaches.items():
            if names.issuperset(best):
                saved[header] = max(saved[header], len(best))
    return chosen


def precompile(folder, number, names, flags):
    """Precompiles a set of headers; what to give to the compiler to begin with it: nothing if one of
    them does not compile, which is told where that one's turn comes."""
    header = pathlib.Path(folder) / f"set_{number}.h"
    header.write_text("".join(f"#include <{name}>\n" for name in names), encoding="utf-8")
    done = subprocess.run([*COMPILER, *flags, "-fpch-instantiate-templates", "-x", "c++-header",
                           header, "-o", f"{header}.pch"], capture_output=True)
    return ["-include-pch", f"{header}.pch"] if done.returncode == 0 else []


def compile_alone(source, header, flags):
    """The compiler's messages about a header on its own; empty if it has none."""
    command = [*COMPILER, "-fsyntax-only", f"-I{source.parent}", *flags, *library_flags(header),
               "-x", "c++", "-"]
    # Twice, so that a header without a guard is found too.
    text = f"#include <{header}>\n#include <{header}>\n"
    return subprocess.run(command, input=text, capture_output=True, text=True).stderr


def short_run(root, headers):
    """The headers that a short run compiles."""
    changed = shares.changed_files(root)
    turns = shares.in_turn(headers, shares.salt_of(root))
    first = [header for header in turns if f"src/{header}" in changed][:MOST_CHANGED]
    return sorted(first + [header for header in turns if header not in first][:SHARE])


def check(source, is_long):
    headers = all_headers(source)
    if not is_long:
        headers = short_run(source.parent.parent, headers)
    flags = eigen_flags()
    known = {}
    reaches = {header: reached(source, header, known) for header in headers}
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        # Bullet's own headers need more than a precompiled set is made with.
        sets = choose_sets({h: names for h, names in reaches.items() if not library_flags(h)})
        own = [f"-I{source.parent}", *flags]
        sooner = dict(zip(sets, pool.map(lambda item: precompile(folder, *item, own),
                                         enumerate(sets))))

        def compile_with_set(header):
            fitting = [names for names in sets if reaches[header].issuperset(names)]
            first = sooner[max(fitting, key=len)] if fitting and not library_flags(header) else []
            return compile_alone(source, header, flags + first)

        answers = pool.map(compile_with_set, headers)
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
        "core/sound.cpp": "#include <ductile/core/sound.h>\n",
        "core/user.h": "#include <ductile/core/sound.h>\n#include <string>\n",
    }
    with tempfile.TemporaryDirectory() as root:
        source = pathlib.Path(root) / "src" / "ductile"
        for name, text in files.items():
            path = source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        names = [f"ductile/core/{n}.h" for n in ("needy", "sound", "twice", "user")]
        assert all_headers(source) == names
        reaches = {name: reached(source, name, {}) for name in names}
        assert reaches[names[3]] == {names[1], "string", "vector"}, reaches
        # What one header alone reaches is not worth a set; a set never holds what its users do not.
        assert choose_sets(reaches) == [("vector",)], choose_sets(reaches)
        assert compile_alone(source, "ductile/core/sound.h", []) == ""
        assert "vector" in compile_alone(source, "ductile/core/needy.h", [])
        assert "redefinition" in compile_alone(source, "ductile/core/twice.h", [])
    self_test_public()
    self_test_members()
    print("check_headers: self-test passed")


def self_test_members():
    text = ("struct Plain {\n    int a;\n};\n"
            "struct Listed {\n    int a{}, b{};\n    std::vector<int> c;\n"
            "    struct Inner {\n        int d;\n    };\n    int e() const { return 1; }\n};\n"
            "void visit_fields(Listed& l, Visitor&& field) {\n    return field;\n}\n"
            "struct MoreOptions {\n    Vec3 f, g;  ///< [m]\n    double h = 0;\n};\n")
    assert options_members(text) == [(6, "c"), (16, "f, g")], options_members(text)


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
        places = [problem.split(":")[0] for problem in check_tested(root)]
        assert places == ["src/ductile/core/a.h", "src/ductile/core/idle.h",
                          "src/ductile/core/in/b.h", "src/ductile/ductile.h"], places


def main():
    if "--self-test" in sys.argv[1:]:
        self_test()
    source = pathlib.Path(__file__).resolve().parent.parent / "src" / "ductile"
    unseen = [*check_public(source.parent.parent), *check_tested(source.parent.parent),
              *check_language(source), *check_members(source)]
    for problem in unseen:
        print(problem)
    headers, problems = check(source, "--all" in sys.argv[1:])
    if not problems and not unseen:
        print(f"check_headers: {len(headers)} of {len(all_headers(source))} headers compile alone, "
              f"all have a test, {len(installed_headers(source))} installed ones include no other, "
              f"{len(public_headers(source))} of them public")
    return 1 if problems or unseen else 0


if __name__ == "__main__":
    sys.exit(main())
