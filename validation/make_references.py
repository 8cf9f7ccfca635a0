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


def block_tables(chosen, end):
    rows, lines, curves = [], [], []
    for metal, depth, ratio in ball_on_block.cases(chosen):
        try:
            row, profile, load = ball_on_block.solve(metal, depth, ratio)
        except Exception:
            traceback.print_exc()
            continue
        rows.append(row)
        lines += [{"metal": metal, "depth": depth, "r": r, "z": z} for r, z in profile if r < 4 * row["radius"]]
        curves += [{"metal": metal, "case": depth, "depth": d, "force": f} for d, f in load]
        print(row, flush=True)
        ccx.write_table(HERE / f"ball_on_block{end}.csv", rows)
        ccx.write_table(HERE / f"ball_on_block_loads{end}.csv", curves)
        ccx.write_table(HERE / f"ball_on_block_profiles{end}.csv", lines)


def sheet_tables(cases, end):
    rows, lines = [], []
    for case in cases:
        try:
            row, points = ball_on_sheet.solve(*case)
        except Exception:
            traceback.print_exc()
            continue
        rows.append(row)
        lines += [{"support": case[0], "thickness": case[1], "span": case[2], "depth": case[3], "r": r, "z": z}
                  for r, z in points]
        print(row, flush=True)
        ccx.write_table(HERE / f"ball_on_sheet{end}.csv", rows)
        ccx.write_table(HERE / f"ball_on_sheet_profiles{end}.csv", lines)


if __name__ == "__main__":
    wanted = sys.argv[1:] or ["block", "sheet"]
    if "block" in wanted:
        block_tables(ball_on_block.DEPTHS, "")
        block_tables(ball_on_block.HELD_OUT, "_held_out")
    if "sheet" in wanted:
        sheet_tables(ball_on_sheet.CASES, "")
        sheet_tables(ball_on_sheet.HELD_OUT, "_held_out")
