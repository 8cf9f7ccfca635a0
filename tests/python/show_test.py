# SPDX-License-Identifier: MIT
"""What one sees: objects in one line, films and meshes in a notebook, words where numpy is missing."""

import base64
import html
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import unittest
import zlib

import numpy as np

import ductile


def small_film():
    world = ductile.Simulation()
    world.add_ground()
    box = ductile.Mesh.solid("box", size=[0.2] * 3)
    world.add_rigid(box, name='<b>&"crate"', position=[0, 1, 0])
    world.start_recording(30)
    for _ in range(3):
        world.step(1 / 240, count=8)
        world.capture()
    return world.finish_recording()


def one_of_each():
    """An object of every class that the package has."""
    box = ductile.Mesh.solid("box", size=[0.2] * 3)
    scene = ductile.Scene(bodies={"crate": {"solid": {"kind": "box"}, "position": [0, 1, 0]}},
                          duration=0.05)
    film = scene.run()
    rigid = ductile.PressRigid(box.points, box.triangles)
    presser = ductile.Presser(box.points, box.triangles)
    return [box, scene, film, film.journal, rigid, presser, presser.press(rigid, position=[0, 5, 0]),
            ductile.Journal(), ductile.Simulation(), ductile.Material("lead"),
            ductile.DentMap.gaussian(20, 0.1, 0.02)]


class Words(unittest.TestCase):
    def test_every_object_tells_what_it_is_in_one_line(self):
        objects = one_of_each()
        classes = {value for value in vars(ductile).values() if isinstance(value, type)}
        self.assertEqual({type(thing) for thing in objects}, classes - {ductile.Error})
        for thing in objects:
            with self.subTest(type(thing).__name__):
                text = repr(thing)
                self.assertRegex(text, rf"^<ductile\.{type(thing).__name__}.*\d.*>$")
                self.assertNotRegex(text, r"object at 0x|\n")
                self.assertLess(len(text), 100)

    def test_a_simulation_at_work_tells_so_instead_of_raising(self):
        world = ductile.Simulation()
        world.add_rigid(ductile.Mesh.solid("box"))
        stepping = threading.Thread(target=world.step, args=(1e-5,), kwargs={"count": 200_000})
        stepping.start()
        seen = set()
        while stepping.is_alive():
            seen.add(re.sub(r"\d[\d.e-]*", "N", repr(world)))
        self.assertLessEqual(seen, {"<ductile.Simulation: at work>",
                                    "<ductile.Simulation: N s, N bodies, N hits>"})
        self.assertIn("<ductile.Simulation: at work>", seen)

    def test_without_numpy_the_import_says_what_to_install(self):
        # A module of None is one that cannot be imported.
        script = "import sys; sys.modules['numpy'] = None; import ductile"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr.splitlines()[-1],
                         "ImportError: ductile needs numpy.*python3-numpy.*pip install numpy")


class Notebooks(unittest.TestCase):
    def test_a_film_is_written_as_a_page_that_plays_it(self):
        film = small_film()
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "film.html"
            film.write_player(page, title="three frames", has_ground=False)
            text = page.read_text(encoding="utf-8")
            film.write_player(page, title="three frames", has_ground=False)
            self.assertEqual(text, page.read_text(encoding="utf-8"))
        self.assertTrue(text.startswith("<!DOCTYPE html>") or text.startswith("<!doctype html>"))
        self.assertIn("three frames", text)
        with self.assertRaisesRegex(ductile.Error, "title"):
            film.write_player("film.html", titel="x")

    def test_a_page_has_the_name_and_camera_of_the_scene(self):
        scene = ductile.Scene(name="one crate", duration=0.05, camera={"field_of_view_deg": 12.5},
                              bodies={"crate": {"solid": {"kind": "box"}, "position": [0, 1, 0]}})
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "film.html"
            scene.run().write_player(page)
            text = page.read_text(encoding="utf-8")
        self.assertIn("one crate", text)
        header = re.search(r'class="part">([^<]*)<', text)[1]  # docs/player.md
        self.assertIn(b"12.5", zlib.decompress(base64.b64decode(header)))

    def test_a_notebook_shows_the_player_in_a_frame_of_its_own(self):
        film = small_film()
        shown = film._repr_html_()
        found = re.fullmatch(r'<iframe [^>]*srcdoc="([^"]*)"></iframe>', shown)
        self.assertTrue(found)
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "film.html"
            film.write_player(page)
            self.assertEqual(html.unescape(found[1]), page.read_text(encoding="utf-8"))

    def test_a_notebook_shows_a_picture_of_a_mesh(self):
        picture = ductile.Mesh.solid("barrel")._repr_png_()
        self.assertTrue(picture.startswith(b"\x89PNG"))
        self.assertGreater(len(zlib.compress(picture)), 5000)

    def test_without_a_scene_the_camera_finds_what_happens(self):
        far = ductile.Simulation()
        far.add_rigid(ductile.Mesh.solid("box"), position=[500, 0, 0], velocity=[1, 0, 0])
        far.start_recording()
        far.step(1 / 240)
        far.capture()
        pixels = far.finish_recording().draw(0, width=64, height=36, samples=1, has_ground=False)
        middle = pixels[14:22, 28:36].reshape(-1, 3).astype(float).mean(axis=0)
        corner = pixels[:4, :4].reshape(-1, 3).astype(float).mean(axis=0)
        self.assertGreater(np.abs(middle - corner).max(), 10)


if __name__ == "__main__":
    unittest.main()
