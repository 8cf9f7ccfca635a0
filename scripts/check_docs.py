#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that what the pages name exists.

Usage: check_docs.py [--self-test] [--command PATH] [ROOT]

Pages: *.md at the root except CHANGELOG.md, and docs/**/*.md. Looked at are
  links and images            the file, and the heading behind a #
  `paths/in/backticks`        below the root, the page's folder, src or src/ductile
  ./ductile WORD --option     against the launcher's usage and the built command's help
  cmake and ctest --preset    against CMakePresets.json; --target against the CMake lists
  #include <ductile/...>      below src
  `DUCTILE_SETTING`           must stand somewhere in the sources
Every picture in docs/images is made by `./ductile gallery`, of a scene that exists, and shown; none
is blank, nearly uniform, or for the most part a page that failed (picture_faults.py).
Inside fenced blocks only commands (sh, bash, console, unmarked) and includes (cpp) are looked at.
Without --command the arguments of the built command are not known and pass.
"""

import argparse
import functools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import make_gallery  # noqa: E402
import picture_faults  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
REQUIRED_PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
MADE_BY_RUNNING = ("build/", "out/")
SHELL_FENCES = {"", "sh", "bash", "shell", "console", "text"}
SOURCE_SUFFIXES = {".h", ".cpp", ".md", ".py", ".sh", ".cmake", ".txt", ".supp"}
PATH = re.compile(r"^[\w.*<>-][\w./*<>-]*$")
LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)")
IMAGE_TAG = re.compile(r"<(?:img|source|video|a)\b[^>]*?\b(?:src|href)=[\"']([^\"']+)")
INLINE_CODE = re.compile(r"(`+)(.+?)\1")
FENCE = re.compile(r"^\s*(```+|~~~+)\s*(\w*)")
HEADING = re.compile(r"^#+\s+(.*?)\s*#*$")
CALL = re.compile(r"^(?:\$ )?(?:\w+=\S* )*(?:\./)?ductile(?: (.*))?$")


class Tree:
    """What there is to be named."""

    def __init__(self, root, command=None, pictures=None):
        self.root = pathlib.Path(root)
        self.command = command
        self.pictures = pictures or {}  # By name: what makes it (make_gallery.py).

    @functools.cached_property
    def top_names(self):
        places = [self.root, self.root / "src" / "ductile"]
        return {p.name for place in places if place.is_dir() for p in place.iterdir()}

    @functools.cached_property
    def file_names(self):
        skip = {".git", "build", "out"}
        tops = [p for p in self.root.iterdir() if p.name not in skip]
        files = [f for top in tops for f in ([top] if top.is_file() else top.rglob("*"))]
        return {f.name for f in files}

    @functools.cached_property
    def presets(self):
        path = self.root / "CMakePresets.json"
        presets = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        return {kind: {p["name"] for p in presets.get(kind, []) if not p.get("hidden")}
                for kind in ("configurePresets", "buildPresets", "testPresets")}

    @functools.cached_property
    def targets(self):
        """Names of targets in the CMake lists; ductile_module and ductile_test add a prefix."""
        found = {"all", "clean", "test"}
        makers = re.compile(r"(add_executable|add_library|add_custom_target|ductile_module|"
                            r"ductile_test|ductile_\w+)\(\s*([\w]+)")
        for path in [self.root / "CMakeLists.txt", *self.root.glob("*/**/CMakeLists.txt")]:
            if not path.is_file() or "build" in path.relative_to(self.root).parts:
                continue
            for maker, name in makers.findall(path.read_text(encoding="utf-8")):
                found |= {name, f"ductile_{name}", f"test_{name}"}
        return found

    @functools.cached_property
    def settings(self):
        """Every DUCTILE_NAME in the sources, the build and the scripts."""
        found = set()
        for path in self.root.rglob("*"):
            parts = path.relative_to(self.root).parts
            is_text = path.suffix in {".h", ".cpp", ".cmake", ".txt", ".py", ".sh", ".json", ""}
            if path.is_file() and is_text and parts[0] not in {".git", "build", "out"}:
                found |= set(re.findall(r"\bDUCTILE_\w+", path.read_text(errors="replace")))
        return found

    @functools.cached_property
    def launcher_commands(self):
        path = self.root / "ductile"
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        usage = text.partition("usage() {")[2].partition("\nEND")[0]
        return set(re.findall(r"^  ([a-z]\w*)", usage, flags=re.MULTILINE))

    @functools.lru_cache(maxsize=None)
    def help_text(self, *arguments):
        """What the built command says to `ARGUMENTS --help`; None if it does not know them."""
        done = subprocess.run([str(self.command), *arguments, "--help"], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=60)
        return done.stdout if done.returncode == 0 else None

    def is_word(self, word):
        if word in self.launcher_commands or not self.command:
            return True
        return re.search(rf"^\s+{re.escape(word)}\b", self.help_text(), re.MULTILINE) is not None

    def is_option(self, word, option):
        if word in self.launcher_commands:
            return option in (self.root / "ductile").read_text(encoding="utf-8")
        if not self.command:
            return True
        text = self.help_text(word) if word else self.help_text()
        exactly = rf"(?<![\w-]){re.escape(option)}(?![\w-])"
        return text is None or re.search(exactly, text) is not None


class Checker:
    def __init__(self, tree):
        self.tree = tree
        self.problems = []
        self.looked_at = 0

    def run(self):
        root = self.tree.root
        for name in REQUIRED_PAGES:
            self.expect((root / name).is_file(), root / name, 1, "this page is missing")
        pages = [p for p in root.glob("*.md") if p.name != "CHANGELOG.md"]
        for page in sorted(pages) + sorted((root / "docs").rglob("*.md")):
            self.check_page(page)
        self.check_pictures()
        return self.problems

    def check_pictures(self):
        root = self.tree.root
        pages = "".join(page.read_text(encoding="utf-8")
                        for page in (*root.glob("*.md"), *(root / "docs").rglob("*.md")))
        shown = {path.name for path in (root / "docs" / "images").glob("*")}
        for name in sorted(shown | set(self.tree.pictures)):
            path = root / "docs" / "images" / name
            self.expect(name in self.tree.pictures, path, 1, "./ductile gallery does not make it")
            self.expect(path.is_file(), path, 1, "./ductile gallery makes it, but it is not there")
            self.expect(f"images/{name}" in pages, path, 1, "no page shows this picture")
            fault = picture_faults.fault(path) if path.is_file() else ""
            self.expect(not fault, path, 1, fault)
            scene = getattr(self.tree.pictures.get(name), "scene", None)
            self.expect(scene is None or (root / "scenes" / f"{scene}.json").is_file(), path, 1,
                        f"its scene {scene} does not exist")

    def expect(self, ok, page, line, text):
        self.looked_at += 1
        if not ok:
            self.problems.append(f"{page.relative_to(self.tree.root)}:{line}: {text}")

    def check_page(self, page):
        fence, language = None, ""
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            mark = FENCE.match(line)
            if mark and fence is None:
                fence, language = mark[1], mark[2]
            elif fence is not None and line.strip().startswith(fence):
                fence = None
            elif fence is not None:
                self.check_fenced(page, number, line, language)
            elif line.startswith("    ") and CALL.match(line.strip()):
                self.check_shell(page, number, line)
            else:
                self.check_prose(page, number, line)

    def check_fenced(self, page, number, line, language):
        if language in SHELL_FENCES:
            self.check_shell(page, number, line)
        if language != "cpp":
            return
        for header in re.findall(r"#include <(ductile/[^>]+)>", line):
            self.expect((self.tree.root / "src" / header).is_file(), page, number,
                        f"<{header}> does not exist below src")

    def check_prose(self, page, number, line):
        for _, code in INLINE_CODE.findall(line):
            self.check_code(page, number, code.strip())
        for target in LINK.findall(line) + IMAGE_TAG.findall(line):
            self.check_link(page, number, target)

    # ---- links

    def check_link(self, page, number, target):
        if re.match(r"[a-z]+:", target):
            return
        name, _, anchor = target.partition("#")
        path = page.parent / name if name else page
        self.expect(path.exists(), page, number, f"link to {target}: no such file")
        if anchor and path.suffix == ".md" and path.is_file():
            self.expect(anchor in anchors(path), page, number, f"link to {target}: no such heading")

    # ---- code between backticks

    def check_code(self, page, number, code):
        if CALL.match(code) and code not in ("ductile", "./ductile"):
            self.check_shell(page, number, code)
        elif re.match(r"^(cmake|ctest|ninja)\b", code):
            self.check_shell(page, number, code)
        elif re.fullmatch(r"DUCTILE_[A-Z_]+(=\S*)?", code):
            setting = code.partition("=")[0]
            self.expect(setting in self.tree.settings, page, number,
                        f"`{setting}` stands nowhere in the sources")
        elif re.fullmatch(r"<ductile/[\w/.]+>", code):
            self.expect((self.tree.root / "src" / code[1:-1]).is_file(), page, number,
                        f"{code} does not exist below src")
        elif PATH.match(code) and self.looks_like_path(code):
            self.expect(self.exists(page, code), page, number, f"`{code}` does not exist")

    def looks_like_path(self, code):
        code = code.removeprefix("./")
        if code.startswith(MADE_BY_RUNNING):
            return False
        if "/" in code:
            known_top = code.split("/")[0] in self.tree.top_names
            return known_top or pathlib.PurePosixPath(code).suffix in SOURCE_SUFFIXES
        return pathlib.PurePosixPath(code).suffix in SOURCE_SUFFIXES and code[0] not in ".*<"

    def exists(self, page, code):
        root = self.tree.root
        name = re.sub(r"<[^>]*>", "*", code.removeprefix("./")).rstrip("/")
        if "/" not in name and "*" not in name and name in self.tree.file_names:
            return True
        places = [root, page.parent, root / "src", root / "src" / "ductile"]
        if "*" in name:
            return any(True for place in places if place.is_dir() for _ in place.glob(name))
        return any((place / name).exists() for place in places)

    # ---- commands

    def check_shell(self, page, number, line):
        line = re.split(r"\s#\s", line.strip())[0].strip()
        for command in re.split(r"\s*(?:&&|\|\||;|\|)\s*", line):
            call = CALL.match(command)
            if call:
                self.check_call(page, number, (call[1] or "").split())
            self.check_presets(page, number, command)
            if call or re.match(r"(\$ )?(cmake|ctest|ninja|python3|\./|scripts/|cd )", command):
                self.check_arguments(page, number, command)

    def check_call(self, page, number, arguments):
        word = arguments[0] if arguments and re.fullmatch(r"[a-z]\w*", arguments[0]) else None
        if word:
            self.expect(self.tree.is_word(word), page, number,
                        f"`ductile {word}`: neither launcher nor command know this word")
        for option in arguments:
            if option.startswith("--"):
                name = option.partition("=")[0]
                self.expect(self.tree.is_option(word, name), page, number,
                            f"`ductile {word or ''}`: no option {name}")

    def check_presets(self, page, number, command):
        kind = None
        if re.match(r"(\$ )?ctest\b", command):
            kind = "testPresets"
        elif re.match(r"(\$ )?cmake --build\b", command):
            kind = "buildPresets"
        elif re.match(r"(\$ )?cmake\b", command):
            kind = "configurePresets"
        for preset in re.findall(r"--preset[ =]([\w-]+)", command) if kind else []:
            self.expect(preset in self.tree.presets[kind], page, number,
                        f"no preset {preset} among {kind}")
        target = re.search(r"--target[ =]([\w-]+)", command)
        if kind and target:
            self.expect(target[1] in self.tree.targets, page, number, f"no target {target[1]}")

    def check_arguments(self, page, number, command):
        for word in command.split()[1:]:
            is_plain = re.fullmatch(r"[\w./-]+", word) and not word.startswith(("-", "/"))
            name = word.removeprefix("./")
            if is_plain and "/" in name and name.split("/")[0] in self.tree.top_names \
                    and not name.startswith(MADE_BY_RUNNING):
                self.expect((self.tree.root / name).exists(), page, number,
                            f"{word} does not exist")


def anchors(path):
    """The anchors that a forge makes of a page's headings."""
    found = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        heading = HEADING.match(line)
        if heading:
            plain = re.sub(r"[^\w\- ]", "", heading[1].lower())
            found.add(plain.strip().replace(" ", "-"))
    return found


