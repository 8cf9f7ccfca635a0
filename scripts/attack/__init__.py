# SPDX-License-Identifier: MIT
"""The parts of `./ductile attack` (scripts/run_attack.py): what is tried, and what must hold."""
