#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the pictures of the pages, or tells which no longer show what their scenes do.

    ./ductile gallery                     all pictures, into docs/images
    ./ductile gallery dent-can demo       these only
    ./ductile gallery --check             makes drafts and compares: which pictures are out of date?
    ./ductile gallery --list              what there is, and what makes each

A picture that needs what is not there (../shared/meshes, Chromium, the Python module) is skipped,
counted. One that comes out blank or nearly uniform is not put into docs/images. Exit status: 0 fine,
1 out of date (--check) or wrong use, 2 a picture could not be made, 130 Ctrl-C.

What --check allows: pictures are compared as 48 by 27 cells, by their mean colours. Drafts made on
the machine that made the pictures are at most 18 of 255 apart in any cell (rays are few), so 28 is
allowed. Beyond that it asks how much chance is in the scene: two more drafts, with a pull sideways of
1e-12 m/s^2, as little as another processor's rounding. Summed up over all cells, what is beyond 18
may be three times what the pull makes. Measured on another kind of machine: 0.5 to 1.6 times for the
twelve pictures that chance made otherwise, 60 times and more for the eight that were out of date.
Points of plots may be off by 2 % of the plot's size.
"""

import argparse
import dataclasses
import functools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import picture_faults

ROOT = pathlib.Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
PROGRAM = ROOT / "build" / "release" / "bin" / "ductile"
MESHES = ROOT.parent / "shared" / "meshes"
ONLY_POSTER = ["--set", "outputs.film=false", "--set", "outputs.glb=false",
               "--set", "outputs.player=false"]
# Pictures are compared as so many cells, whose colours are means: noise goes, dents stay.
CELLS = (48, 27)
DRAFT_WIDTH = 320
DRAFT = ["--draft"]
NOISE = 18  # Of 255: how far few rays take a draft's cell off.
MOST_APART = 28  # In the worst cell.
PULLS = (["--set", "gravity.x=1e-12"], ["--set", "gravity.z=1e-12"])
TIMES_CHANCE = 3.0
MOST_APART_IN_PLOTS = 0.02  # Of a plot's size.
TARGETS = ["ductile_cli", "ductile_python", "example_break_wall"]  # What the pictures are made with.


class Missing(Exception):
    """Something that this picture needs is not there."""


class Failed(Exception):
    """A command that makes this picture ended with an error."""


def call(arguments, folder):
    done = subprocess.run([str(word) for word in arguments], cwd=folder, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:] or ["no message"]
        raise Failed(f"{pathlib.Path(arguments[0]).name} {arguments[1]}: {last[0]}")


@dataclasses.dataclass(frozen=True)
class Poster:
    """What `run` leaves as the poster of a scene."""

    scene: str
    width: int
    height: int

    def arguments(self):
        return ["run", self.scene, *ONLY_POSTER]

    def make(self, folder, draft):
        width = DRAFT_WIDTH if draft else self.width  # A draft of another form would show more.
        size = ["--set", f"picture.width={width}",
                "--set", f"picture.height={round(width * self.height / self.width)}"]
        call([PROGRAM, *self.arguments(), *size, *draft, "-q", "-o", folder / "run"], ROOT)
        return folder / "run" / "poster.png"


@dataclasses.dataclass(frozen=True)
class Sheet:
    """What `compare` leaves of several scenes, or `run --wedge` of one."""

    command: tuple
    width: int
    height: int

    def arguments(self):
        return list(self.command)

    def make(self, folder, draft):
        if any(word.startswith("real-") for word in self.command) and not MESHES.is_dir():
            raise Missing("../shared/meshes is not beside the checkout")
        # Of a draft as well: captions keep their height, so that a smaller sheet has another form.
        size = ["--set", "picture.width=1200", "--set", "picture.height=675"]
        call([PROGRAM, *self.command, *ONLY_POSTER, *size, *draft, "-q", "-o", folder / "sheet"], ROOT)
        return folder / "sheet" / "sheet.png"


@dataclasses.dataclass(frozen=True)
class Press:
    """One frame of `press`."""

    command: tuple
    width: int = 960
    height: int = 640

    def arguments(self):
        return ["press", *self.command]

    def make(self, folder, draft):
        del draft  # It draws as fast as it can.
        call([PROGRAM, *self.arguments(), "-o", folder / "press.png"], ROOT)
        return folder / "press.png"


@dataclasses.dataclass(frozen=True)
class Plot:
    """A cut through one frame of `press`, as a plot."""

    command: tuple

    def arguments(self):
        return ["press", *self.command]

    def make(self, folder, draft):
        del draft
        call([PROGRAM, *self.arguments(), "-o", folder / "press.obj", "--profile",
              folder / "plot.svg"], ROOT)
        return folder / "plot.svg"


@dataclasses.dataclass(frozen=True)
class Drawing:
    """A file that another command leaves; FOLDER stands for where it may write."""

    command: tuple
    file: str
    width: int = 0
    height: int = 0

    def arguments(self):
        return list(self.command)

    def make(self, folder, draft):
        del draft
        (folder / "images").mkdir()
        call([PROGRAM, *(word.replace("FOLDER", str(folder)) for word in self.command)], ROOT)
        return folder / self.file


@dataclasses.dataclass(frozen=True)
class Share:
    """Times per frame of a scene, as bench_scene_share plots them: no two runs are alike."""

    scene: str

    def arguments(self):
        return ["bench_scene_share", f"scenes/{self.scene}.json", "meshes=yes"]

    def make(self, folder, draft):
        if draft:
            raise Missing("it shows measured times, which differ from run to run")
        bench = PROGRAM.parent / "bench_scene_share"
        if not bench.exists():
            raise Missing("build/release/bin/bench_scene_share is not built")
        call([bench, *self.arguments()[1:], f"plot={folder / 'plot.svg'}"], ROOT)
        return folder / "plot.svg"


@dataclasses.dataclass(frozen=True)
class Example:
    """A file that an example program leaves in the folder it is given."""

    program: str
    file: str
    width: int
    height: int

    def arguments(self):
        return [self.program]

    def make(self, folder, draft):
        del draft
        program = PROGRAM.parent / self.program
        if not program.exists():
            raise Missing("the examples are not built")
        call([program, folder], ROOT)
        return folder / self.file


@dataclasses.dataclass(frozen=True)
class Figure:
    """What a Python example draws."""

    script: str
    width: int
    height: int

    def arguments(self):
        return ["python3", self.script]

    def make(self, folder, draft):
        module = ROOT / "build" / "release" / "python"
        if not any(module.glob("ductile/*.so")):
            raise Missing("the Python module is not built")
        arguments = ["/usr/bin/python3", ROOT / self.script, folder / "figure.png",
                     *(["--small"] if draft else [])]
        call(["/usr/bin/env", f"PYTHONPATH={module}", *arguments], ROOT)
        return folder / "figure.png"


@dataclasses.dataclass(frozen=True)
class Page:
    """The player of a scene in a browser, at a frame: how far it plays in a time is chance."""

    scene: str
    frame: int
    width: int
    height: int

    def arguments(self):
        return ["run", self.scene, "--set", "outputs.film=false"]

    def make(self, folder, draft):
        for program in ("chromium", "node"):
            if not shutil.which(program):
                raise Missing(f"{program} is not installed")
        web = ROOT / "tests" / "web"
        if not (web / "node_modules").is_dir():
            raise Missing("tests/web/node_modules is not there: npm ci --prefix tests/web")
        out = folder / "run"
        call([PROGRAM, *self.arguments(), "--set", "outputs.poster=false", *draft, "-q", "-o", out],
             ROOT)
        call(["node", web / "player_picture.mjs", next(out.glob("*.html")), self.frame, self.width,
              self.height, folder / "page.png"], ROOT)
        return folder / "page.png"


@dataclasses.dataclass(frozen=True)
class Rig:
    """What `rig` leaves as the overview of a rig, or `pose` as its sheet."""

    command: tuple
    width: int
    height: int

    def arguments(self):
        return [*self.command, "--columns", "4"]

    def make(self, folder, draft):
        size = ["--width", "320", "--height", "240", "--samples", "8" if draft else "64"]
        is_sheet = self.command[0] == "pose"
        out = folder / "sheet.png" if is_sheet else folder
        call([PROGRAM, *self.arguments(), *size, "-q", "-o", out], ROOT)
        return out if is_sheet else folder / f"{self.command[1]}_overview.png"


BALL_ON_BOX = ("sphere", "box", "--soft-at", "0,0.38,0", "--soft-size", "1,1,1", "--rigid-at",
               "0,-0.5,0", "--rigid-size", "3,1,3", "--resolution", "0.02")
PICTURES = {
    "break-wall.png": Example("example_break_wall", "break_wall.png", 960, 273),
    "fracture-wall.png": Poster("fracture-wall", 640, 360),
    "fracture-glass.png": Poster("fracture-glass", 640, 360),
    "fracture-bottle.png": Poster("fracture-bottle", 640, 360),
    "fracture-wood.png": Poster("fracture-wood", 640, 360),
    "fracture-crate.png": Poster("fracture-crate", 640, 360),
    "fracture-lamp-post.png": Poster("fracture-lamp-post", 640, 360),
    "fracture-crane.png": Poster("fracture-crane", 640, 360),
    "fracture-fleet.png": Poster("fracture-fleet", 640, 360),
    "cut-bunny.png": Drawing(("cut", str(MESHES / "bunny_30k_closed.obj"), "--cells", "64", "--apart",
                              "0.35", "--picture", "FOLDER/cut.png"), "cut.png", 640, 360),
    "damage-maps.png": Sheet(("run", "directed-hits", "--wedge",
                              "picture.colour_by=depth,strain,scratch", "--set",
                              "picture.legend=lower_right"), 1200, 233),
    "demo.png": Poster("demo", 640, 360),
    "bend-bones.png": Drawing(("bones", "bend-bunny", "--picture", "FOLDER/bones.png"), "bones.png",
                              900, 731),
    "bend-tetrahedra.png": Poster("bend-tetrahedra", 640, 360),
    "bend-buffer.png": Poster("bend-buffer", 640, 360),
    "bend-lamp-post.png": Poster("bend-lamp-post", 640, 360),
    "bend-plank.png": Poster("bend-plank", 640, 360),
    "dent-ball.png": Poster("dent-ball", 800, 450),
    "dent-bunny.png": Poster("dent-bunny", 720, 405),
    "dent-can.png": Poster("dent-can", 720, 405),
    "dent-car.png": Poster("dent-car", 720, 405),
    "dent-cars.png": Poster("dent-cars", 640, 360),
    "dent-glancing.png": Poster("dent-glancing", 800, 450),
    "dent-hail.png": Poster("dent-hail", 576, 324),
    "dent-map.png": Drawing(("map", "car", "--turn", "0,0,1,90", "-o", "FOLDER/map"), "map/maps.png",
                            560, 610),
    "dent-map-curves.svg": Drawing(("map", "car", "--turn", "0,0,1,90", "-o", "FOLDER/map"),
                                   "map/curves.svg"),
    "dent-maps.png": Poster("dent-maps", 720, 405),
    "refine-i-beam.png": Poster("refine-i-beam", 640, 400),
    "dent-stamps.png": Poster("dent-stamps", 720, 405),
    "dent-symmetric.png": Poster("dent-symmetric", 800, 450),
    "dent-wall.png": Poster("dent-wall", 800, 450),
    "directed-bend.png": Poster("directed-bend", 900, 600),
    "directed-hits.png": Poster("directed-hits", 640, 360),
    "example-cannonballs.png": Sheet(
        ("run", "example-cannonballs", "--wedge",
         'bodies.car.layers.example.left_out=[],["roof flattened"]'), 1000, 291),
    "example-crash.png": Sheet(("run", "example-crash", "--wedge",
                                "picture.colour_by=none,example", "--set",
                                "picture.legend=lower_right"), 1000, 291),
    "example-dock.png": Poster("example-dock", 640, 360),
    "example-pachinko.png": Poster("example-pachinko", 640, 360),
    "example-pachinko-times.svg": Share("example-pachinko"),
    "example-pileup.png": Poster("example-pileup", 640, 360),
    "example-series.png": Sheet(("run", "example-series", "--wedge",
                                 "bodies.drum.layers.example.radius=0.2,0.4,0.8", "--wedge",
                                 "bodies.drum.layers.example.fade_time=0.01,0.06,0.3"), 900, 551),
    "example-simulated-pose.png": Poster("example-simulated-pose", 640, 360),
    "player.png": Page("demo", 60, 1120, 700),
    "grip-2.png": Poster("grip-2", 640, 400),
    "press-compare.svg": Plot((
        "sphere", "box", "--soft-size", "1,1,1", "--soft-at", "0,0.35,0", "--rigid-size", "3,1,3",
        "--rigid-at", "0,-0.5,0", "--resolution", "0.02", "--set", "stiffness=0.25", "--set",
        "extent=0.6", "--set", "bulge=0.5", "--set", "bulge_at=0.2", "--set", "fade_from=0.77",
        "--reference", "docs/deformers/squashed-ball.csv", "--rival")),
    "press-contact.png": Press((*BALL_ON_BOX, "--show-contact")),
    "press-knobs.png": Sheet(("compare", "press-artistic", "press-maps", "press-detail",
                              "press-refine", "press-both", "press-proxy"), 1208, 480),
    "press-plane-series.png": Poster("press-plane-series", 720, 405),
    "press-real.png": Sheet(("compare", "real-press-hand-cushion", "real-press-comb-bunny",
                             "real-press-finger-monster", "real-press-hand-cow"), 806, 480),
    "press-sphere-plane.png": Press(BALL_ON_BOX),
    "press-spheres.png": Press((
        "sphere", "sphere", "--soft-size", "1,1,1", "--rigid-size", "0.5,0.5,0.5", "--rigid-at",
        "0,0.58,0.12", "--resolution", "0.02", "--set", "stiffness=0.12")),
    "press-two-hands.png": Poster("press-two-hands", 720, 405),
    "press-uses.png": Sheet(("compare", "press-hand-cushion", "press-finger-octopus",
                             "press-comb-bunny", "press-hand-window", "press-ball-belly",
                             "press-ball-cushion"), 1208, 480),
    "python-figure.png": Figure("examples/python/figure.py", 960, 540),
    "rig-big-ship.png": Rig(("pose", "big_ship"), 1290, 532),
    "rig-car.png": Rig(("pose", "car"), 1290, 532),
    "rig-crane.png": Rig(("pose", "crane"), 1290, 270),
    "rig-overview.png": Rig(("rig", "barrel"), 1290, 532),
    "rig-small-ship.png": Rig(("pose", "small_ship"), 1290, 270),
    "shell-car-balls.png": Poster("shell-car-balls", 720, 405),
    "shell-patches.png": Drawing(
        ("segments", "shell-car-wall", "--body", "bare", "--picture", "FOLDER/patches.png", "--eye",
         "4.4", "2.2", "3.4", "--target", "0.5", "0.6", "0", "--field-of-view", "30"),
        "patches.png", 640, 360),
    "shell-car-wall-midline.svg": Drawing(
        ("plot", "shell-car-wall", "car", "--cut", "x", "-o", "FOLDER/midline.svg"), "midline.svg"),
    "shell-car-wall.png": Poster("shell-car-wall", 720, 405),
    "shell-rollover.png": Poster("shell-rollover", 720, 405),
    "shell-sheet.png": Poster("shell-sheet", 720, 405),
    "tissue-density.png": Sheet((
        "run", "grip-3", "--wedge", "bodies.left.tissue.per_edge=2,3,4,6", "--set", "duration=1.4",
        "--set", "outputs.poster_time=1.35", "--set", "bodies.left.tissue.stiffness=3e4", "--set",
        "camera.eye=[-0.05,0.66,0.22]", "--set", "camera.target=[-0.02,0.53,0]"), 1000, 159),
    "tissue.png": Sheet(("compare", "grip-1", "grip-3", "grip-4", "grip-ball", "hand-press",
                         "tissue-drop"), 1208, 480),
    "truth-blocks.svg": Drawing(("validate", "--page", "FOLDER/truth.md"),
                                "images/truth-blocks.svg"),
    "truth-sheets.svg": Drawing(("validate", "--page", "FOLDER/truth.md"),
                                "images/truth-sheets.svg"),
}


def shrink(picture, recipe, target):
    """The picture in its size on the page and 256 colours."""
    graph = (f"[0]scale={recipe.width}:-1:flags=lanczos,split[a][b];"
             "[a]palettegen=stats_mode=single[p];[b][p]paletteuse=dither=sierra2_4a")
    call(["ffmpeg", "-v", "error", "-y", "-i", picture, "-filter_complex", graph, target], ROOT)


def cells(picture, folder):
    """Mean colours of the picture's cells."""
    raw = folder / "cells.raw"
    call(["ffmpeg", "-v", "error", "-y", "-i", picture, "-vf",
          f"scale={CELLS[0]}:{CELLS[1]}:flags=area", "-f", "rawvideo", "-pix_fmt", "rgb24", raw],
         ROOT)
    return raw.read_bytes()


