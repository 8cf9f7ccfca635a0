#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs CalculiX for all references and writes the tables beside this program. Hours, on one core."""
import pathlib
import sys
import traceback

import ball_impact
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


def add_rows(name, cases):
    """`cases`: what a row begins with, and a function that solves it. Rows that fail are told of and left out."""
    rows = []
    for first, solve in cases:
        try:
            rows.append({**first, **solve()})
        except Exception:
            traceback.print_exc()
            continue
        print(rows[-1], flush=True)
        ccx.write_table(HERE / f"{name}.csv", rows)


def hardening_table(chosen, end):
    add_rows("ball_on_hardening_block" + end,
             [({"exponent": n}, lambda metal=metal, n=n, d=depth: ball_on_block.solve(
                 metal, d, ball_on_block.RATIOS[metal], n, elements=ball_on_block.HARDENING_ELEMENTS)[0])
              for (metal, n), depths in chosen.items() for depth in depths])


def wedge_table(wedges, edges, end):
    def solve(angle, is_round, metal):
        striker = ball_on_block.Wedge(angle, is_round)
        return ball_on_block.solve(metal, 1.0, ball_on_block.RATIOS[metal], 0.0, striker, ball_on_block.DEEP_ELEMENTS)[0]

    cases = [({"striker": "cone" if case[1] else "blade", "half_angle": case[0]}, lambda case=case: solve(*case))
             for case in wedges]
    cases += [({"striker": "edge", "half_angle": 0.0},
               lambda metal=metal, d=depth: ball_on_block.solve(metal, d, ball_on_block.RATIOS[metal], 0.0,
                                                                ball_on_block.Edge(), ball_on_block.DEEP_ELEMENTS)[0])
              for metal, depths in edges.items() for depth in depths]
    add_rows("wedge_on_block" + end, cases)


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


def soft_tables():
    import soft_shapes  # needs numpy, no CalculiX

    tables = {is_held_out: ([], []) for is_held_out in (False, True)}
    for is_held_out, row, profile in soft_shapes.cases():
        rows, lines = tables[is_held_out]
        rows.append(row)
        lines += [{"shape": row["shape"], "poissons_ratio": row["poissons_ratio"], "depth": row["depth"],
                   "r": float(r), "z": float(z)} for r, z in profile]
        print(row, flush=True)
        end = "_held_out" if is_held_out else ""
        ccx.write_table(HERE / f"soft_shapes{end}.csv", rows)
        ccx.write_table(HERE / f"soft_shapes_profiles{end}.csv", lines)


if __name__ == "__main__":
    wanted = sys.argv[1:] or ["block", "hardening", "wedge", "impact", "sheet", "soft"]
    if "soft" in wanted:
        soft_tables()
    if "block" in wanted:
        block_tables(ball_on_block.DEPTHS, "")
        block_tables(ball_on_block.HELD_OUT, "_held_out")
    if "hardening" in wanted:
        hardening_table(ball_on_block.HARDENING, "")
        hardening_table(ball_on_block.HELD_OUT_HARDENING, "_held_out")
    if "wedge" in wanted:
        wedge_table(ball_on_block.WEDGES, ball_on_block.EDGES, "")
        wedge_table(ball_on_block.HELD_OUT_WEDGES, ball_on_block.HELD_OUT_EDGES, "_held_out")
    if "impact" in wanted:
        add_rows("ball_impact", ball_impact.law_cases())
        add_rows("ball_impact_held_out", ball_impact.held_out_cases())
    if "sheet" in wanted:
        sheet_tables(ball_on_sheet.CASES, "")
        sheet_tables(ball_on_sheet.HELD_OUT, "_held_out")
