# SPDX-License-Identifier: MIT
"""Wrong arguments are reported with a message: what a call takes, what came, what is missing."""

import inspect
import unittest

import numpy as np

import ductile
from ductile import _core


def message(call, *args, **named):
    """The text of the TypeError or ValueError that a call ends in."""
    try:
        call(*args, **named)
    except (TypeError, ValueError) as error:
        return str(error)
    raise AssertionError("no error")


class Anything:
    """No argument of any call."""


def bound_calls():
    """(name, function) of all that pybind11 has bound, methods without their object."""
    for name, value in vars(_core).items():
        if inspect.isclass(value) and value is not ductile.Error:
            for inner, member in vars(value).items():
                if isinstance(member, property):
                    continue
                member = getattr(value, inner)
                if "instancemethod" in str(type(vars(value)[inner])) or inspect.isbuiltin(member):
                    yield f"{name}.{inner}", member
        elif inspect.isbuiltin(value):
            yield name, value


class WrongArguments(unittest.TestCase):
    def setUp(self):
        self.box = ductile.Mesh.solid("box", size=[0.2] * 3)

    def test_no_call_shows_the_overloads_of_pybind11(self):
        calls = list(bound_calls())
        self.assertGreater(len(calls), 90)
        for name, call in calls:
            for args in ((), (Anything(),), (Anything(),) * 9):
                try:
                    call(*args)
                except Exception as error:
                    with self.subTest(name=name, count=len(args)):
                        self.assertNotIn("incompatible", str(error))
                        self.assertNotIn("Invoked with", str(error))
                        self.assertNotIn("handle", str(error))

    def test_a_mesh_in_place_of_arrays_says_what_to_take_of_it(self):
        text = message(ductile.press, self.box, self.box)
        self.assertEqual(text, "ductile.press(soft_points, soft_triangles, rigid_points, "
                               "rigid_triangles, **options): rigid_points and rigid_triangles are "
                               "missing (of a Mesh give mesh.points and mesh.triangles)")
        text = message(ductile.press, self.box, self.box, self.box, self.box)
        self.assertEqual(text, "soft_points: of type ductile.Mesh (of a Mesh give mesh.points and "
                               "mesh.triangles), not an array of numbers")

    def test_a_value_of_the_wrong_type_is_named_with_what_is_wanted(self):
        world = ductile.Simulation()
        self.assertEqual(message(world.step, "a"),
                         "Simulation.step(dt, count=1): dt is 'a', not a number")
        self.assertEqual(message(world.step, 0.1, count=2.5),
                         "Simulation.step(dt, count=1): count is 2.5, not a whole number")
        self.assertEqual(message(world.add_rigid, Anything()),
                         "Simulation.add_rigid(mesh, **options): mesh is of type Anything, "
                         "not a ductile.Mesh")
        self.assertEqual(message(ductile.fields, None),
                         "ductile.fields(name): name is None, not a str")
        self.assertEqual(message(self.box.mass, thickness="thin"),
                         "Mesh.mass(material='steel', thickness=None): thickness is 'thin', "
                         "not a number or None")
        self.assertEqual(message(ductile.Simulation.step, 3, 0.1),
                         "Simulation.step(dt, count=1): self is 3, not a ductile.Simulation")
        self.assertEqual(message(world.mass, 2 ** 40),
                         "Simulation.mass(body): a whole number is negative or too large")

    def test_a_class_without_a_constructor_says_what_gives_its_objects(self):
        self.assertEqual(message(ductile.Recording),
                         "ductile.Recording is not made by a call of its own: Scene.run() or "
                         "Simulation.finish_recording() gives one")
        self.assertIn("press() or Presser.press() gives one", message(ductile.Pressed, 3, a=2))
        self.assertIn("JournalFile.load() or Recording.journal gives one",
                      message(ductile.JournalFile, "journal.json"))

        class Derived(ductile.Recording):
            def __init__(self):
                super().__init__()
        self.assertIn("Scene.run()", message(Derived))
        for kind in filter(inspect.isclass, vars(_core).values()):
            if kind is not ductile.Error:
                with self.subTest(kind.__name__):
                    self.assertNotIn("Initialize self", kind.__init__.__doc__)

    def test_too_many_unknown_and_missing_arguments_are_told(self):
        self.assertEqual(message(ductile.Simulation, 3),
                         "ductile.Simulation(**options): 1 argument came by position, it takes none "
                         "(options are given by name)")
        self.assertEqual(message(ductile.fields), "ductile.fields(name): name is missing")
        self.assertEqual(message(ductile.fields, "press", nmae="press"),
                         "ductile.fields(name): it has no argument 'nmae'")
        self.assertEqual(message(ductile.fields, "press", name="press"),
                         "ductile.fields(name): name came twice")
        self.assertIn("2 arguments came by position, it takes 1",
                      message(ductile.fields, "press", "press"))

    def test_an_array_of_the_wrong_shape_is_told_with_its_shape(self):
        points, triangles = self.box.points, self.box.triangles
        self.assertEqual(message(ductile.Mesh, points[:, :2], triangles),
                         f"points: an array of shape ({len(points)}, 2) and type float64, "
                         "not an array of shape (n, 3)")
        self.assertEqual(message(ductile.Mesh, 1, triangles),
                         "points: 1, not an array of shape (n, 3)")
        self.assertIn("and type float64, not an array of whole numbers",
                      message(ductile.Mesh, points, triangles + 0.5))
        self.assertEqual(message(ductile.write_png, "x.png", np.zeros((2, 2))),
                         "pixels: an array of shape (2, 2) and type float64, not an array of bytes "
                         "of shape (height, width, 3)")

    def test_errors_of_other_kinds_stay_as_they_are(self):
        self.assertIn("not int", message(ductile.Mesh.load, 3))

        class Angry:
            def __float__(self):
                raise KeyError("angry")
        self.assertIn("not a number", message(ductile.Simulation().step, Angry()))


if __name__ == "__main__":
    unittest.main()
