#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that src/ductile keeps to its layers. Usage: check_layers.py [--self-test] [ROOT]

Holds the table of ARCHITECTURE.md: which folder may include which, and which library may be seen
where. Prints "file:line: what is wrong (what is allowed)" and exits with 1 if anything is.
"""

import pathlib
import re
import sys
import tempfile

MAY_INCLUDE = {
    "core": [],
    "image": ["core"],
    "geom": ["core"],
    "solids": ["core", "geom"],
    "asset": ["core", "geom"],
    "skin": ["core", "geom"],
    "impact": ["core", "geom"],
    "material": ["core"],
    "deform": ["core", "geom", "skin", "impact", "material"],
    "engine": ["core", "geom", "impact"],
    "record": ["core", "geom"],
    "sim": ["core", "geom", "solids", "skin", "impact", "material", "deform", "engine", "record"],
    "io": ["core", "image", "geom", "asset"],
    "export": ["core", "geom", "skin", "record", "io"],
    "render": ["core", "image", "geom", "skin", "record"],
    "scene": ["core", "geom", "solids", "asset", "skin", "impact", "material", "deform", "engine",
              "record", "sim", "io"],
}

# Library: the pattern of its headers, and the folders that may see it (None: all).
LIBRARIES = {
    "Eigen": (r"(unsupported/)?Eigen/", None),
    "fmt": (r"fmt/", None),
    "TBB": (r"(tbb|oneapi)/", ["core", "render"]),
    "nlohmann-json": (r"nlohmann/", ["core", "deform", "io", "export", "scene"]),
    "Bullet": (r"(bullet/)?(bt\w*\.h|Bullet\w*/|BulletCollision|BulletDynamics|LinearMath/)",
               ["engine/bullet"]),
    "Embree": (r"embree\d?/", ["render"]),
    "assimp": (r"assimp/", ["io"]),
    "meshoptimizer": (r"meshoptimizer\.h", ["geom"]),
    "zlib": (r"zlib\.h", ["image", "export"]),
    "libpng": (r"png\.h", ["image"]),
    "TurboJPEG": (r"turbojpeg\.h", ["image"]),
    "FreeType": (r"ft2build\.h", ["render"]),
    "POSIX": (r"(dlfcn|fcntl|unistd|spawn|poll|signal|pthread)\.h|sys/",
              ["core", "io", "export", "render"]),
}
# What is named so that a compiler stops: there is no such file.
NOWHERE = {"core/language.h": "C++20"}
# Libraries that a user of ductile's headers never sees; json shows in core's field lists.
HIDDEN = {"TBB", "Bullet", "Embree", "assimp", "zlib", "meshoptimizer",
          "libpng", "TurboJPEG", "FreeType"}

STANDARD = set("""
algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono
cinttypes climits clocale cmath codecvt compare complex concepts condition_variable coroutine
csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype deque
exception execution filesystem forward_list fstream functional future initializer_list iomanip ios
iosfwd iostream istream iterator latch limits list locale map memory memory_resource mutex new
numbers numeric optional ostream queue random ranges ratio regex scoped_allocator semaphore set
shared_mutex source_location span sstream stack stdexcept stop_token streambuf string string_view
syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set
utility valarray variant vector version
""".split())

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")')
MODULE = re.compile(r"ductile_module\(\s*(\w+)([^)]*)\)")
UMBRELLA = pathlib.PurePosixPath("ductile.h")
SHUNNED_FOLDERS = {"util", "utils", "common", "misc", "helpers"}


def layer_name(relative):
    """The folder whose row counts for a path below src/ductile."""
    return relative.parts[0]


class Checker:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.source = self.root / "src" / "ductile"
        self.problems = []
        # By path below src/ductile: what it includes of ours, as (line, path), and whose libraries.
        self.includes = {}
        self.libraries = {}

    def report(self, path, line, text):
        self.problems.append(f"{path.relative_to(self.root)}:{line}: {text}")

    def run(self):
        files = sorted(p for p in self.source.rglob("*") if p.suffix in (".h", ".cpp", ".cu"))
        for path in files:
            self.check_file(path)
        for path in sorted(self.source.rglob("*")):
            if path.is_dir():
                self.check_folder(path)
        for path in sorted(self.source.rglob("CMakeLists.txt")):
            self.check_links(path)
        self.check_hidden_libraries()
        self.check_cycles()
        return sorted(self.problems)

    def check_folder(self, path):
        if path.name in SHUNNED_FOLDERS:
            self.report(path, 1, f"a folder called {path.name} (name it after what it holds)")
        if path.parent == self.source and path.name not in MAY_INCLUDE:
            self.report(path, 1, f"folder {path.name} has no row in the table "
                                 f"(rows: {', '.join(MAY_INCLUDE)})")

    def check_file(self, path):
        relative = path.relative_to(self.source)
        lines = path.read_text(encoding="utf-8").splitlines()
        if not lines or "SPDX-License-Identifier: MIT" not in lines[0]:
            self.report(path, 1, "the first line is not the SPDX line "
                                 "(// SPDX-License-Identifier: MIT)")
        if path.suffix == ".h" and not any(re.match(r"#pragma once\b", l) for l in lines):
            self.report(path, 1, "a header without #pragma once")
        if relative == UMBRELLA:
            return  # Includes every public header (check_headers.py), and nobody includes it.
        if len(relative.parts) < 2:
            self.report(path, 1, "a source outside of every folder (move it into one)")
            return
        self.includes[relative] = []
        self.libraries[relative] = set()
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line)
            if match and match[1] and match[1].startswith("ductile/"):
                self.check_own(path, number, pathlib.PurePosixPath(match[1][len("ductile/"):]))
            elif match and match[1]:
                self.check_library(path, number, match[1])
            elif match:
                self.check_quoted(path, number, match[2])

    def check_own(self, path, number, target):
        relative = path.relative_to(self.source)
        if not (self.source / target).is_file():
            self.report(path, number, f"<ductile/{target}> does not exist")
            return
        self.includes[relative].append((number, target))
        mine, theirs = layer_name(relative), target.parts[0]
        allowed = MAY_INCLUDE.get(mine, [])
        if theirs != mine and theirs not in allowed:
            self.report(path, number, f"{mine} includes <ductile/{target}> "
                                      f"({mine} may include: {', '.join(allowed) or 'nothing'})")

    def check_quoted(self, path, number, target):
        full = (path.parent / target).resolve()
        home = (self.source / layer_name(path.relative_to(self.source))).resolve()
        if not full.is_file() or home not in full.parents:
            self.report(path, number, f'"{target}" is no private header of this folder '
                                      "(write <ductile/folder/name.h>)")
            return
        self.includes[path.relative_to(self.source)].append(
            (number, full.relative_to(self.source.resolve())))

    def check_library(self, path, number, target):
        relative = path.relative_to(self.source)
        if target in STANDARD or NOWHERE.get(relative.as_posix()) == target:
            return
        for library, (pattern, folders) in LIBRARIES.items():
            if not re.match(pattern, target):
                continue
            self.libraries[relative].add(library)
            if folders is not None and not any(is_inside(relative, f) for f in folders):
                self.report(path, number, f"<{target}> of {library} in {relative.parent} "
                                          f"({library} may be seen in: {', '.join(folders)})")
            return
        self.report(path, number, f"<{target}> is of no known library "
                                  f"(known: std, {', '.join(LIBRARIES)})")

    def check_hidden_libraries(self):
        """A header that shows Bullet stays in Bullet's folder: nobody else may include it."""
        for relative, includes in sorted(self.includes.items()):
            for number, target in includes:
                for library, shown_in in sorted(self.shown(pathlib.Path(target), set()).items()):
                    folders = LIBRARIES[library][1]
                    if library in HIDDEN and not any(is_inside(relative, f) for f in folders):
                        self.report(self.source / relative, number,
                                    f"<ductile/{target}> brings in {library} through "
                                    f"{shown_in} ({library} may be seen in: {', '.join(folders)})")

    def shown(self, header, visited):
        """Library -> the header that includes it, for all that `header` brings in."""
        if header in visited:
            return {}
        visited.add(header)
        found = {library: header for library in self.libraries.get(header, set())}
        for _, target in self.includes.get(header, []):
            for library, where in self.shown(pathlib.Path(target), visited).items():
                found.setdefault(library, where)
        return found

    def check_cycles(self):
        done = set()
        for start in sorted(self.includes):
            self.follow(start, [], done)

    def follow(self, header, trail, done):
        if header in trail:
            ring = trail[trail.index(header):] + [header]
            self.report(self.source / header, 1, "includes itself: " + " -> ".join(map(str, ring)))
            return
        if header in done:
            return
        for _, target in self.includes.get(header, []):
            self.follow(pathlib.Path(target), trail + [header], done)
        done.add(header)

    def check_links(self, path):
        """A target links only to what its folder's row allows."""
        if path.parent == self.source:
            return
        mine = layer_name(path.relative_to(self.source))
        text = path.read_text(encoding="utf-8")
        for match in MODULE.finditer(text):
            items = match[2].split()
            number = text.count("\n", 0, match.start()) + 1
            begin = items.index("DEPENDS") + 1 if "DEPENDS" in items else len(items)
            for word in items[begin:]:
                if word.isupper():
                    break
                folder = word.split("_")[0]
                allowed = MAY_INCLUDE.get(mine, [])
                if folder != mine and folder not in allowed:
                    self.report(path, number, f"{match[1]} links to {word} "
                                              f"({mine} may link to: {', '.join(allowed) or '-'})")


