#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that no source needs its neighbours.

Usage: check_sources.py [--all] [--self-test] [FILE...]

The builds that most people make compile several sources as one unit behind precompiled headers: an
include that is missing there shows nowhere, until somebody builds without (`debug`, or ductile as a
part of a project of their own). Here every source is compiled alone by clang, with the flags that
CMake has for it and no code made.

With --all these are all sources, else those that differ from what they were some commits ago (shares.py) (at
most MOST_CHANGED), and a share that the name of the last commit chooses: half of it among those
that reach a header which differs, half among all others. A source below FOLDERS that no target
compiles is an error, too. As many are compiled at a time as there are cores; the exit status is 1
if one fails.
"""

import concurrent.futures
import dataclasses
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import check_headers
import shares

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("src", "tools", "tests", "bench", "examples", "python", "fuzz")
NO_TARGET = {"examples/outside/drop_ball.cpp"}  # scripts/test_install.py builds it.
MOST_CHANGED = 12  # Of those: what touches more is for --all.
SHARE = 8  # Sources beside these.
WORTH_SETS = 12  # Sources with the same flags for which headers are precompiled.
# Compiling for one kind of program or another, which a precompiled header would have to know.
DROPPED_FLAGS = {"-c", "-fPIC", "-fPIE"}


@dataclasses.dataclass(frozen=True)
class Source:
    """A source and how it is compiled."""

    path: pathlib.Path
    flags: tuple
    folders: tuple  # Where its includes are looked for, of the project's own.


def configure(root, folder):
    """Lets CMake say how it compiles each source when it compiles one at a time."""
    done = subprocess.run(
        ["cmake", "-S", root, "-B", folder, "-G", "Ninja", "-DCMAKE_CXX_COMPILER=clang++",
         "-DCMAKE_BUILD_TYPE=None", "-DDUCTILE_BUILD_FUZZ=ON", "-DCMAKE_CXX_COMPILER_LAUNCHER="],
        capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"check_sources: cannot configure {folder}:\n{done.stdout}{done.stderr}")


def read_source(root, entry):
    """A source from its entry in compile_commands.json."""
    words = shlex.split(entry["command"])[1:]
    at = words.index("-o")
    del words[at:at + 2]
    path = pathlib.Path(entry["file"])
    flags = tuple(word for word in words if word not in DROPPED_FLAGS and word != entry["file"])
    folders = tuple(pathlib.Path(word[2:]) for word in flags
                    if word.startswith("-I") and root in pathlib.Path(word[2:]).parents)
    return Source(path, flags, folders)


def all_sources(root, folder):
    """Each source once, with the flags of the first target that compiles it."""
    entries = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
    sources = {}
    for entry in entries:
        source = read_source(root, entry)
        sources.setdefault(source.path, source)
    return list(sources.values())


def orphans(root, sources):
    """Sources of the project that no target compiles, a line each."""
    compiled = {source.path for source in sources}
    files = sorted(path for name in FOLDERS for path in (root / name).rglob("*.cpp"))
    return [f"{path.relative_to(root)}:1: no target compiles it" for path in files
            if path not in compiled and path.relative_to(root).as_posix() not in NO_TARGET]


# ---- what a source includes ---------------------------------------------------------------------


def find_include(folders, name):
    """The file of the project that an include names, or None."""
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def reached(path, folders, known):
    """The headers that a file includes, by however many steps; `known` remembers."""
    if path not in known:
        known[path] = set()  # Ends circles.
        for name in check_headers.INCLUDE.findall(path.read_text(encoding="utf-8")):
            own = find_include([path.parent, *folders], name)
            # What the check of the language includes is not there, on purpose.
            is_read = own and name != check_headers.LANGUAGE
            known[path] |= {name} | (reached(own, folders, known) if is_read else set())
    return known[path]


# ---- which are compiled -------------------------------------------------------------------------


def choose(sources, is_changed, is_affected, salt):
    """The sources of a short run: those that changed, and a share of the others."""
    # The same wherever the checkout lies.
    turns = shares.in_turn(sources, salt, lambda s: f"{s.path.parent.name}/{s.path.name}")
    changed = [source for source in turns if is_changed(source)][:MOST_CHANGED]
    rest = [source for source in turns if source not in changed]
    affected = [source for source in rest if is_affected(source)][:SHARE // 2]
    others = [source for source in rest if source not in affected][:SHARE - len(affected)]
    return changed + affected + others


def short_run(root, sources, reaches):
    """The sources that a short run compiles."""
    changed = shares.changed_files(root)
    headers = {name for name in changed if name.endswith(".h")}
    names = {header.split("/", depth)[-1] for header in headers for depth in (1, 2)}
    return choose(sources, lambda s: s.path.relative_to(root).as_posix() in changed,
                  lambda s: not names.isdisjoint(reaches[s.path]), shares.salt_of(root))


# ---- compiling ----------------------------------------------------------------------------------


def make_sets(pool, folder, sources, reaches):
    """{flags: {set of headers: what to give to the compiler to begin with it}}."""
    groups = {}
    for source in sources:
        groups.setdefault(source.flags, []).append(source)
    jobs = {}
    for number, (flags, members) in enumerate(groups.items()):
        chosen = check_headers.choose_sets({s.path: reaches[s.path] for s in members}) \
            if len(members) >= WORTH_SETS else []
        jobs[flags] = {names: pool.submit(check_headers.precompile, folder, f"{number}_{index}",
                                          names, flags) for index, names in enumerate(chosen)}
    return {flags: {names: job.result() for names, job in sets.items()}
            for flags, sets in jobs.items()}


def compile_alone(source, beginning):
    """The compiler's messages about a source on its own; empty if it has none."""
    command = ["clang++", *source.flags, *beginning, "-fsyntax-only", str(source.path)]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stderr or ("" if done.returncode == 0 else f"exit status {done.returncode}")