# ---- self-test --------------------------------------------------------------------------------

SELF_TEST_TREE = {
    "ductile": "usage() {\n  cat <<END\n  test [--fast]   tests\nEND\n}\n",
    "fake": "#!/bin/sh\nif [ $# = 1 ]; then printf 'Subcommands:\\n  run   runs\\n  demo  x\\n'\n"
            "else printf 'Options:\\n  -o,--out TEXT\\n  --draft\\n'; fi\n",
    "CMakePresets.json": '{"configurePresets": [{"name": "release"}, '
                         '{"name": "b", "hidden": true}], "buildPresets": [{"name": "release"}]}',
    "CMakeLists.txt": "option(DUCTILE_ASSERTS)\nadd_executable(ductile_cli main.cpp)\n",
    "src/ductile/geom/bvh.h": "",
    "scenes/drop.json": "",
    "docs/page.md": "# One: two\n",
    "ARCHITECTURE.md": "",
    "CHANGELOG.md": "`gone/old.h`",
}
SOUND_LINES = """
See [it](docs/page.md), [there](docs/page.md#one-two), ![all](scenes/drop.json), [web](https://x.y).
`geom/bvh.h`, `src/ductile/geom/`, `<ductile/geom/bvh.h>`, `bvh.h`, `geom/<name>.h`, `m/s`, `b/a`.
`./ductile test --fast`, `ductile run scenes/drop.json --draft`, `out/demo/demo.mp4`, `report.json`,
`DUCTILE_ASSERTS`, `cmake --preset release`, `--set a.b=1`, `std::vector<int>`.

    ./ductile demo     # whatever/this/says.md

```sh
cmake --preset release && cmake --build --preset release --target ductile_cli
A=1 ./ductile run scenes/drop.json --out=out/here
```
```cpp
#include <ductile/geom/bvh.h>
auto x = y / z.h;
```
"""
UNSOUND_LINES = """
[it](docs/gone.md)
[there](docs/page.md#three)
![all](docs/gone.png)
<img src="docs/gone.png" width="640">
`geom/gone.h`
`gone.md`
`scenes/gone/`
`geom/*.cpp`
`<ductile/geom/gone.h>`
`./ductile dance`
`ductile run --loud`
`./ductile test --loud`
`DUCTILE_GONE=1`
`cmake --preset b`
`cmake --build --preset release --target gone`
`ctest --preset release`
    ./ductile dance
    ./ductile run scenes/gone.json
"""