def is_inside(relative, folder):
    return relative.as_posix().startswith(folder + "/")


def check_table():
    """The table has no cycle: a row names only rows above it."""
    above = set()
    for folder, allowed in MAY_INCLUDE.items():
        assert set(allowed) <= above, f"row {folder} names a row below itself"
        above.add(folder)


HEADER = "// SPDX-License-Identifier: MIT\n#pragma once\n"
SOURCE = "// SPDX-License-Identifier: MIT\n"
SOUND = {
    "core/math.h": HEADER + "#include <Eigen/Core>\n#include <vector>\n",
    "core/run.cpp": SOURCE + "#include <tbb/parallel_for.h>\n#include <unistd.h>\n",
    "core/CMakeLists.txt": "ductile_module(core SOURCES run.cpp PUBLIC Eigen3::Eigen)\n",
    "engine/engine.h": HEADER + "#include <ductile/core/math.h>\n",
    "engine/CMakeLists.txt": "ductile_module(engine DEPENDS core)\n"
                             "ductile_module(engine_bullet DEPENDS engine PRIVATE Bullet)\n",
    "engine/bullet/bullet_engine.h": HEADER + "#include <ductile/engine/engine.h>\n",
    "engine/bullet/shapes.h": HEADER + "#include <btBulletDynamicsCommon.h>\n",
    "engine/bullet/shapes.cpp": SOURCE + '#include "shapes.h"\n#include <LinearMath/btVector3.h>\n',
    "sim/sim.h": HEADER + "#include <ductile/engine/bullet/bullet_engine.h>\n",
    "geom/mesh.h": HEADER + "#include <ductile/core/math.h>\n",
    "deform/dent/dent.h": HEADER + "#include <ductile/geom/mesh.h>\n",
    "render/ray.cpp": SOURCE + "#include <embree3/rtcore.h>\n",
    "ductile.h": HEADER + "#include <ductile/core/math.h>\n#include <ductile/sim/sim.h>\n",
}
# What is wrong: (file, its text, the place and the text of the answer).
UNSOUND = [
    ("geom/a.h", HEADER + "#include <ductile/engine/engine.h>\n", "geom/a.h:3: geom includes"),
    ("deform/a.h", HEADER + "#include <ductile/engine/engine.h>\n", "deform/a.h:3: deform inc"),
    ("engine/a.h", HEADER + "#include <ductile/deform/dent/dent.h>\n", "engine/a.h:3: engine inc"),
    ("export/a.cpp", SOURCE + "  #  include <ductile/sim/sim.h>\n", "export/a.cpp:2: export inc"),
    ("core/a.h", HEADER + "#include <ductile/geom/mesh.h>\n", "core/a.h:3: core includes"),
    ("sim/a.cpp", SOURCE + "#include <btBulletDynamicsCommon.h>\n", "sim/a.cpp:2: <btBullet"),
    ("engine/a.cpp", SOURCE + "#include <LinearMath/btVector3.h>\n", "engine/a.cpp:2: <LinearMath"),
    ("sim/b.cpp", SOURCE + "#include <ductile/engine/bullet/shapes.h>\n", "sim/b.cpp:2: <duct"),
    ("geom/b.h", HEADER + "#include <embree3/rtcore.h>\n", "geom/b.h:3: <embree3/rtcore.h> of Emb"),
    ("scene/b.h", HEADER + "#include <assimp/scene.h>\n", "scene/b.h:3: <assimp/scene.h> of"),
    ("geom/c.h", HEADER + "#include <boost/any.hpp>\n", "geom/c.h:3: <boost/any.hpp> is of no"),
    ("geom/d.h", HEADER + '#include "../core/math.h"\n', 'geom/d.h:3: "../core/math.h" is no'),
    ("geom/e.h", HEADER + "#include <ductile/geom/gone.h>\n", "geom/e.h:3: <ductile/geom/gon"),
    ("geom/f.h", "#pragma once\n", "geom/f.h:1: the first line is not the SPDX line"),
    ("geom/g.h", SOURCE, "geom/g.h:1: a header without #pragma once"),
    ("geom/h.h", HEADER + "#include <ductile/geom/h.h>\n", "geom/h.h:1: includes itself"),
    ("record/i.h", HEADER + "#include <ductile/record/j.h>\n", "record/i.h:1: includes itself"),
    ("record/j.h", HEADER + "#include <ductile/record/i.h>\n", None),
    ("geom/utils/k.h", HEADER, "geom/utils:1: a folder called utils"),
    ("extras/l.h", HEADER, "extras:1: folder extras has no row"),
    ("m.h", HEADER, "m.h:1: a source outside of every folder"),
    ("geom/n.h", HEADER + "#include <ductile/ductile.h>\n", "geom/n.h:3: geom includes"),
    ("geom/CMakeLists.txt", "# one\nductile_module(geom\n SOURCES a.cpp\n DEPENDS core engine\n)",
     "geom/CMakeLists.txt:2: geom links to engine"),
]


def write_tree(root, files):
    for name, text in files.items():
        path = pathlib.Path(root) / "src" / "ductile" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def self_test():
    check_table()
    with tempfile.TemporaryDirectory() as root:
        write_tree(root, SOUND)
        problems = Checker(root).run()
        assert problems == [], problems
        write_tree(root, {name: text for name, text, _ in UNSOUND})
        problems = Checker(root).run()
        wanted = ["src/ductile/" + answer for _, _, answer in UNSOUND if answer]
        for answer in wanted:
            assert any(p.startswith(answer) for p in problems), f"not found: {answer}"
        extra = [p for p in problems if not any(p.startswith(answer) for answer in wanted)]
        assert extra == [], extra
    print(f"check_layers: self-test passed, {len(wanted)} violations of {len(UNSOUND)} files found")


def main():
    arguments = sys.argv[1:]
    if "--self-test" in arguments:
        self_test()
        arguments.remove("--self-test")
    root = arguments[0] if arguments else pathlib.Path(__file__).resolve().parent.parent
    checker = Checker(root)
    problems = checker.run()
    print("\n".join(problems) or f"check_layers: {len(checker.includes)} files keep to the table")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