def how_far(one, other, folder):
    """How far two pictures are apart, of 255: (in their worst cell, beyond noise in the mean)."""
    apart = [abs(a - b) for a, b in zip(cells(one, folder), cells(other, folder), strict=True)]
    each = [max(apart[i:i + 3]) for i in range(0, len(apart), 3)]
    return max(each), sum(max(0, far - NOISE) for far in each) / len(each)


def how_far_plots(one, other):
    """How far from all places of one plot another has a place, as a share of their size."""
    plots = [picture_faults.svg_places(path) for path in (one, other)]
    size = max(x for places in plots for place in places for x in place)
    step = MOST_APART_IN_PLOTS * size / 2
    grids = [{(round(x / step), round(y / step)) for x, y in places} for places in plots]

    def off(cell, grid):
        return next((reach for reach in range(100) if any(
            (cell[0] + x, cell[1] + y) in grid for x in range(-reach, reach + 1)
            for y in range(-reach, reach + 1) if max(abs(x), abs(y)) == reach)), 100)

    most = max(off(cell, grids[1 - i]) for i in (0, 1) for cell in grids[i])
    return most * step / size


def chance(recipe, made, folder):
    """How far drafts of a scene that differ by a pull are apart, beyond noise in the mean."""
    if not isinstance(recipe, (Poster, Sheet)):
        return 0.0
    most = 0.0
    for i, pull in enumerate(PULLS):
        place = folder / f"pull{i}"
        place.mkdir()
        most = max(most, how_far(recipe.make(place, [*DRAFT, *pull]), made, folder)[1])
    return most


