# SPDX-License-Identifier: MIT
"""Whether faults are planted as promised, and judged right on a small project of its own."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

from mutate import judge, known, plant
from tally import ROOT, RUNNING

# Of each kind: a source, and all that this kind of fault makes of it.
PLANTED = [
    ("term", "y = a + b * c;", ["y = a;", "y = a + b;"]),
    ("term", "y = f(a - b(c, d), e);", ["y = f(a, e);"]),
    ("term", "y = a && b || c;", ["y = a || c;", "y = a && b;"]),
    ("sign", "y = a - b / c;", ["y = a + b / c;", "y = a - b * c;"]),
    ("sign", "y = f(-a);", ["y = f(a);"]),
    ("sign", "y += x;", ["y -= x;"]),
    ("bound", "b = i < n;", ["b = i <= n;"]),
    ("bound", "y = std::min(a, b);", ["y = std::max(a, b);"]),
    ("bound", "y = 0.5f * x[2];", ["y = 1.0f * x[2];", "y = 0.25f * x[2];", "y = 0.5f * x[3];",
                                   "y = 0.5f * x[1];"]),
    ("bound", "y = 1e-12 + 1e300;", []),
    ("bound", "y = -1;", []),
    ("bound", "y = 40u;", ["y = 80u;", "y = 20u;"]),
    ("swap", "y = f(a, g(b), b);", ["y = f(g(b), a, b);", "y = f(a, b, g(b));"]),
    ("swap", "y = f(a, a) + std::max(a, b);", []),
    ("swap", "y = f(x<a, b>(c), d);", ["y = f(d, x<a, b>(c));"]),
    ("swap", "double f(double a, const Vec3& b) {}", []),
    ("guard", "if (a) return b; c();", ["{} c();"]),
    ("guard", "if (a) { b(); return; } c();", ["{} c();"]),
    ("guard", "if (a) { b(); } c();", []),
    ("guard", "if (a) { if (b) { c(); } continue; } d();", ["{} d();"]),
    ("guard", "if (a) return b; else c();", []),
    ("statement", "{ a.b[i + 1].c(d); }", ["{ ; }"]),
    ("statement", "{ a[i + 1] = b; }", ["{ ; }"]),
    ("statement", "{ ++a; }", ["{ ; }"]),
    ("statement", "{ double a = b; Vec3 c(d); std::vector<int> e(f); return g(h); }", []),
    ("statement", "{ a.reserve(b); }", []),
    ("condition", "if (a < b) c();", ["if (!(a < b)) c();"]),
    ("condition", "if (const auto* a = b()) c();", []),
    ("condition", "y = a == b && c;", ["y = a != b && c;", "y = a == b || c;"]),
    ("condition", "void f(T&& t);", []),
]
LEFT_ALONE = """#include <a-b.h>
// a + b
/* a + b */
DUCTILE_ASSERT(a + b < 3);
static_assert(1 + 2 == 3);
std::vector<double> x;
text = "1 + 2" R"(3 + 4)" ;
c = '+';
constexpr std::size_t kFaceGrain = 64;
"""

PROJECT = {
    "CMakeLists.txt": """cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
add_library(small_geom STATIC src/ductile/geom/numbers.cpp src/ductile/geom/user.cpp)
target_include_directories(small_geom PUBLIC src)
set_target_properties(small_geom PROPERTIES UNITY_BUILD ON)
add_executable(test_geom tests/geom/numbers_test.cpp tests/geom/user_test.cpp)
set_target_properties(test_geom PROPERTIES UNITY_BUILD ON)
target_link_libraries(test_geom small_geom)
add_executable(test_sim tests/sim/other_test.cpp)
target_link_libraries(test_sim small_geom)
""",
    "src/ductile/geom/numbers.h": """#pragma once
int twice(int);
int up_to(int);
int other(int);
int four_times(int);
""",
    "src/ductile/geom/numbers.cpp": """#include <ductile/geom/numbers.h>
