# SPDX-License-Identifier: MIT
"""Meshes, materials and dent maps in Python."""

import gc
import pathlib
import tempfile
import unittest
import weakref

import numpy as np

import ductile

CUBE = np.array([[x, y, z] for x in (0.0, 2.0) for y in (0.0, 3.0) for z in (0.0, 5.0)])
CUBE_FACES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
                       [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])


class Meshes(unittest.TestCase):
    def test_a_box_of_arrays_has_its_volume_area_and_mass(self):
        box = ductile.Mesh(CUBE, CUBE_FACES)
        self.assertTrue(box.is_closed)
        self.assertAlmostEqual(box.volume, 30.0)
        self.assertAlmostEqual(box.area, 62.0)
        mass = box.mass(ductile.Material("steel", density=1000.0))
        self.assertAlmostEqual(mass["mass"], 30000.0)
        np.testing.assert_allclose(mass["centre"], [1, 1.5, 2.5])
        np.testing.assert_allclose(np.diag(mass["inertia"]),
                                   30000.0 / 12 * np.array([9 + 25, 4 + 25, 4 + 9]))

    def test_arrays_come_back_as_they_went_in(self):
        box = ductile.Mesh(CUBE.tolist(), CUBE_FACES.astype(np.uint16))
        np.testing.assert_array_equal(box.points, CUBE)
        np.testing.assert_array_equal(box.triangles, CUBE_FACES)
        self.assertEqual((box.points.dtype, box.triangles.dtype), (np.float64, np.int32))

    def test_a_mesh_keeps_no_hold_of_the_arrays_it_was_made_of(self):
        points = CUBE.copy()
        box = ductile.Mesh(points, CUBE_FACES)
        points[:] = 7.0
        np.testing.assert_array_equal(box.points, CUBE)

    def test_views_share_memory_cannot_be_written_and_outlive_their_mesh(self):
        barrel = ductile.Mesh.solid("barrel")
        points, again = barrel.points, barrel.points
        self.assertTrue(np.shares_memory(points, again))
        self.assertTrue(np.shares_memory(points[3:], again[:4]))
        with self.assertRaises(ValueError):
            points[0, 0] = 1.0
        with self.assertRaises(ValueError):
            points.flags.writeable = True
        before = points.copy()
        gone = weakref.ref(barrel) if hasattr(barrel, "__weakref__") else None
        del barrel, again
        gc.collect()
        if gone is not None:
            self.assertIsNone(gone())
        np.testing.assert_array_equal(points, before)

    def test_normals_are_of_unit_length_and_point_outward(self):
        ball = ductile.Mesh.solid("sphere")
        np.testing.assert_allclose(np.linalg.norm(ball.normals, axis=1), 1.0)
        self.assertGreater(np.einsum("ij,ij->i", ball.normals, ball.points).min(), 0.0)

    def test_a_mesh_written_as_obj_is_read_back(self):
        barrel = ductile.Mesh.solid("barrel")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "barrel.obj"
            barrel.write_obj(path)
            again = ductile.Mesh.load(path, scale=1, up="y")
        self.assertEqual(again.report["file"]["format"], "OBJ")
        self.assertEqual(len(again.render_triangles), len(barrel.render_triangles))
        np.testing.assert_allclose(again.bounds, barrel.bounds, atol=1e-6)
        self.assertAlmostEqual(again.volume, barrel.volume, places=6)

    def test_drawn_vertices_name_those_of_the_file(self):
        corners = ["0 0 0", "9 9 9", "1 0 0", "1 1 0", "0 1 0"]  # The second is used by no face.
        text = "".join(f"v {c}\n" for c in corners) + "vt 0 0\nvt 1 0\nvt 1 1\nvt 0.5 0.5\n"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "seam.obj"
            path.write_text(text + "f 1/1 3/2 4/3\nf 1/4 4/1 5/2\n", encoding="utf-8")
            seam = ductile.Mesh.load(path, scale=1, up="y")
        self.assertEqual(seam.file_points.shape, (5, 3))
        self.assertGreater(len(seam.render_points), 4)  # Split along the seam.
        self.assertEqual(sorted(set(seam.file_vertices.tolist())), [0, 2, 3, 4])
        np.testing.assert_array_equal(seam.file_points[seam.file_vertices], seam.render_points)
        box = ductile.Mesh.solid("box")
        np.testing.assert_array_equal(box.file_points, box.render_points)
        np.testing.assert_array_equal(box.file_vertices, np.arange(len(box.render_points)))

    def test_bad_arrays_are_refused_with_a_message(self):
        refused = [
            (ValueError, CUBE[:, :2], CUBE_FACES), (ValueError, CUBE * np.nan, CUBE_FACES),
            (ValueError, CUBE * 1e9, CUBE_FACES), (IndexError, CUBE, CUBE_FACES + 1),
            (IndexError, CUBE, -CUBE_FACES), (TypeError, CUBE, CUBE_FACES + 0.5),
            (TypeError, "points", CUBE_FACES), (ValueError, CUBE, CUBE_FACES[:0]),
            (ValueError, None, None)]
        for i, (kind, points, triangles) in enumerate(refused):
            with self.subTest(i), self.assertRaises(kind):
                ductile.Mesh(points, triangles)

    def test_an_unknown_option_names_the_nearest_known_one(self):
        with self.assertRaisesRegex(ductile.Error, "resolution"):
            ductile.Mesh.solid("box", resolutoin=0.1)
        with self.assertRaises(ductile.Error) as caught:
            ductile.Mesh.solid("bocks")
        self.assertIn("box", caught.exception.what)
        self.assertIsInstance(caught.exception, ValueError)

    def test_a_file_that_is_not_there_is_an_error_that_names_it(self):
        with self.assertRaises(ductile.Error) as caught:
            ductile.Mesh.load("no-such-file.obj")
        self.assertIn("no-such-file.obj", caught.exception.where)

    def test_an_unmoved_surface_has_no_damage_and_a_pushed_point_has_its_depth(self):
        ball = ductile.Mesh.solid("sphere")
        for values in ball.damage(ball.points).values():
            self.assertEqual(np.abs(values).max(), 0.0)
        moved = ball.points.copy()
        moved[5] -= 0.01 * ball.normals[5]
        self.assertAlmostEqual(ball.damage(moved)["depth"][5], 0.01)

    def test_an_unmoved_surface_is_drawn_as_the_asset_is(self):
        barrel = ductile.Mesh.solid("barrel")
        points, normals = barrel.pose(barrel.points)
        np.testing.assert_array_equal(points, barrel.render_points)
        np.testing.assert_array_equal(normals, barrel.render_normals)


