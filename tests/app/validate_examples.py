"""Checks `lithe schema` and every example and bad case against each other with a validator that shares no code with lithe.

usage: validate_examples.py LITHE_PROGRAM SOURCE_DIR
"""
import glob
import json
import os
import subprocess
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    """YAML 1.2 numbers: PyYAML's own rules do not take 1e-3 for one."""


Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    __import__("re").compile(r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$"),
    list("-+0123456789."),
)


def main(program, source):
    schema = json.loads(subprocess.run([program, "schema"], check=True, capture_output=True, text=True).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = 0

    examples = sorted(glob.glob(os.path.join(source, "examples", "*", "*.yaml")))
    assert len(examples) >= 6, "no examples found: this check would prove nothing"
    for name in examples:
        with open(name, encoding="utf-8") as stream:
            for error in validator.iter_errors(yaml.load(stream, Loader)):
                print(f"{name}: {error.json_path}: {error.message}")
                failures += 1
        # What the reader takes for granted and prints in full must fit the schema too.
        printed = subprocess.run([program, "check", "--print", name], check=True, capture_output=True, text=True).stdout
        for error in validator.iter_errors(yaml.load(printed, Loader)):
            print(f"{name}, printed: {error.json_path}: {error.message}")
            failures += 1

    including = {"arm": {"include": "common.yaml", "links": [{"name": "a", "joint": {"include": "j.yaml"}, "beam": {"include": ["b.yaml"]}}]}}
    for error in validator.iter_errors(including):
        print(f"include: {error.json_path}: {error.message}")
        failures += 1

    # The schema must be able to say no, too. (Units of a wrong dimension and physics are beyond it.)
    for name in ("keys", "kinds", "empty"):
        with open(os.path.join(source, "tests", "cases", name + ".yaml"), encoding="utf-8") as stream:
            if validator.is_valid(yaml.load(stream, Loader)):
                print(f"{name}.yaml: accepted, should be refused")
                failures += 1

    # A pure number may be in percent, and in nothing else.
    for share, fits in ((0.05, True), ("5 %", True), ("5 mm", False), ("five", False)):
        damped = {"arm": {"links": [{"name": "a", "joint": {"type": "fixed"}, "rigid": {"mass": 1}}], "damping": {"modes": share}}}
        if validator.is_valid(damped) != fits:
            print(f"modes: {share}: {'refused' if fits else 'accepted'}")
            failures += 1

    print(f"{len(examples)} examples, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
