"""Includes between the rooms of src/lithe go one way: a room knows those it stands on, and nothing above it."""

import pathlib
import re
import sys

# What each room stands on directly; it may know all that those stand on as well.
STANDS_ON = {
    "spatial": [],
    "joint": ["spatial"],
    "describe": ["joint"],
    "profile": ["describe"],
    "beam": ["describe"],
    "aero": ["spatial"],
    "arm": ["beam", "profile"],
    "dynamics": ["arm"],
    "drive": ["dynamics", "aero"],
    "results": ["describe"],
    "analyse": ["drive", "results"],
    "simulate": ["drive", "results"],
    "show": ["analyse", "results"],
    "view": ["show"],
    "app": ["simulate", "view"],
    "derive": ["app"],
}


def known_to(room):
    known = {room}
    for below in STANDS_ON[room]:
        known |= known_to(below)
    return known


def offences(source):
    for folder in sorted(path for path in source.iterdir() if path.is_dir()):
        if folder.name not in STANDS_ON:
            yield f"{folder}: a room that {pathlib.Path(__file__).name} does not know"
            continue
        known = known_to(folder.name)
        for file in sorted(folder.rglob("*")):
            if file.suffix not in (".h", ".cpp"):
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                include = re.match(r'\s*#\s*include\s*["<]lithe/(\w+)/', line)
                if include and include[1] not in known:
                    yield f"{file}:{number}: {line.strip()} ({folder.name}/ must not know {include[1]}/)"


def main():
    found = list(offences(pathlib.Path(sys.argv[1]) / "src" / "lithe"))
    print("\n".join(found) if found else "includes between rooms go one way")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
