#!/usr/bin/python3
"""docs/papers.md against the program and the source: the files that its commands name exist, so do the commands and their options, the
fields that they set are accepted, links lead somewhere, labels have their block, and tests are those of the source. Nothing is run but
`lithe help` and `lithe check`. Rows that end in (pending) may name what is not there yet.

usage: check_papers.py LITHE_PROGRAM SOURCE_DIR
"""
import re
import shlex
import subprocess
import sys
from pathlib import Path

program, root = sys.argv[1], Path(sys.argv[2])
page = (root / "docs/papers.md").read_text()
faults = []


def answer(*words):
    return subprocess.run([program, *words], cwd=root, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def slug(heading):
    """The anchor that a heading gets."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def unfolded(lines):
    """Lines of a block with its loops written out: for NAME in VALUES; do … done, one inside another or not."""
    lines = [part for line in lines for part in re.split(r"(?<=do) (?=for )|(?<=done); (?=done)", line.strip())]
    done, i = [], 0
    while i < len(lines):
        head = re.fullmatch(r"for (\w+) in (.*); do", lines[i])
        if not head:
            done.append(lines[i])
            i += 1
            continue
        depth, end = 1, i
        while depth:
            end += 1
            depth += lines[end].startswith("for ") - (lines[end] == "done")
        inside = unfolded(lines[i + 1 : end])
        for value in shlex.split(head[2]):
            done += [re.sub(rf"\${head[1]}\b", lambda _: value, line) for line in inside]
        i = end + 1
    return done


helps = {}


def options_of(command):
    if command not in helps:
        # `derive` is a program of its own, which is not always built.
        told = answer("derive", "--help") if command == "derive" else answer("help", command)
        helps[command] = told.stdout if told.returncode == 0 else None
    return helps[command]


def examine(line, where):
    """A line that is typed: `./lithe COMMAND …`, or a script of an example."""
    words = shlex.split(line, comments=True)
    for word in words:
        if re.match(r"(examples|docs|tests)/", word) and not (root / word).exists():
            faults.append(f"{where}: no file {word}")
    if not words or words[0] != "./lithe":
        return 0
    command, rest = words[1], words[2:]
    text = options_of(command)
    if text is None:
        if command != "derive":
            faults.append(f"{where}: no command {command}")
        return 1
    sets, cases = [], []
    for i, word in enumerate(rest):
        option = word.split("=")[0]
        if re.fullmatch(r"--[a-z][\w-]*|-[a-z]", option) and not re.search(rf"(?<![\w-]){option}(?![\w-])", text):
            faults.append(f"{where}: {command} has no option {option}")
        if word == "--set":
            sets += ["--set", rest[i + 1]]
        if word.startswith("examples/") and word.endswith(".yaml"):
            cases.append(word)
    for case in cases:
        if not sets or any("out/" in word for word in sets):  # a file that a block writes before cannot be read here
            continue
        told = answer("check", case, *sets)
        if told.returncode:
            faults.append(f"{where}: {told.stderr.strip()}")
    return 1


rows = commands = pending = 0
inside, of_a_paper, block, labels, used = False, False, [], set(), set()
anchors = {}
prose = []
for line in page.splitlines():
    if line.startswith("```"):
        inside = not inside
        if not inside:
            text = re.sub(r"<<'(\w+)'\n.*?\n\1\n", "\n", "\n".join(block) + "\n", flags=re.DOTALL)  # what is written into files
            labels |= set(re.findall(r"^# ([A-Z]\d+)\b", text, re.MULTILINE))
            for typed in unfolded([each for each in text.splitlines() if not each.startswith("#")]):
                commands += examine(typed, typed[:60])
            block = []
        continue
    if inside:
        block.append(line)
        continue
    prose.append(line)
    if line.startswith("| part of"):
        of_a_paper = True
    elif not line.startswith("|"):
        of_a_paper = False
    if not of_a_paper or line.startswith(("| part of", "|---")):
        continue
    rows += 1
    cells = [cell.strip() for cell in line.strip("|").split(" | ")]
    if len(cells) != 4:
        faults.append(f"expected four cells: {line}")
        continue
    used |= set(re.findall(r"\*\*([A-Z]\d+)\*\*", line))
    if cells[-1].endswith("(pending)"):
        pending += 1
        continue
    if re.search(r"`|\*\*", cells[1]) and cells[2] == "–":
        faults.append(f"{cells[0]}: a command, and nothing found")
    for typed in re.findall(r"`((?:\./lithe|examples/)[^`]*)`", line):
        if typed != "./lithe":
            commands += examine(typed, cells[0])

for label in sorted(used ^ labels):
    faults.append(f"{label}: {'no block of this label' if label in used else 'no row names this block'}")

text = "\n".join(prose)
for target in re.findall(r"\]\(([^)\s]+)\)", text):
    path, _, anchor = target.partition("#")
    if path.startswith("http"):
        continue
    file = (root / "docs" / path).resolve() if path else root / "docs/papers.md"
    if not file.exists():
        faults.append(f"no file for the link {target}")
    elif anchor:
        if file not in anchors:
            anchors[file] = {slug(head) for head in re.findall(r"^#+ (.*)$", file.read_text(), re.MULTILINE)}
        if anchor not in anchors[file]:
            faults.append(f"no heading for the link {target}")

tests = set()
for path in (root / "tests").rglob("*_test.cpp"):
    tests |= {f"{a}.{b}" for a, b in re.findall(r"^(?:TEST|TEST_F|TEST_P|RC_GTEST_PROP)\(\s*(\w+),\s*(\w+)", path.read_text(), re.MULTILINE)}
for name in re.findall(r"`([A-Z]\w+\.(?:[A-Z]\w+|\*))`", text):
    if not any(test == name or name.endswith(".*") and test.startswith(name[:-1]) for test in tests):
        faults.append(f"no test {name}")

if rows < 120 or commands < 120:
    faults.append(f"only {rows} rows and {commands} commands were read")
print("\n".join(faults) or f"{rows} rows, {pending} of them pending; {commands} commands")
sys.exit(1 if faults else 0)
