#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the C++ of the pages as a reader would: with GCC and Clang, -Wall -Wextra -Werror.

Usage: check_snippets.py [--self-test]

Pages: README.md and docs/**/*.md. All blocks marked cpp become one source, each page a namespace in
it: its includes first, then blocks that define a class, then its other blocks, in their order, as
the body of one function. That gets what readers have of their own (GIVEN); what a page declares
and leaves to the reader to use is no mistake.
"""

import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ("README.md", "docs/**/*.md")
BLOCK = re.compile(r"^```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INCLUDE = re.compile(r"^#include .*$", re.MULTILINE)
DEFINITION = re.compile(r"^(?:class|struct) \w+[^;]*\{$", re.MULTILINE)
GIVEN = ("[[maybe_unused]] btDiscreteDynamicsWorld& world, [[maybe_unused]] double dt, "
         "[[maybe_unused]] const ductile::TriMesh& soft, "
         "[[maybe_unused]] const ductile::TriMesh& rigid")
OWN_INCLUDES = ["#include <btBulletDynamicsCommon.h>", "#include <ductile/geom/tri_mesh.h>"]
COMPILERS = ("g++", "clang++")
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-variable", "-Wno-unused-but-set-variable"]
PACKAGES = ("eigen3", "fmt", "nlohmann_json", "bullet-float64")


def blocks_of(text):
    """(line where it begins, text) of every block of C++."""
    return [(text[:match.start(1)].count("\n") + 1, match[1]) for match in BLOCK.finditer(text)]


def page_source(name, blocks):
    """The blocks of a page as a namespace, with its lines counted as in the page."""
    space = "page_" + re.sub(r"\W", "_", name)
    outside, inside = [], []
    for line, text in blocks:
        # An include stays a line, so that those after it keep their numbers.
        code = f'#line {line} "{name}"\n{INCLUDE.sub("", text)}'
        (outside if DEFINITION.search(text) else inside).append(code)
    return "\n".join([f"namespace {space} {{", *outside, f"void run({GIVEN}) {{", *inside, "}", "}"])


def whole_source(root):
    """(one source of all pages, how many blocks are in it)."""
    includes, pages, count = list(OWN_INCLUDES), [], 0
    for path in [path for pattern in PAGES for path in sorted(root.glob(pattern))]:
        blocks = blocks_of(path.read_text(encoding="utf-8"))
        if not blocks:
            continue
        count += len(blocks)
        includes += [found for _, text in blocks for found in INCLUDE.findall(text)]
        pages.append(page_source(path.relative_to(root).as_posix(), blocks))
    return "\n".join([*dict.fromkeys(includes), *pages]) + "\n", count


def reader_flags():
    answer = subprocess.run(["pkg-config", "--cflags", *PACKAGES], capture_output=True, text=True,
                            check=True)
    return ["-std=c++20", *answer.stdout.split(), f"-I{ROOT / 'src'}", "-DDUCTILE_ASSERTS=1"]


def compile_with(compiler, source):
    """The compiler's messages about a source; empty if it has none."""
    done = subprocess.run([compiler, *reader_flags(), *WARNINGS, "-fsyntax-only", source],
                          capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def self_test():
    page = "# A\n\n```cpp\n#include <map>\nint a = 1;\n```\n\n```sh\nls\n```\n\n```cpp\n" \
           "class B final : public C {\n};\n```\n"
    blocks = blocks_of(page)
    assert [line for line, _ in blocks] == [4, 13], blocks
    source = page_source("docs/a.md", blocks)
    assert source.index("class B") < source.index("void run") < source.index("int a"), source
    assert '#line 4 "docs/a.md"\n\nint a = 1;' in source and "#include" not in source, source
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        (root / "README.md").write_text(page, encoding="utf-8")
        text, count = whole_source(root)
        assert count == 2 and text.startswith("\n".join([*OWN_INCLUDES, "#include <map>"])), text
    print("check_snippets: self-test passed")


def main():
    if "--self-test" in sys.argv[1:]:
        self_test()
    text, count = whole_source(ROOT)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor() as pool:
        source = pathlib.Path(folder) / "snippets.cpp"
        source.write_text(text, encoding="utf-8")
        answers = dict(zip(COMPILERS, pool.map(lambda c: compile_with(c, source), COMPILERS)))
    for compiler, messages in answers.items():
        if messages:
            print(f"{compiler}:\n{messages}")
    if not any(answers.values()):
        print(f"check_snippets: {count} blocks of C++ compile with {' and '.join(COMPILERS)}")
    return 1 if any(answers.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