def self_test():
    with tempfile.TemporaryDirectory() as root:
        root = pathlib.Path(root)
        for name, text in SELF_TEST_TREE.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        (root / "fake").chmod(0o755)
        (root / "README.md").write_text(SOUND_LINES, encoding="utf-8")
        problems = Checker(Tree(root, root / "fake")).run()
        assert problems == ["CONTRIBUTING.md:1: this page is missing"], problems
        (root / "CONTRIBUTING.md").touch()
        lines = UNSOUND_LINES.strip("\n").splitlines()
        text = "\n".join(lines) + "\n```cpp\n#include <ductile/gone.h>\n```\n"
        (root / "README.md").write_text(text, encoding="utf-8")
        problems = Checker(Tree(root, root / "fake")).run()
        found = {int(problem.split(":")[1]) for problem in problems}
        wanted = set(range(1, len(lines) + 1)) | {len(lines) + 2}
        assert found == wanted, (sorted(wanted - found), problems)
        self_test_pictures(root)
    make_gallery.self_test()
    print(f"check_docs: self-test passed, {len(wanted)} false lines found")


def self_test_pictures(root):
    """Pictures that nothing makes, that are gone, that nobody shows, of scenes that are gone."""
    images = root / "docs" / "images"
    images.mkdir()
    for name in ("good.png", "stray.png"):
        plant_picture(images / name, lambda x, y: (4 * x, 7 * y, 128))
    (root / "README.md").write_text("![x](docs/images/good.png) ![y](docs/images/stray.png)")
    recipe = argparse.Namespace
    pictures = {"good.png": recipe(scene="drop"), "gone.png": recipe(scene="lost")}
    problems = Checker(Tree(root, root / "fake", pictures)).run()
    assert problems == [
        "docs/images/gone.png:1: ./ductile gallery makes it, but it is not there",
        "docs/images/gone.png:1: no page shows this picture",
        "docs/images/gone.png:1: its scene lost does not exist",
        "docs/images/stray.png:1: ./ductile gallery does not make it"], problems
    self_test_faults(root, images)