class Materials(unittest.TestCase):
    def test_cards_are_found_by_name_and_changed_by_copy(self):
        steel = ductile.Material("steel")
        self.assertIn(steel, ductile.materials())
        soft = steel.replace(yield_stress=2e7)
        self.assertEqual((soft.yield_stress, soft.density), (2e7, steel.density))
        self.assertNotEqual(soft, steel)
        self.assertEqual(hash(steel), hash(ductile.Material()))
        with self.assertRaisesRegex(ductile.Error, "density"):
            steel.replace(density=-1)


class DentMaps(unittest.TestCase):
    def test_the_envelope_equals_brute_force(self):
        rng = np.random.default_rng(3)
        depths = rng.uniform(0, 0.02, (17, 23)) * (rng.random((17, 23)) < 0.1)
        cell, reach = 0.01, 0.07
        x, y = np.arange(23) * cell, np.arange(17) * cell
        sharpness = np.log(100) / reach**2
        apart = ((x[None, :, None, None] - x[None, None, None, :])**2
                 + (y[:, None, None, None] - y[None, None, :, None])**2)
        wanted = (depths[None, None] * np.exp(-sharpness * apart)).max(axis=(2, 3))
        found = ductile.DentMap(depths, cell).broaden(reach).depths
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-18)

    def test_smoothing_keeps_the_deepest_depth_and_the_floor(self):
        sharp = ductile.DentMap.projectile(ductile.Mesh.solid("box", size=[0.2, 0.2, 0.2]),
                                           distance=0.03)
        broad = sharp.broaden(0.03)
        soft = broad.smooth(20, floor=sharp)
        self.assertAlmostEqual(soft.deepest, sharp.deepest)
        self.assertTrue((soft.depths >= sharp.depths - 1e-15).all())
        self.assertTrue((broad.depths >= sharp.depths).all())

    def test_a_pressed_ball_leaves_a_cap(self):
        ball = ductile.Mesh.solid("sphere", size=[0.4, 0.4, 0.4], resolution=0.01)
        found = ductile.DentMap.projectile(ball, distance=0.02, grid=60)
        x, y = np.meshgrid(found.x, found.y)
        wanted = np.maximum(0.0, np.sqrt(np.maximum(0, 0.2**2 - x**2 - y**2)) - 0.18)
        self.assertLess(np.abs(found.depths - wanted).max(), 0.0015)

    def test_maps_are_read_between_samples_and_have_a_place_for_each(self):
        made = ductile.DentMap(np.outer(np.arange(3.0), np.arange(4.0)) * 0.001, 0.5)
        self.assertEqual(made.depths.shape, (3, 4))
        for j, y in enumerate(made.y):
            for i, x in enumerate(made.x):
                self.assertAlmostEqual(made.depth(x, y), made.depths[j, i])
        self.assertEqual(made.depth(100, 0), 0.0)

    def test_a_map_pressed_into_a_plate_is_the_shape_it_has(self):
        plate = ductile.Mesh.solid("plate", size=[1, 0.02, 1], resolution=0.02)
        made = ductile.DentMap.gaussian(41, 0.3, 0.05)
        journal = ductile.Journal()
        top = plate.bounds[1][1]
        journal.add(**made.hit([0, top, 0], [0, -1, 0], attenuation="none"))
        pushed = plate.points[:, 1] - journal.points(plate)[:, 1]
        radius = np.hypot(plate.points[:, 0], plate.points[:, 2])
        self.assertAlmostEqual(pushed.max(), 0.05, places=3)
        self.assertEqual(pushed[radius > 0.35].max(), 0.0)

    def test_bad_maps_are_refused(self):
        for depths, cell in (([[-1.0]], 1), ([[np.nan]], 1), ([[1.0]], 0), ([1.0], 1), ([[]], 1)):
            with self.subTest(depths), self.assertRaises(ValueError):
                ductile.DentMap(depths, cell)
        flat = ductile.DentMap(np.zeros((5, 5)), 0.1)
        with self.assertRaises(ValueError):
            flat.hit([0, 0, 0], [0, -1, 0])
        with self.assertRaises(ValueError):
            flat.smooth(3, floor=np.zeros((4, 5)))
        with self.assertRaisesRegex(ductile.Error, "character"):
            ductile.DentMap.formula("1 - r^", 20, 0.1, 0.01)


if __name__ == "__main__":
    unittest.main()
