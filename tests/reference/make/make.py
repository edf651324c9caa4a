#!/usr/bin/python3
"""Makes the numbers of tests/reference again, by programs that share nothing with the library.

    make.py            recomputes every file and says how far the stored one is from it; fails where that is more than rounding
    make.py NAME ...   only these
    make.py --write    and stores what was computed

Inputs (parameters, states) are read from the stored file itself; outputs are computed anew. Needs Debian's python3-numpy and
python3-mpmath. What a file holds and who printed it: README.md beside it.
"""
import argparse
import csv
import io
import json
import sys
import time
from pathlib import Path

import numpy as np

import air
import bending_arms
import exact_links
import four_bodies
import frames
import kane_arm
import planar_elements
import rigid_arms

FOLDER = Path(__file__).resolve().parent.parent

# File, its program, and how far rounding may take the two apart, relative to the largest number of a list.
FILES = [
    ("rigid_2R.json", rigid_arms.rigid_2R, 1e-13),
    ("puma560.json", rigid_arms.puma560, 1e-12),
    ("lewbook_mobile.json", rigid_arms.lewbook_mobile, 1e-13),
    ("lewbook_ralf_sam.json", rigid_arms.lewbook_ralf_sam, 1e-13),
    ("abdelaziz_fourbody.json", four_bodies.abdelaziz_fourbody, 1e-12),
    ("kane_arm_equivalent.csv", kane_arm.kane_arm_equivalent, 1e-11, "slow"),
    ("flex_planar_2R.json", bending_arms.arm("flex_planar_2R"), 1e-11),
    ("flex_spatial_3R.json", bending_arms.arm("flex_spatial_3R"), 1e-11),
    ("flex_ralf_sam.json", bending_arms.arm("flex_ralf_sam"), 1e-11),
    ("exact_link.json", exact_links.exact_link, 1e-13),
    ("exact_recursion.json", exact_links.exact_recursion, 1e-10, "slow"),
    ("fe_planar_floating.json", planar_elements.floating_states, 1e-10),
    ("naganathan_case1_frequencies.csv", frames.case1_frequencies, 1e-9),
    ("naganathan_3R_spatial.json", frames.spatial_3R, 1e-9),
    ("naganathan_case1_tip_converged.csv", planar_elements.tip_converged, 1e-8, "slow"),
    ("naganathan_case1_tip_literal.csv", planar_elements.tip_literal, 1e-10),
    # Printed to so many digits, and so the same to the last.
    ("aero_wagner_kussner.csv", air.wagner_kussner, 1e-8, "slow"),
    ("aero_theodorsen.csv", air.theodorsen, 1e-8),
    ("aero_liftslope_rectangular.csv", air.liftslope, 1e-4, "slow"),
    ("aero_indicial_rectangular.csv", air.indicial, 1e-4, "slow"),
    ("aero_uvlm_4x13.csv", air.uvlm_4x13, 1e-5),
]


def plain(value):
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return float(value) if isinstance(value, np.floating) else value


def difference(old, new, path=""):
    """The largest difference of numbers, relative to the largest of their list, and where it is."""
    if isinstance(old, dict):
        if old.keys() != new.keys():
            return float("inf"), path + ": other fields"
        return max((difference(old[key], new[key], f"{path}.{key}") for key in old), default=(0.0, path))
    if isinstance(old, list):
        if len(old) != len(new):
            return float("inf"), path + ": other length"
        try:
            a, b = np.array(old, dtype=float), np.array(new, dtype=float)
            if a.size == 0:
                return 0.0, path
            return float(np.nanmax(np.abs(a - b)) / max(np.nanmax(np.abs(a)), 1e-12)), path
        except (ValueError, TypeError):
            return max(difference(x, y, f"{path}[{i}]") for i, (x, y) in enumerate(zip(old, new)))
    if isinstance(old, (int, float)) and not isinstance(old, bool):
        return abs(old - new) / max(abs(old), 1e-12), path
    return (0.0 if old == new else float("inf")), path


class Table:
    """A CSV file: its lines as lists of words, the first the names."""

    def __init__(self, text):
        self.rows = list(csv.reader(io.StringIO(text)))

    def column(self, name):
        i = self.rows[0].index(name)
        return [row[i] for row in self.rows[1:]]

    def put(self, name, values, form):
        i = self.rows[0].index(name)
        for row, value in zip(self.rows[1:], values):
            row[i] = format(float(value), form)

    def text(self):
        return "\n".join(",".join(row) for row in self.rows) + "\n"


def table_difference(old, new):
    """By columns of numbers; what is no number must be the same."""
    worst = (0.0, "")
    for i, name in enumerate(old.rows[0]):
        a, b = [row[i] for row in old.rows[1:]], [row[i] for row in new.rows[1:]]
        try:
            x, y = np.array(a, dtype=float), np.array(b, dtype=float)
            worst = max(worst, (float(np.max(np.abs(x - y)) / max(np.max(np.abs(x)), 1e-30)), name))
        except ValueError:
            if a != b:
                return float("inf"), name
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="files to make (default: all)")
    parser.add_argument("--write", action="store_true", help="store what was computed")
    parser.add_argument("--quick", action="store_true", help="leave out what takes more than some seconds")
    options = parser.parse_args()
    known = [entry[0] for entry in FILES]
    for name in options.names:
        if name not in known:
            parser.error(f"no file {name}; there are {', '.join(known)}")
    failed = False
    for name, program, tolerance, *slow in FILES:
        if (options.names and name not in options.names) or (options.quick and slow and not options.names):
            continue
        path, begun = FOLDER / name, time.time()
        text = path.read_text()
        if name.endswith(".json"):
            old = json.loads(text)
            new = plain(program(json.loads(text)))
            found, where = difference(old, new)
            made = json.dumps(new, indent=1)
        else:
            old = Table(text)
            new = program(Table(text))
            found, where = table_difference(old, new)
            made = new.text()
        verdict = "" if found <= tolerance else f"  MORE THAN {tolerance:g}, at {where}"
        failed = failed or found > tolerance
        print(f"{name:42} {found:8.1e}  {time.time() - begun:5.1f} s{verdict}", flush=True)
        if options.write:
            path.write_text(made)
    sys.exit(1 if failed and not options.write else 0)


if __name__ == "__main__":
    main()