static const int kNobodyUses = 5;
int twice(int x) {
    return x + x;
}
int up_to(int end) {
    int n = 0;
    while (n != end) {
        n += 1;
    }
    return n;
}
int other(int x) {
    int y = x + 3;
    return y + 4 - x;
}
""",
    "src/ductile/geom/user.cpp": """#include <ductile/geom/numbers.h>
int four_times(int x) { return twice(twice(x)); }
""",
    "tests/geom/numbers_test.cpp": """#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <ductile/geom/numbers.h>
TEST_CASE("it counts, and ends") { CHECK(up_to(3) == 3); }
TEST_CASE("a number is more than nothing") { CHECK(other(1) > 0); }
""",
    "tests/geom/user_test.cpp": """#include <doctest/doctest.h>
#include <ductile/geom/numbers.h>
TEST_CASE("four times is twice twice") { CHECK(four_times(3) == 12); }
""",
    "tests/sim/other_test.cpp": """#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <ductile/geom/numbers.h>
TEST_CASE("others count on it") { CHECK(other(1) == 7); }
""",
}
NUMBERS = "geom/numbers.cpp"
# What becomes of a fault: seen by the test of a neighbour in the unit, one without an end, one that
# nobody looks for, one in code that nobody uses, one that is on the list.
OUTCOMES = {
    f"{NUMBERS}:4:sign:0": "noticed by geom/user_test.cpp",
    f"{NUMBERS}:9:statement:0": "noticed by geom/numbers_test.cpp",
    f"{NUMBERS}:14:term:0": "missed",
    f"{NUMBERS}:2:bound:0": "the same code",
    f"{NUMBERS}:15:bound:0": "known",
}
LISTED = f"{NUMBERS}: other() promises no more\n- return y + 4 - x;\n+ return y + 5 - x;\n"
BROKEN = PROJECT["tests/geom/user_test.cpp"].replace("== 12", "== 13")


def check(claim, holds, shown=""):
    if not holds:
        raise AssertionError(f"{claim}: {shown}")


def check_planting():
    for kind, source, wanted in PLANTED:
        found = [fault.planted_in(source) for fault in plant.find_faults("a.cpp", source)
                 if fault.kind == kind]
        check(f"{kind} in {source}", found == wanted, found)
    faults = [fault for fault in plant.find_faults("a.cpp", LEFT_ALONE)
              if fault.kind != "statement"]
    check("comments, texts, asserts and types are left alone", not faults, faults)
    source = "if (a) {\n    b();\n    return;\n}\nc();\n"
    guard = next(f for f in plant.find_faults("a.cpp", source) if f.kind == "guard")
    check("lines keep their numbers", guard.planted_in(source).count("\n") == source.count("\n"))
    check("and a change is one line each",
          guard.change(source) == ("if (a) { b(); return; }", "{}"), guard.change(source))


def check_order():
    runs = judge.runs_of("geom/a_test.cpp", [("x, y", 9.0), ("z", 1.0)]) + \
        judge.runs_of("geom/b_test.cpp", [("u", 0.5)]) + \
        judge.runs_of("geom/c_test.cpp", [("v", 2.0)])
    check("a slow case runs by itself, its name escaped",
          runs[0].filters[1] == "-tc=x\\, y" and runs[1].filters[1] == "-tce=x\\, y", runs)
    texts = {"geom/a_test.cpp": "", "geom/b_test.cpp": "",
             "geom/c_test.cpp": "#include <ductile/geom/a.h>\n"}
    ordered, is_cut = judge.in_order(runs, "geom/a.cpp", texts, 60)
    check("a source's own test, who includes it, then the cheapest",
          [(run.file[5], run.seconds) for run in ordered] ==
          [("a", 1.0), ("c", 2.0), ("a", 9.0), ("b", 0.5)] and not is_cut, ordered)
    ordered, is_cut = judge.in_order(runs, "geom/a.cpp", texts, 4)
    check("and no more than the budget",
          [run.file[5] for run in ordered] == ["a", "c", "b"] and is_cut, ordered)


def check_list():
    check("the list is read", known.read_equivalents(LISTED + "\n# more\n") ==
          {(NUMBERS, "return y + 4 - x;", "return y + 5 - x;"): "other() promises no more"})
    try:
        known.read_equivalents("geom/a.cpp:\n- a\n+ b\n")
    except ValueError:
        pass
    else:
        raise AssertionError("an entry without a reason is taken")
    own = known.read_equivalents(known.FILE.read_text(encoding="utf-8"))
    old = known.stale(own, ROOT / "src" / "ductile")
    check(f"{known.FILE.name} names lines that are no longer there", not old, old)
    gone = known.stale({("geom/mass.cpp", "no such line", "x"): "y"}, ROOT / "src" / "ductile")
    check("a line that is gone is named", len(gone) == 1)


def check_idle(folder):
    began = time.monotonic()
    judge.IDLE_S, kept = 2, judge.IDLE_S
    status, _ = judge.call("sleep", ["60"], 0.1, folder)
    stopped = "kill -STOP $$; echo on"
    waker = threading.Timer(5, lambda: os.killpg(next(iter(RUNNING)), signal.SIGCONT))
    waker.start()
    paused = judge.call("sh", ["-c", stopped], 0.1, folder)
    judge.IDLE_S = kept
    check("what is stopped from outside is waited for", paused == (0, "on\n"), paused)
    check("what does nothing is ended", status != 0 and time.monotonic() - began < 20, status)
    status, output = judge.call("echo", ["done"], 0.1, folder)
    check("what ends is heard", (status, output) == (0, "done\n"), output)


def write_project(folder):
    for name, text in PROJECT.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    subprocess.run(["cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build",
                    "-DCMAKE_CXX_COMPILER=g++", "-DCMAKE_CXX_FLAGS=-O1"], check=True,
                   stdout=subprocess.DEVNULL)


def call(folder, *words):
    answer = subprocess.run([sys.executable, ROOT / "scripts" / "run_mutate.py", "--build",
                             folder / "build", "--out", folder / "out", "--jobs", "2",
                             "--known", folder / "listed.txt", *words],
                            capture_output=True, text=True, check=False)
    return answer.returncode, answer.stdout + answer.stderr


def check_campaign(folder):
    write_project(folder)
    (folder / "listed.txt").write_text(LISTED, encoding="utf-8")
    cases = [word for name in OUTCOMES for word in ("--case", name)]
    status, output = call(folder, *cases)
    for name, outcome in OUTCOMES.items():
        check(f"{name} is {outcome}", f"] {outcome}: {name} " in output, output)
    check("missed faults are status 1, and shown", status == 1 and "- int y = x + 3;" in output,
          output)
    check("and counted", "geom               5        2        1" in output, output)
    status, output = call(folder, *cases[:2])
    check("noticed ones are status 0", status == 0, output)
    status, output = call(folder, *cases[:2], "--resume")
    check("and are not tried again", output.count("(0 s)") == 1, output)
    status, output = call(folder, *cases[4:6], "--also", "sim")
    check("other folders are asked about what is missed",
          "noticed by sim/other_test.cpp" in output and status == 0, output)
    status, output = call(folder, "geom", "--count", "100", "--seed", "3")
    check("chance plants all there is, once", "noticed by geom/user_test.cpp" in output and
          f"{NUMBERS}:2:bound" in output and status == 1, output)
    status, output = call(folder, *cases[:2], "--also", "image", "--no-build", "--without-failing")
    check("what is not there is left out", "image is left out" in output and status == 0, output)
    (folder / "tests/geom/user_test.cpp").write_text(BROKEN, encoding="utf-8")
    status, output = call(folder, *cases[:2])
    check("tests that fail without a fault stop it", status == 2 and
          "geom/user_test.cpp: four times is twice twice" in output, output)
    for name, text in PROJECT.items():
        if "src" in name:
            check(f"{name} is as it was", (folder / name).read_text(encoding="utf-8") == text)


def run():
    check_planting()
    check_order()
    check_list()
    with tempfile.TemporaryDirectory(prefix="ductile-mutate-test-") as folder:
        check_idle(folder)
        check_campaign(pathlib.Path(folder))
    print(f"mutate: self-test passed, {len(PLANTED)} plantings and {len(OUTCOMES)} outcomes")
    return 0
