# SPDX-License-Identifier: MIT
"""Documented numbers at the ends of their ranges, through the command: pictures included."""

import json
import math

SCENES = ("one-barrel", "directed-hits", "press-plane-sphere")
# Small enough to draw in a moment, before the number that is tried.
SMALL = ["--quiet", "--draft", "--max-frames", "2", "--out", "out",
         "--set", "picture.width=48", "--set", "picture.height=32", "--set", "picture.samples=1",
         "--set", "outputs.film=false", "--set", "bodies.*.solid.resolution=0.3"]
# What is honestly expensive at its upper end: time, memory and pictures that were asked for.
COSTLY = ("picture.width", "picture.height", "picture.samples", "step_rate", "sub_steps", "threads")


def documented_numbers(command, folder):
    """(path, lower end, upper end, whether it is whole) of every number outside of lists."""
    schema = json.loads(command.call("schema", folder=folder).output)
    return sorted(_numbers(schema, schema, ""))


def _numbers(schema, root, path):
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    for choice in schema.get("oneOf", ()):
        yield from _numbers(choice, root, path)
    if schema.get("type") in ("number", "integer") and path:
        if "minimum" in schema and "maximum" in schema:
            yield path, schema["minimum"], schema["maximum"], schema["type"] == "integer"
    for name, part in schema.get("properties", {}).items():
        yield from _numbers(part, root, f"{path}.{name}" if path else name)
    if isinstance(schema.get("additionalProperties"), dict):
        yield from _numbers(schema["additionalProperties"], root, f"{path}.*")


def extremes(lower, upper, is_whole):
    if is_whole:
        return [lower, lower + 1, upper - 1, upper]
    return [lower, math.nextafter(lower, upper), math.nextafter(upper, lower), upper]


def attack_range(rng, command, folder):
    """One number, one value, one scene; what was found, or None."""
    path, lower, upper, is_whole = rng.choice(command.numbers())
    values = extremes(lower, upper, is_whole)
    value = rng.choice(values[:2] if path in COSTLY else values)
    scene = rng.choice(SCENES)
    done = command.call("run", scene, *SMALL, "--set", f"{path}={value!r}", folder=folder)
    problem = done.problem()
    return f"{scene} with {path}={value!r}: {problem}" if problem else None