def plant_picture(path, colour_at):
    picture_faults.write_png(path, 64, [colour_at(x, y) for y in range(36) for x in range(64)])


def self_test_faults(root, images):
    """Pictures that are there and show nothing; plots without curves, or with curves of no number."""
    (images / "stray.png").unlink()
    plant_picture(images / "blank.png", lambda x, y: (255, 255, 255))
    plant_picture(images / "failed.png", lambda x, y: (255,) * 3 if y < 24 else (4 * x, 7 * y, 0))
    plant_picture(images / "uniform.png", lambda x, y: (120 + (7 * x + 5 * y) % 6, 120, 120))
    plant_picture(images / "speck.png", lambda x, y: (90 + (x + y) % 3, 90, 60 * (x + y < 10)))
    (images / "torn.png").write_bytes((images / "good.png").read_bytes()[:-60])
    curve = " ".join(f"{x} {x * x}" for x in range(12))
    plots = {"plot": curve, "empty": "0 0 1 1", "endless": curve.replace("121", "nan")}
    for name, points in plots.items():
        (images / f"{name}.svg").write_text(f"<svg><rect/><polyline points='{points}'/></svg>")
    names = sorted(path.name for path in images.iterdir())
    (root / "README.md").write_text("".join(f"![x](docs/images/{name})" for name in names))
    problems = Checker(Tree(root, root / "fake", dict.fromkeys(names))).run()
    wanted = {"blank.png": "blank", "failed.png": "a page that failed", "uniform.png": "nearly uniform",
              "speck.png": "nearly uniform", "torn.png": "cannot be read", "empty.svg": "2 points",
              "endless.svg": "no finite place"}
    found = {problem.partition(":")[0].rpartition("/")[2]: problem for problem in problems}
    assert set(found) == set(wanted), (problems, wanted)
    assert all(text in found[name] for name, text in wanted.items()), problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--command")
    parser.add_argument("root", nargs="?", default=ROOT)
    options = parser.parse_args()
    if options.self_test:
        self_test()
    checker = Checker(Tree(options.root, options.command, make_gallery.PICTURES))
    problems = checker.run()
    print("\n".join(problems) or f"check_docs: {checker.looked_at} things named, all there")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
