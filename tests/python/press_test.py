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
