"""Prints what a results file holds, read by a program that shares no code with lithe.

usage: dump_with_h5py.py RESULTS
"""
import json
import math
import sys

import h5py


def numbers(dataset):
    # A finite double survives repr and back; JSON has no others.
    return [x if math.isfinite(x) else None for x in dataset[:].tolist()]


with h5py.File(sys.argv[1], "r") as f:
    answer = {
        "attributes": {name: value if isinstance(value, str) else value.item() for name, value in f.attrs.items()},
        "case": f["case"].asstr()[()],
        "columns": list(f["columns"].asstr()),
        "units": {name: f["series"][name].attrs["unit"] for name in f["columns"].asstr()},
        "time": numbers(f["time"]),
        "time_unit": f["time"].attrs["unit"],
        "series": {name: numbers(f["series"][name]) for name in f["columns"].asstr()},
        "statistics": {name: float(value) for name, value in f["statistics"].attrs.items()},
        "checkpoint": {"t": float(f["checkpoint"].attrs["t"]), "rows": int(f["checkpoint"].attrs["rows"]),
                       "memory": numbers(f["checkpoint/memory"])},
        # The oldest format, which every reader knows.
        "superblock": f.id.get_create_plist().get_version()[0],
    }
json.dump(answer, sys.stdout)
