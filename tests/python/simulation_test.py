# SPDX-License-Identifier: MIT
"""Simulations, journals, scenes and recordings in Python."""

import _thread
import json
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import unittest

import numpy as np

import ductile


def barrel_and_ball(**options):
    world = ductile.Simulation(**options)
    world.add_ground()
    barrel = world.add_deformable(ductile.Mesh.solid("barrel"), name="barrel", thickness=0.0012,
                                  position=[0, 0.445, 0])
    ball = world.add_rigid(ductile.Mesh.solid("sphere", size=[0.6, 0.6, 0.6]), name="ball",
                           position=[1, 0.6, 0], velocity=[-12, 1, 0])
    return world, barrel, ball


class Simulations(unittest.TestCase):
    def test_a_ball_falls_as_it_must(self):
        world = ductile.Simulation(gravity=[0, -10, 0])
        ball = world.add_rigid(ductile.Mesh.solid("sphere"), position=[0, 100, 0])
        world.step(1 / 1000, 1000)
        self.assertAlmostEqual(world.velocity(ball)[1], -10.0, places=6)
        self.assertAlmostEqual(world.pose(ball)[1, 3], 95.0, delta=0.01)

    def test_a_hit_dents_and_the_energy_books_close(self):
        world, barrel, _ = barrel_and_ball()
        rest = world.points(barrel)
        world.step(1 / 240, 120)
        moved = np.linalg.norm(world.points(barrel) - rest, axis=1)
        self.assertGreater(moved.max(), 0.01)
        self.assertGreater(world.report["hits"], 0)
        self.assertLess(abs(world.energy["gap"]), 1e-6 * world.energy["start"])
        self.assertEqual(world.report["steps"], 120)

    def test_a_wall_breaks_into_bodies_of_their_own(self):
        world = ductile.Simulation()
        wall = world.add_deformable(
            ductile.Mesh.solid("box", size=[2, 1.5, 0.1], resolution=0.5), name="wall", motion="static",
            material="sandstone", position=[0, 0.75, 0],
            fracture={"pattern": {"cells": 30}, "anchored": [{"upper": [1e3, -0.6, 1e3]}]})
        world.add_rigid(ductile.Mesh.solid("sphere", size=[0.4, 0.4, 0.4]), name="ball",
                        position=[0, 0.9, 0.8], velocity=[0, 0, -20])
        world.start_recording(60)
        world.capture()
        world.step(1 / 240, 24)
        world.capture()
        self.assertGreater(len(world.births), 1)
        self.assertNotIn(wall, world.bodies)
        with self.assertRaises(KeyError):
            world.points(wall)
        part = world.births[-1][0]
        self.assertIn(part, world.bodies)
        self.assertEqual(world.points(part).shape[1], 3)
        self.assertGreater(world.report["broken_area"], 0)
        self.assertGreater(len(world.finish_recording().bodies), 2)

    def test_points_are_made_once_per_shape_and_stay_what_they_were(self):
        world, barrel, _ = barrel_and_ball()
        rest = world.points(barrel)
        copy = rest.copy()
        self.assertTrue(np.shares_memory(rest, world.points(barrel)))
        world.step(1 / 240, 120)
        self.assertFalse(np.shares_memory(rest, world.points(barrel)))
        np.testing.assert_array_equal(rest, copy)
        del world
        np.testing.assert_array_equal(rest, copy)

    def test_the_same_calls_give_the_same_bits(self):
        hashes = set()
        for _ in range(2):
            world, _, _ = barrel_and_ball()
            world.step(1 / 240, 60)
            hashes.add(world.state_hash)
        self.assertEqual(len(hashes), 1)

    def test_a_journal_gives_the_shape_back_bit_for_bit(self):
        world, barrel, _ = barrel_and_ball()
        world.step(1 / 240, 120)
        journal = world.journal(barrel)
        mesh = ductile.Mesh.solid("barrel")
        np.testing.assert_array_equal(journal.points(mesh, world.time), world.points(barrel))
        again = ductile.Journal.from_dict(json.loads(json.dumps(journal.to_dict())))
        np.testing.assert_array_equal(again.points(mesh, world.time), world.points(barrel))
        for hit in journal.hits:
            self.assertTrue(again.remove(hit["id"]))
        np.testing.assert_array_equal(again.points(mesh), mesh.points)
        self.assertEqual(len(journal), len(journal.hits))

    def test_a_repair_takes_damage_away(self):
        world, barrel, _ = barrel_and_ball()
        rest = world.points(barrel)
        world.step(1 / 240, 120)
        world.repair(barrel)
        world.step(1 / 240)
        np.testing.assert_array_equal(world.points(barrel), rest)

    def test_a_scheduled_hit_comes_when_it_is_due(self):
        world = ductile.Simulation(gravity=[0, 0, 0])
        box = world.add_deformable(ductile.Mesh.solid("box"))
        world.schedule_hit(box, time=0.05, position=[0, 0.5, 0], direction=[0, -1, 0], depth=0.05,
                           radius=0.3)
        rest = world.points(box)
        world.step(0.01, 4)
        np.testing.assert_array_equal(world.points(box), rest)
        world.step(0.01, 1)
        self.assertAlmostEqual(np.abs(world.points(box) - rest).max(), 0.05, delta=0.005)

    def test_an_impulse_changes_the_velocity_by_its_share_of_the_mass(self):
        world = ductile.Simulation(gravity=[0, 0, 0])
        ball = world.add_rigid(ductile.Mesh.solid("sphere"), mass=4.0)
        world.apply_impulse(ball, [8, 0, 0], world.centre(ball))
        np.testing.assert_allclose(world.velocity(ball), [2, 0, 0])
        world.set_motion(ball, velocity=[0, 0, 1], rotation={"axis": [0, 1, 0], "angle_deg": 90})
        np.testing.assert_allclose(world.velocity(ball), [0, 0, 1])
        np.testing.assert_allclose(world.pose(ball)[:3, 0], [0, 0, -1], atol=1e-12)

    def test_callers_mistakes_are_exceptions(self):
        world, barrel, ball = barrel_and_ball()
        for kind, call in [
                (KeyError, lambda: world.points(99)), (KeyError, lambda: world.remove(-1)),
                (ValueError, lambda: world.journal(ball)), (ValueError, lambda: world.step(0)),
                (ValueError, lambda: world.step(float("nan"))), (ValueError, world.capture),
                (ValueError, lambda: world.step(1 / 60, 0)),
                (TypeError, lambda: world.step("fast")), (TypeError, lambda: world.points("a")),
                (ValueError, lambda: world.apply_impulse(ball, [np.inf, 0, 0], [0, 0, 0])),
                (ductile.Error, lambda: world.set_motion(ball, velocity=[1e9, 0, 0])),
                (ductile.Error, lambda: world.add_rigid(ductile.Mesh.solid("torus"),
                                                        collider="sphere")),
                (ductile.Error, lambda: ductile.Simulation(sub_steps=0))]:
            with self.subTest(kind), self.assertRaises(kind):
                call()
        world.remove(barrel)
        with self.assertRaises(KeyError):
            world.points(barrel)
        world.step(1 / 60)

    def test_another_thread_runs_while_a_simulation_steps(self):
        world, _, _ = barrel_and_ball()
        begun, seen = threading.Event(), []

        def watch():
            begun.wait()
            seen.append(1)

        thread = threading.Thread(target=watch)
        thread.start()
        threading.Timer(0.05, begun.set).start()
        # If the lock were held all the time, nobody could interrupt this.
        threading.Timer(0.3, _thread.interrupt_main).start()
        with self.assertRaises(KeyboardInterrupt):
            world.step(1e-5, 1_000_000_000)
        thread.join()
        self.assertEqual(seen, [1])


