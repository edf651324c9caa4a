#!/usr/bin/python3
"""docs/validation.md against the source of the tests it names: every row names tests that exist, and every tolerance it prints stands
in one of them (or in what their file says outside tests: constants and helpers)."""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
HEAD = re.compile(r"^(?:TEST|TEST_F|TEST_P|RC_GTEST_PROP)\(\s*(\w+),\s*(\w+)", re.MULTILINE)
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?e-\d+")

bodies, outside = {}, {}  # of each test; of its file, what comes before the first test and after the end of each
for path in sorted((root / "tests").rglob("*_test.cpp")):
    text = path.read_text()
    heads = list(HEAD.finditer(text))
    rest = text[: heads[0].start()] if heads else text
    for head, following in zip(heads, heads[1:] + [None]):
        stretch = text[head.start() : following.start() if following else len(text)]
        end = stretch.find("\n}\n") + 3  # a test ends with a brace in the first column
        bodies[f"{head[1]}.{head[2]}"] = stretch[:end]
        outside[f"{head[1]}.{head[2]}"] = path
        rest += stretch[end:]
    for name in outside:
        if outside[name] == path:
            outside[name] = rest


def numbers(text):
    return {float(word) for word in NUMBER.findall(text)}


faults, rows = [], 0
for line in (root / "docs/validation.md").read_text().split("\n## ")[0].splitlines():
    if not line.startswith("| ") or line.startswith(("| quantity", "|---")):
        continue
    rows += 1
    cells = [cell.strip() for cell in line.strip("|").split(" | ")]
    if len(cells) != 4:
        faults.append(f"expected four cells: {line}")
        continue
    quantity, _, agreement, where = cells
    held = ""
    for word in re.findall(r"`([^`]+)`", where):
        if "/" in word:
            if not (root / word).exists():
                faults.append(f"{quantity}: no file {word}")
            continue
        found = [name for name in bodies if name == word or (word.endswith(".*") and name.startswith(word[:-1]))]
        if not found:
            faults.append(f"{quantity}: no test {word}")
        held += "".join(bodies[name] + outside[name] for name in found)
    if "`" not in where:
        faults.append(f"{quantity}: names no test")
    for number in sorted(numbers(agreement) - numbers(held)):
        faults.append(f"{quantity}: {number:g} is in none of its tests")
if rows < 60:
    faults.append(f"only {rows} rows were read")
print("\n".join(faults) or f"{rows} rows, each held by the tests it names")
sys.exit(1 if faults else 0)
