# SPDX-License-Identifier: MIT
"""Soft surfaces pressed in Python."""

import threading
import unittest

import numpy as np

import ductile


def ball_and_slab():
    ball = ductile.Mesh.solid("sphere", size=[1, 1, 1], resolution=0.08)
    slab = ductile.Mesh.solid("box", size=[3, 1, 3], resolution=0.5)
    return ball, slab


def volume(points, triangles):
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6


class Press(unittest.TestCase):
    def test_a_ball_lies_on_the_slab_and_keeps_its_volume(self):
        ball, slab = ball_and_slab()
        soft = ball.points + [0, 0.4, 0]
        done = ductile.press(soft, ball.triangles, slab.points - [0, 0.5, 0], slab.triangles,
                             stiffness=0.2, extent=0.6)
        contact = done.zone >= 0
        self.assertGreater(contact.sum(), 5)
        np.testing.assert_allclose(done.points[contact, 1], 0, atol=1e-6)
        self.assertTrue(np.all(done.radial[contact] == 0))
        before, after = volume(soft, ball.triangles), volume(done.points, ball.triangles)
        self.assertLess(abs(after - before), 0.02 * done.report["displaced_volume"])
        self.assertAlmostEqual(after - before, done.report["volume_change"], delta=1e-9)
        far = done.radial >= 1
        np.testing.assert_array_equal(done.points[far], soft[far])

    def test_bodies_apart_stay_as_they_are_to_the_bit(self):
        ball, slab = ball_and_slab()
        soft = ball.points + [0, 0.6, 0]
        done = ductile.press(soft, ball.triangles, slab.points - [0, 0.5, 0], slab.triangles)
        np.testing.assert_array_equal(done.points, soft)
        self.assertEqual(done.report["overlaps"], 0)
        self.assertEqual(done.report["notes"], [])

    def test_a_presser_gives_frames_in_any_order_and_from_threads_the_same_bits(self):
        ball, slab = ball_and_slab()
        presser = ductile.Presser(ball.points, ball.triangles, stiffness=0.2)
        rigid = ductile.PressRigid(slab.points, slab.triangles)
        heights = [-0.92, -0.9, -0.88]
        alone = [presser.press(rigid, position=[0, h, 0]).points for h in heights]
        found = [None] * len(heights)

        def work(i):
            found[i] = presser.press(rigid, position=[0, heights[i], 0]).points

        threads = [threading.Thread(target=work, args=(i,)) for i in reversed(range(3))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for a, b in zip(alone, found):
            np.testing.assert_array_equal(a, b)
        self.assertFalse(np.array_equal(alone[0], alone[1]))

    def test_an_animation_is_its_frames_to_the_bit(self):
        ball, slab = ball_and_slab()
        side = 1 + 0.5 * (ball.points[:, 0] > 0)
        presser = ductile.Presser(ball.points, ball.triangles, stiffness=0.2, bulge_map=side,
                                  detail={"rounds": 3})
        rigid = ductile.PressRigid(slab.points, slab.triangles)
        positions = np.array([[0, -1.1, 0], [0.01, -0.92, 0], [0, -0.9, 0.02]])
        turned = np.array([[1, 0, 0, 0]] * 3, float)
        film = presser.press_frames(rigid, positions=positions, rotations=turned)
        self.assertEqual(len(film), 3)
        np.testing.assert_array_equal(film[0].points, ball.points)
        for frame, position in zip(film, positions):
            alone = presser.press(rigid, position=position)
            np.testing.assert_array_equal(frame.points, alone.points)
        swaying = np.stack([ball.points, ball.points + [0, 0.01, 0]])
        film = presser.press_frames(rigid, points=swaying, positions=positions[:2])
        np.testing.assert_array_equal(
            film[1].points, presser.press(rigid, swaying[1], position=positions[1]).points)
        moving = np.stack([slab.points + p for p in positions])
        film = presser.press_frames(rigid, rigid_points=moving)
        np.testing.assert_allclose(film[2].points, presser.press(rigid, position=positions[2]).points,
                                   atol=1e-9)
        self.assertEqual(presser.press_frames(rigid), [])
        with self.assertRaisesRegex(ValueError, "as many frames"):
            presser.press_frames(rigid, points=swaying, positions=positions)
        with self.assertRaisesRegex(ValueError, "positions"):
            presser.press_frames(rigid, positions=[0, 1, 2])

    def test_two_soft_balls_meet_halfway_whichever_comes_first(self):
        ball, _ = ball_and_slab()
        above, below = ball.points + [0, 0.42, 0], ball.points - [0, 0.42, 0.01]
        a, b = ductile.press_both(above, ball.triangles, below, ball.triangles, 0.5,
                                  {"stiffness": 0.1}, {"stiffness": 0.2})
        second, first = ductile.press_both(below, ball.triangles, above, ball.triangles, 0.5,
                                           {"stiffness": 0.2}, {"stiffness": 0.1})
        self.assertEqual((a.report["zones"], b.report["zones"]), (1, 1))
        np.testing.assert_array_equal(a.points, first.points)
        np.testing.assert_array_equal(b.points, second.points)
        self.assertLess(np.abs(a.points[a.zone >= 0][:, 1]).max(), 0.01)
        with self.assertRaisesRegex(ductile.Error, "share"):
            ductile.press_both(above, ball.triangles, below, ball.triangles, 1.5)
        with self.assertRaisesRegex(ductile.Error, "entries"):
            ductile.press_both(above, ball.triangles, below, ball.triangles, 0.5,
                               {"bulge_map": [1, 2]})

    def test_a_refined_press_gives_the_mesh_it_pressed(self):
        ball, _ = ball_and_slab()
        slab = ductile.Mesh.solid("box", size=[3, 1, 3], resolution=0.12)
        arrays = (slab.points * 0.5, slab.triangles, ball.points * 0.5 + [0, 0.3, 0], ball.triangles)
        points, triangles, done = ductile.press_refined(*arrays, stiffness=0.03, edge=1)
        self.assertGreater(len(points), len(slab.points))
        self.assertEqual(len(done.points), len(points))
        self.assertLess(triangles.max(), len(points))
        np.testing.assert_array_equal(points[: len(slab.points)], slab.points * 0.5)
        self.assertAlmostEqual(volume(points, triangles), volume(arrays[0], arrays[1]), places=12)

    def test_a_proxy_brings_out_what_was_swallowed(self):
        ball, _ = ball_and_slab()
        coin = ball.points * [0.2, 0.05, 0.2] + [0, 0.4, 0]
        arrays = (ball.points, ball.triangles, coin, ball.triangles)
        self.assertEqual(ductile.press(*arrays, stiffness=0.03).report["zones"], 0)
        done = ductile.press(*arrays, stiffness=0.03, proxy={"direction": [0, 1, 0]})
        self.assertEqual(done.report["zones"], 1)

    def test_views_outlive_what_they_look_into(self):
        ball, slab = ball_and_slab()
        done = ductile.press(ball.points, ball.triangles, slab.points - [0, 0.9, 0], slab.triangles)
        points = done.points
        kept = points.copy()
        del done
        np.testing.assert_array_equal(points, kept)
        self.assertFalse(points.flags.writeable)

    def test_wrong_words_are_refused(self):
        ball, slab = ball_and_slab()
        arrays = (ball.points, ball.triangles, slab.points, slab.triangles)
        with self.assertRaisesRegex(ductile.Error, "bulge"):
            ductile.press(*arrays, bulge=-1)
        with self.assertRaisesRegex(ductile.Error, "stiffness"):
            ductile.press(*arrays, stifness=1)
        with self.assertRaises(IndexError):
            ductile.press(ball.points, ball.triangles + 100000, slab.points, slab.triangles)
        presser = ductile.Presser(ball.points, ball.triangles)
        with self.assertRaises(ValueError):
            presser.press(ductile.PressRigid(slab.points, slab.triangles), points=slab.points)

    def test_a_scene_with_a_press_shows_it(self):
        film = ductile.Scene.load("press-sphere-plane").run(max_frames=24)
        self.assertGreater(film.report["press"][0]["frames_touched"], 5)
        rest, pressed = film.points("ball", 0), film.points("ball", 23)
        self.assertFalse(np.array_equal(rest, pressed))


if __name__ == "__main__":
    unittest.main()
