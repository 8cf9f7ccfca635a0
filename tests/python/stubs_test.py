# SPDX-License-Identifier: MIT
"""The stubs say what the module has: names, kinds, parameters, defaults."""

import ast
import inspect
import pathlib
import re
import sys
import unittest

import ductile
from signatures import split_words

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import make_stubs  # noqa: E402

SIGNATURE = re.compile(r"^(\w+)\((.*)\) -> (.*)$")
# What every class has, and what Python calls by itself.
COMMON = {"__doc__", "__module__", "__repr__", "__dict__", "__weakref__"}


def stub_tree():
    path = pathlib.Path(ductile.__file__).with_name("__init__.pyi")
    return ast.parse(path.read_text(encoding="utf-8"))


def module_parameters(function):
    """[(name, default or None)] as pybind11 writes them in the first line of the help."""
    if inspect.isfunction(function):
        return [(name, None) for name in inspect.signature(function).parameters]
    match = SIGNATURE.match(function.__doc__.split("\n")[0])
    assert match, f"no signature: {function.__doc__!r}"
    out = []
    for word in split_words(match[2]):
        name, _, rest = word.partition(":")
        default = rest.partition("=")[2].strip() if "=" in rest else None
        out.append((name.strip(), default))
    # The receiver has no name of its own.
    return [(("self" if i == 0 and n in ("self", "arg0") else n), d)
            for i, (n, d) in enumerate(out)]


def stub_parameters(node):
    arguments = node.args
    names = [a.arg for a in arguments.args]
    defaults = [None] * (len(names) - len(arguments.defaults)) + [
        repr(ast.literal_eval(d)) for d in arguments.defaults]
    out = list(zip(names, defaults))
    # Options by name are keywords here and a dict to the module.
    if arguments.kwonlyargs:
        out.append(("**kwargs", None))
    return out


def is_property(node):
    return any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)


def is_static(node):
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)


class Stubs(unittest.TestCase):
    def setUp(self):
        body = stub_tree().body
        self.classes = {n.name: n for n in body if isinstance(n, ast.ClassDef)}
        self.functions = {n.name: n for n in body if isinstance(n, ast.FunctionDef)}

    def test_the_stubs_name_what_the_package_exports(self):
        self.assertEqual({*self.classes, *self.functions}, set(ductile.__all__))

    def test_functions_have_the_parameters_and_defaults_of_the_module(self):
        for name, node in self.functions.items():
            with self.subTest(name):
                self.assertEqual(stub_parameters(node), module_parameters(getattr(ductile, name)))

    def test_classes_have_the_members_of_the_module(self):
        for name, node in self.classes.items():
            if name == "Error":
                continue
            with self.subTest(name):
                stubs = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
                members = {m for m in vars(getattr(ductile, name))
                           if not m.startswith("_pybind11")} - COMMON
                # Classes that Python cannot make have an __init__ that says so.
                if "__init__" not in stubs:
                    with self.assertRaises(TypeError):
                        getattr(ductile, name)()
                    members.discard("__init__")
                self.assertEqual(stubs, members)

    def test_methods_have_the_kind_parameters_and_defaults_of_the_module(self):
        for name, node in self.classes.items():
            for method in (n for n in node.body if isinstance(n, ast.FunctionDef)):
                with self.subTest(f"{name}.{method.name}"):
                    member = vars(getattr(ductile, name))[method.name]
                    self.assertEqual(is_property(method), isinstance(member, property))
                    self.assertEqual(is_static(method), isinstance(member, staticmethod))
                    if is_property(method) or method.name in ("__hash__", "__len__"):
                        continue
                    function = getattr(getattr(ductile, name), method.name)
                    self.assertEqual(stub_parameters(method), module_parameters(function))

    def test_options_are_those_of_the_field_lists(self):
        # scripts/make_stubs.py writes them anew.
        stub = make_stubs.PACKAGE / "__init__.pyi"
        options, text = make_stubs.make(ductile.fields, stub.read_text(encoding="utf-8"))
        self.assertEqual(text, stub.read_text(encoding="utf-8"))
        self.assertEqual(options, (stub.with_name("options.py")).read_text(encoding="utf-8"))

    def test_every_keyword_has_a_type_and_is_taken(self):
        for node in self.classes["Simulation"].body:
            if getattr(node, "name", "") == "add_deformable":
                keywords = {a.arg: ast.unparse(a.annotation) for a in node.args.kwonlyargs}
        self.assertEqual(keywords["thickness"], "float")
        self.assertEqual(keywords["velocity"], "options.Vector")
        self.assertEqual(keywords["dent"], "Optional[options.Dent]")
        world = ductile.Simulation()
        mesh = ductile.Mesh.solid("box")
        dent = ductile.options.Dent(rim=0.2, shape={"source": "cosine"})
        self.assertEqual(world.add_deformable(mesh, dent=dent), world.bodies[0])
        with self.assertRaises(ductile.Error):
            world.add_deformable(mesh, dent=ductile.options.Dent(rmi=0.2))

    def test_errors_have_the_attributes_of_the_stub(self):
        node = self.classes["Error"]
        names = {n.target.id for n in node.body if isinstance(n, ast.AnnAssign)}
        with self.assertRaises(ductile.Error) as caught:
            ductile.Material("stel")
        self.assertEqual(names, set(vars(caught.exception)))


if __name__ == "__main__":
    unittest.main()