def compare(recipe, made, shown, folder):
    """Whether what is shown is what was made: (word for it, what to say)."""
    if made.suffix == ".svg":
        apart = how_far_plots(made, shown)
        return ("fine", "") if apart <= MOST_APART_IN_PLOTS else (
            "out of date", f"{apart:.0%} of its size apart where it is worst")
    worst, beyond = how_far(made, shown, folder)
    if worst <= MOST_APART:
        return "fine", ""
    by_chance = chance(recipe, made, folder)
    text = (f"{worst} of 255 apart where it is worst, {beyond:.2f} beyond noise in the mean; "
            f"a pull of nearly nothing makes {by_chance:.2f}")
    return "fine" if beyond <= TIMES_CHANCE * by_chance else "out of date", text


def make(name, recipe, folder, is_check):
    """Makes or checks one picture: (word for it, what to say)."""
    made = recipe.make(folder, DRAFT if is_check else [])
    fault = picture_faults.fault(IMAGES / name if is_check else made)
    if fault:
        return "out of date" if is_check else "failed", fault
    if is_check:
        return compare(recipe, made, IMAGES / name, folder)
    if made.suffix == ".svg":
        shutil.copyfile(made, IMAGES / name)
    else:
        shrink(made, recipe, IMAGES / name)
    return "made", ""