class Recordings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        world, cls.barrel, cls.ball = barrel_and_ball()
        world.start_recording(60)
        world.capture()
        cls.poses = [world.pose(cls.ball)]
        for _ in range(30):
            world.step(1 / 240, 4)
            world.capture()
            cls.poses.append(world.pose(cls.ball))
        cls.last = world.points(cls.barrel)
        cls.film = world.finish_recording()

    def test_frames_are_what_the_simulation_was(self):
        self.assertEqual(len(self.film), 31)
        self.assertEqual(self.film.bodies, ["barrel", "ball"])
        np.testing.assert_allclose(self.film.times, np.arange(31) / 60)
        np.testing.assert_array_equal(self.film.poses[:, 1], self.poses)
        self.assertTrue(self.film.is_present.all())
        np.testing.assert_array_equal(self.film.points("barrel", -1), self.last)
        np.testing.assert_array_equal(self.film.points(0, 0), self.film.mesh("barrel").points)

    def test_points_are_views_that_outlive_the_recording(self):
        film = self.film
        view = film.points(0, 30)
        self.assertTrue(np.shares_memory(view, film.points("barrel", -1)))
        self.assertFalse(view.flags.writeable)

    def test_tables_have_a_row_per_hit_impact_and_frame(self):
        hits, impacts = self.film.hits, self.film.impacts
        self.assertGreater(len(hits), 0)
        self.assertTrue((hits["size"] > 0).all() and (hits["body"] == 0).all())
        self.assertTrue((np.diff(hits["time"]) >= 0).all())
        self.assertGreater(impacts["approach_speed"].max(), 10.0)
        np.testing.assert_allclose(np.linalg.norm(impacts["normal"], axis=1), 1.0)
        self.assertEqual(len(self.film.energy), len(self.film))
        self.assertLess(np.abs(self.film.energy["gap"]).max(), 1e-6 * self.film.energy["start"][-1])

    def test_a_glb_has_the_bodies_as_nodes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "film.glb"
            self.film.write_glb(path, max_shape_keys=20)
            data = path.read_bytes()
            self.film.write_ply("barrel", path.with_suffix(".ply"))
            self.assertTrue(path.with_suffix(".ply").read_bytes().startswith(b"ply\n"))
            with self.assertRaises(ductile.Error):
                self.film.write_ply("ball", path.with_suffix(".ply"))
        self.assertEqual(data[:4], b"glTF")
        length = struct.unpack("<I", data[12:16])[0]
        nodes = [node.get("name") for node in json.loads(data[20:20 + length])["nodes"]]
        self.assertTrue({"barrel", "ball"} <= set(nodes))

    def test_tables_stages_and_caches_are_written(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            self.film.write_tables(folder / "tables")
            lines = (folder / "tables" / "hits.csv").read_text("utf-8").splitlines()
            self.assertEqual(len(lines), 1 + len(self.film.hits))
            self.film.write_usd(folder / "film.usda")
            self.assertIn("barrel", (folder / "film.usda").read_text("utf-8"))
            self.film.write_point_caches(folder / "caches", kind="pc2")
            cache = next((folder / "caches").glob("barrel*.pc2")).read_bytes()
            count = len(self.film.mesh("barrel").render_points)
            # Signature, version, points, first frame, frames per sample, samples; then floats.
            self.assertEqual(struct.unpack("<12siiffi", cache[:32])[2:6:3], (count, 31))
            points = np.frombuffer(cache[32:], "<f4").reshape(31, count, 3)
            wanted = self.film.mesh("barrel").pose(self.film.points("barrel", 30))[0]
            pose = self.film.poses[30, 0]
            np.testing.assert_allclose(points[30], wanted @ pose[:3, :3].T + pose[:3, 3], atol=1e-5)
            with self.assertRaises(ValueError):
                self.film.write_point_caches(folder / "more", kind="abc")

    def test_a_picture_is_an_array_of_bytes_and_shows_something(self):
        picture = self.film.draw(-1, width=48, height=32, samples=1, eye=[2, 1.2, 2],
                                 target=[0, 0.4, 0])
        self.assertEqual((picture.shape, picture.dtype), ((32, 48, 3), np.uint8))
        self.assertGreater(picture.std(), 5)
        with self.assertRaises(IndexError):
            self.film.draw(31)


class Scenes(unittest.TestCase):
    FIELDS = {"duration": 0.5, "bodies": {
        "barrel": {"solid": {"kind": "barrel"}, "thickness": 0.0012, "position": [0, 0.45, 0],
                   "layers": {"dent": {}}},
        "ball": {"solid": {"kind": "sphere", "size": [0.6, 0.6, 0.6]}, "position": [1, 0.6, 0],
                 "velocity": [-12, 1, 0]}}}

    def test_a_run_gives_a_film_whose_journals_replay_to_the_same_bits(self):
        film = ductile.Scene(**self.FIELDS).run()
        self.assertEqual(len(film), 16)
        self.assertGreater(film.report["hits"], 0)
        journals = film.journal
        self.assertEqual(journals.replay_hash(), journals.shape_hash)
        np.testing.assert_array_equal(journals.shapes()["barrel"], film.points("barrel", -1))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "journal.json"
            journals.save(path)
            again = ductile.JournalFile.load(path)
        self.assertEqual(again.replay_hash(), journals.shape_hash)
        again.set_journal("barrel", ductile.Journal())
        np.testing.assert_array_equal(again.shapes()["barrel"], film.mesh("barrel").points)

    def test_python_and_the_command_come_to_the_same_bits(self):
        command = pathlib.Path(ductile.__file__).resolve().parents[2] / "bin" / "ductile"
        if not command.is_file():
            self.skipTest("the command is not built")
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([command, "run", "one-barrel", "--max-frames", "60", "--quiet", "--out",
                            folder, "--set", "outputs.film=false", "--set", "outputs.poster=false"],
                           check=True, capture_output=True)
            report = json.loads((pathlib.Path(folder) / "report.json").read_text("utf-8"))
        film = ductile.Scene.load("one-barrel").run(max_frames=60)
        self.assertEqual(film.report["state_hash"], report["state_hash"])

    def test_fields_are_set_by_their_path_and_come_back(self):
        scene = ductile.Scene(**self.FIELDS)
        scene.set("bodies.ball.velocity.x", -3)
        scene.set("bodies.ball.material", "rubber")
        fields = scene.to_dict()
        self.assertEqual(fields["bodies"]["ball"]["velocity"], [-3, 1, 0])
        self.assertEqual(fields["bodies"]["ball"]["material"], "rubber")
        self.assertEqual(ductile.Scene.parse(scene.text).to_dict(), fields)
        with self.assertRaisesRegex(ductile.Error, "velocity"):
            scene.set("bodies.ball.velocty", [0, 0, 0])

    def test_every_mistake_of_a_scene_is_told_at_once(self):
        with self.assertRaises(ductile.Error) as caught:
            ductile.Scene.parse('{"duration": -1, "bodies": {"a": {"material": "stel"}}}')
        self.assertIn("/duration", str(caught.exception))
        self.assertIn("steel", str(caught.exception))
        scene = ductile.Scene(hits=[{"body": "nobody", "frame": 1, "dent": {}}])
        self.assertTrue(scene.check())
        with self.assertRaises(ductile.Error):
            scene.run()

    def test_progress_is_told_and_its_exception_stops_the_run(self):
        calls = []
        ductile.Scene(**self.FIELDS).run(progress=lambda stage, share: calls.append((stage, share)))
        self.assertEqual(calls[-1], ("simulate", 1.0))

        def stop(stage, share):
            if stage == "simulate":
                raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            ductile.Scene(**self.FIELDS).run(progress=stop)

    def test_ctrl_c_stops_a_run_between_frames(self):
        scene = ductile.Scene(**{**self.FIELDS, "duration": 1000})
        threading.Timer(0.3, _thread.interrupt_main).start()
        with self.assertRaises(KeyboardInterrupt):
            scene.run()

    def test_every_built_in_scene_can_be_loaded(self):
        self.assertIn("demo", ductile.scenes())
        for name in ductile.scenes():
            with self.subTest(name):
                self.assertEqual(ductile.Scene.load(name).check(), [])


if __name__ == "__main__":
    # In the background of a script Ctrl-C is ignored from the start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(unittest.main())
