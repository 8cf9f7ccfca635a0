#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that tests compare numbers by tests/support/near.h.

Usage: check_tolerances.py [--self-test] [ROOT]

doctest's Approx allows epsilon * (1 + |value|): of millimetres it allows centimetres, and a result
of 0 passes. It is refused, and so is a band in plain numbers that holds 0, as that of
within(x, 0.0005, 0.002). Prints "file:line: what is wrong (what to write)" and exits with 1 if
anything is.
"""

import pathlib
import re
import sys
import tempfile

APPROX = re.compile(r"(?<!\w)Approx\b")
CALL = re.compile(r"\b(near|within)\(")
NUMBER = re.compile(r"[-+]?(\d[\d']*\.?\d*|\.\d+)(e[-+]?\d+)?f?", re.IGNORECASE)
OPENING, CLOSING = "([{", ")]}"
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def blanked(match):
    """As long as the text, with its ends of lines: places stay as they are."""
    return re.sub(r"[^\n]", " ", match[0])


def arguments_from(text, begin):
    """What stands between the bracket before `begin` and its end, parted at its own commas."""
    parts, depth, last = [], 0, begin
    for at in range(begin, len(text)):
        if text[at] in OPENING:
            depth += 1
        elif text[at] in CLOSING and depth > 0:
            depth -= 1
        elif text[at] in CLOSING:
            return parts + [text[last:at].strip()]
        elif text[at] == "," and depth == 0:
            parts.append(text[last:at].strip())
            last = at + 1
    return []


def value_of(text):
    """The number that is written there; None for anything that has to be computed."""
    return float(text.replace("'", "").rstrip("fF")) if NUMBER.fullmatch(text) else None


def band_problem(name, arguments):
    if len(arguments) not in (2, 3):
        return None
    reference = value_of(arguments[1])
    allowed = value_of(arguments[2]) if len(arguments) == 3 else None
    if name == "near" and allowed is not None and not 0 <= allowed < 1:
        return f"near() within {arguments[2]} of a number (a share of it: at least 0, below 1)"
    if name == "near" and reference == 0:
        return "nothing but 0 is near 0 (within(), and a share of a size that belongs to it)"
    if name == "within" and None not in (reference, allowed) and 0 < abs(reference) <= allowed:
        return (f"a result of 0 is within {arguments[2]} of {arguments[1]} "
                "(near(), or a narrower band)")
    return None


def problems_in(text):
    """(line, what is wrong) of a test's text."""
    text = COMMENT.sub(blanked, text)
    found = [(match.start(), "Approx allows epsilon * (1 + |value|) (near() or within() of "
                             "support/near.h)") for match in APPROX.finditer(text)]
    for match in CALL.finditer(text):
        problem = band_problem(match[1], arguments_from(text, match.end()))
        if problem:
            found.append((match.start(), problem))
    return [(text.count("\n", 0, at) + 1, problem) for at, problem in sorted(found)]


def check(root):
    """(problems, number of files)."""
    tests = pathlib.Path(root) / "tests"
    files = sorted(p for p in tests.rglob("*") if p.suffix in (".h", ".cpp")
                   and p.relative_to(tests).as_posix() != "core/near_test.cpp")
    problems = [f"{path.relative_to(root)}:{line}: {problem}" for path in files
                for line, problem in problems_in(path.read_text(encoding="utf-8"))]
    return problems, len(files)


SOUND = """// Approx of doctest is not for us
CHECK(test::near(a.b(1, 2), 0.0005, 0.02));
CHECK(test::near(f({1, 2}), size));
CHECK(test::within(x, 0.0, 1e-9 * radius));
CHECK(test::within(x, 0, 1e-9));
CHECK(test::within(x, -0.5,
                   0.1));
CHECK(test::near(x, 2'000.0, 1e-3));
CHECK(a.isApprox(b, 1e-12));
engine->bodies_near({1, 2}, near);
"""
# What is wrong: a line, and how the answer begins.
UNSOUND = [
    ("CHECK(x == doctest::Approx(0.0005).epsilon(0.002));", "Approx allows"),
    ("CHECK(x == Approx(3));", "Approx allows"),
    ("const auto close = [](double v) { return doctest::Approx{v}; };", "Approx allows"),
    ("using doctest::Approx;", "Approx allows"),
    ("CHECK(test::within(x, 0.0005, 0.002));", "a result of 0 is within 0.002 of 0.0005"),
    ("CHECK(within(f(1, 2), -1e-3,\n    1e-3));", "a result of 0 is within 1e-3 of -1e-3"),
    ("CHECK(test::near(x, y, 1.0));", "near() within 1.0"),
    ("CHECK(test::near(x, y, -0.1));", "near() within -0.1"),
    ("CHECK(test::near(x, 0.0, 1e-9));", "nothing but 0 is near 0"),
    ("CHECK(test::near(x, 0));", "nothing but 0 is near 0"),
]


def self_test():
    with tempfile.TemporaryDirectory() as root:
        folder = pathlib.Path(root) / "tests" / "geom"
        folder.mkdir(parents=True)
        (folder / "sound_test.cpp").write_text(SOUND, encoding="utf-8")
        problems, count = check(root)
        assert (problems, count) == ([], 1), problems
        for text, answer in UNSOUND:
            (folder / "bad.h").write_text("\n" + text + "\n", encoding="utf-8")
            problems, _ = check(root)
            wanted = f"tests/geom/bad.h:2: {answer}"
            assert len(problems) == 1 and problems[0].startswith(wanted), (text, problems)
    print(f"check_tolerances: self-test passed, {len(UNSOUND)} faults found")


def main():
    arguments = sys.argv[1:]
    if "--self-test" in arguments:
        self_test()
        arguments.remove("--self-test")
    here = pathlib.Path(__file__).resolve().parent.parent
    problems, count = check(arguments[0] if arguments else here)
    print("\n".join(problems) or f"check_tolerances: {count} files compare by near() and within()")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