def outcome(name, is_check):
    """As make(), whatever becomes of it."""
    with tempfile.TemporaryDirectory(prefix="ductile-gallery-") as folder:
        try:
            return make(name, PICTURES[name], pathlib.Path(folder), is_check)
        except Missing as problem:
            return "skipped", str(problem)
        except (Failed, OSError, StopIteration, ValueError) as problem:
            return "failed", str(problem)


def count_check(tally, name):
    """Checks a picture for the tests: counts into scripts/tally.py's Tally."""
    word, reason = outcome(name, True)
    if word == "skipped":
        tally.skip(name, reason)
    else:
        tally.add(name, word == "fine", f"{word}: {reason}")


def check_jobs():
    """The jobs of a stage of `./ductile test`: each checks a picture. Needs TARGETS."""
    return [(name, functools.partial(count_check, name=name)) for name in PICTURES]


# ---- self-test --------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Planted(Poster):
    """A red square on grey at a place, without pull and with the one or the other."""

    places: tuple = (0, 0, 0)

    def make(self, folder, draft):
        at = self.places[sum(pull == draft[-2:] and i + 1 for i, pull in enumerate(PULLS))]
        plant_square(folder / "planted.png", at)
        return folder / "planted.png"


def plant_square(path, at):
    picture_faults.write_png(path, 192, [
        (200, 30, 30) if at <= x < at + 24 and 40 <= y < 64 else (90 + (x * y) % 3 + y // 4, 120, 120)
        for y in range(108) for x in range(192)])


def self_test():
    """Pictures that show what is made, or do not, by chance or not; plots, and blank pictures."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        plant_square(folder / "shown.png", 60)
        cases = (((60, 60, 60), "fine"), ((61, 61, 61), "fine"), ((90, 90, 90), "out of date"),
                 ((90, 91, 90), "out of date"), ((90, 60, 90), "fine"), ((90, 90, 130), "fine"))
        for i, (places, wanted) in enumerate(cases):
            place = folder / str(i)
            place.mkdir()
            recipe = Planted("planted", 192, 108, places)
            word, reason = compare(recipe, recipe.make(place, DRAFT), folder / "shown.png", place)
            assert word == wanted, (places, word, reason)
        for name, factor in (("plot", 1), ("near", 1.01), ("off", 1.06)):
            points = " ".join(f"{x * factor:.2f} {x * x / 30:.2f}" for x in range(40))
            (folder / f"{name}.svg").write_text(f"<svg><polyline points='{points}'/></svg>")
        plot = [compare(None, folder / f"{name}.svg", folder / "plot.svg", folder)[0]
                for name in ("near", "off")]
        assert plot == ["fine", "out of date"], plot


def main():
    parser = argparse.ArgumentParser(prog="ductile gallery", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="pictures, without their ending")
    parser.add_argument("--check", action="store_true", help="tell which are out of date")
    parser.add_argument("--list", action="store_true", help="what makes which picture")
    arguments = parser.parse_args()
    by_stem = {pathlib.Path(name).stem: name for name in PICTURES}
    unknown = [name for name in arguments.names if name not in by_stem]
    if unknown:
        print(f"gallery: no picture is called '{unknown[0]}' (there are: {', '.join(by_stem)})",
              file=sys.stderr)
        return 1
    wanted = [by_stem[name] for name in arguments.names] or list(PICTURES)
    if arguments.list:
        for name in wanted:
            print(f"{name:24} {' '.join(PICTURES[name].arguments())}")
        return 0
    counts = {}
    for name in wanted:
        began = time.monotonic()
        word, reason = outcome(name, arguments.check)
        counts[word] = counts.get(word, 0) + 1
        print(f"{name:24} {word}{': ' + reason if reason else ''} "
              f"({time.monotonic() - began:.0f} s)", flush=True)
    print(", ".join(f"{count} {word}" for word, count in counts.items()))
    return 2 if counts.get("failed") else 1 if counts.get("out of date") else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        os._exit(130)
