#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs CalculiX for all references and writes the tables beside this program. Hours, on one core."""
import pathlib
import sys
import traceback

import ball_on_block
import ball_on_sheet
import ccx

HERE = pathlib.Path(__file__).parent


def block_tables():
    rows, lines, curves = [], [], []
    for metal, depth, ratio in ball_on_block.cases():
        try:
            row, profile, load = ball_on_block.solve(metal, depth, ratio)
        except Exception:
            traceback.print_exc()
            continue
        rows.append(row)
        lines += [{"metal": metal, "depth": depth, "r": r, "z": z} for r, z in profile if r < 4 * row["radius"]]
        curves += [{"metal": metal, "case": depth, "depth": d, "force": f} for d, f in load]
        print(row, flush=True)
        ccx.write_table(HERE / "ball_on_block.csv", rows)
        ccx.write_table(HERE / "ball_on_block_loads.csv", curves)
        ccx.write_table(HERE / "ball_on_block_profiles.csv", lines)


def sheet_tables():
    rows, lines = [], []
    for case in ball_on_sheet.CASES:
        try:
            row, points = ball_on_sheet.solve(*case)
        except Exception:
            traceback.print_exc()
            continue
        rows.append(row)
        lines += [{"support": case[0], "thickness": case[1], "span": case[2], "depth": case[3], "r": r, "z": z}
                  for r, z in points]
        print(row, flush=True)
        ccx.write_table(HERE / "ball_on_sheet.csv", rows)
        ccx.write_table(HERE / "ball_on_sheet_profiles.csv", lines)


if __name__ == "__main__":
    wanted = sys.argv[1:] or ["block", "sheet"]
    if "block" in wanted:
        block_tables()
    if "sheet" in wanted:
        sheet_tables()
