# SPDX-License-Identifier: MIT
"""The example makes its figure, and the figure shows what it says."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zlib

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python" / "figure.py"


class Figure(unittest.TestCase):
    def test_dents_are_as_deep_as_asked_and_softer_ones_are_wider(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "figure.png"
            done = subprocess.run([sys.executable, EXAMPLE, out, "--small"], check=True,
                                  capture_output=True, text=True)
            picture = out.read_bytes()
        rows = [list(map(float, line.split())) for line in done.stdout.splitlines()
                if re.match(r"^[\s\d.]+$", line)]
        self.assertEqual(len(rows), 8)
        for distance, _, deepest, volume in rows:
            # A coarse block has no point just under the deepest place.
            self.assertLessEqual(deepest, 1.001 * distance)
            self.assertGreater(deepest, 0.8 * distance)
            self.assertGreater(volume, 0)
        deeper, softer = rows[:4], rows[4:]
        self.assertEqual(sorted(row[3] for row in deeper), [row[3] for row in deeper])
        self.assertEqual(sorted(row[3] for row in softer), [row[3] for row in softer])
        self.assertTrue(picture.startswith(b"\x89PNG"))
        # A picture of one colour packs into next to nothing.
        self.assertGreater(len(zlib.compress(picture)), 5000)


if __name__ == "__main__":
    unittest.main()