def check(sources, reaches):
    """[(source, messages)] of those that do not compile."""
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(cores) as pool:
        sets = make_sets(pool, folder, sources, reaches)

        def job(source):
            own = sets[source.flags]
            fitting = [names for names in own if reaches[source.path].issuperset(names)]
            return compile_alone(source, own[max(fitting, key=len)] if fitting else [])

        return [(s, text) for s, text in zip(sources, pool.map(job, sources)) if text]


def reaches_of(sources):
    known = {}  # By the folders that includes are looked for in: tests see others than the command.
    return {s.path: reached(s.path, s.folders, known.setdefault(s.folders, {})) for s in sources}


def run(root, words):
    folder = root / "build" / "sources"
    configure(root, folder)
    sources = all_sources(root, folder)
    lost = orphans(root, sources)
    files = {pathlib.Path(word).resolve() for word in words if not word.startswith("-")}
    reaches = reaches_of(sources)
    chosen = sources if "--all" in words else short_run(root, sources, reaches)
    if files:
        chosen = [source for source in sources if source.path in files]
    problems = check(chosen, reaches)
    for source, text in problems:
        print(f"{source.path.relative_to(root)}:1: does not compile alone")
        print("\n".join("    " + line for line in text.splitlines()[:check_headers.ERROR_LINES]))
    print("".join(f"{line}\n" for line in lost), end="")
    print(f"check_sources: {len(chosen)} of {len(sources)} sources, {len(problems)} failed")
    return 1 if problems or lost else 0


# ---- whether this finds anything ----------------------------------------------------------------


def self_test():
    files = {
        "src/ductile/core/sound.h": "#pragma once\n#include <vector>\nint sound();\n",
        "src/ductile/core/sound.cpp": "#include <ductile/core/sound.h>\n"
                                      "int sound() { return int(std::vector<int>(3).size()); }\n",
        "src/ductile/core/needy.cpp": "int needy() { return int(std::vector<int>(3).size()); }\n",
        "src/ductile/core/unused.cpp": "static int unused() { return 0; }\n",
        "tools/orphan.cpp": "int orphan();\n",
    }
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        entries = [{"file": str(root / path),
                    "command": f"clang++ -I{root}/src -fPIC -Wall -Werror -o x.o -c {root / path}"}
                   for path in files if path.startswith("src") and path.endswith(".cpp")]
        (root / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
        sources = all_sources(root, root)
        reaches = reaches_of(sources)
        assert reaches[root / "src/ductile/core/sound.cpp"] == {"ductile/core/sound.h", "vector"}
        failed = {source.path.name: text for source, text in check(sources, reaches)}
        assert set(failed) == {"needy.cpp", "unused.cpp"}, failed
        assert "vector" in failed["needy.cpp"] and "unused" in failed["unused.cpp"], failed
        assert orphans(root, sources) == ["tools/orphan.cpp:1: no target compiles it"]
    self_test_choice()
    print("check_sources: self-test passed")


def self_test_choice():
    sources = [Source(pathlib.Path(f"{number}.cpp"), (), ()) for number in range(200)]
    changed, affected = set(sources[:5]), set(sources[:40])

    def chosen(salt):
        return choose(sources, lambda s: s in changed, lambda s: s in affected, salt)

    first = chosen("a commit")
    assert len(first) == len(set(first)) == 5 + SHARE and changed < set(first)
    assert len(affected & set(first)) >= 5 + SHARE // 2
    assert first == chosen("a commit") != chosen("another commit")
    # Every source has its turn.
    assert set().union(*(chosen(str(salt)) for salt in range(500))) == set(sources)


def main():
    unknown = [w for w in sys.argv[1:] if w.startswith("-") and w not in ("--all", "--self-test")]
    if unknown:
        sys.exit(__doc__)
    if "--self-test" in sys.argv:
        self_test()
    return run(ROOT, sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
