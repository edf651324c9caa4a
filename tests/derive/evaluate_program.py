"""Evaluates a generated program at states and prints what it gives, so that a test can compare it with the library.

    evaluate_program.py python|matlab PROGRAM < states.json

Of MATLAB, the few constructs that `lithe derive` writes are understood here: no MATLAB or Octave is needed.
"""
import importlib.util
import json
import re
import sys
from types import SimpleNamespace

import numpy as np


def python_arm(file):
    spec = importlib.util.spec_from_file_location("generated", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Arm()


def rotation_series(x, n, slope):
    """The one generated function with vector arithmetic, by itself: written anew from its definition."""
    from math import factorial
    if slope:
        return sum((-1)**k*k*x**(k - 1)/factorial(2*k + n) for k in range(1, 20))
    return sum((-1)**k*x**k/factorial(2*k + n) for k in range(20))


def statement(line):
    """One assignment of the subset: matrices multiply by *, indices count from one."""
    line = line.rstrip(";").replace("^", "**").replace("\\", "@@")
    line = re.sub(r"\b([qv])\((\d+)\)", lambda m: f"{m[1]}.item({int(m[2]) - 1})", line)
    line = re.sub(r"^out\((\d+), (\d+)\)", lambda m: f"out[{int(m[1]) - 1}, {int(m[2]) - 1}]", line)
    line = re.sub(r"zeros\((\d+), (\d+)\)", r"np.matrix(np.zeros((\1, \2)))", line)
    line = re.sub(r"^z = \[(.*)\]$", lambda m: f"z = np.matrix([{m[1].replace(';', ',')}]).T", line)
    line = re.sub(r"^(\w+) = (.*) @@ (.*)$", r"\1 = np.linalg.solve(\2, \3)", line)
    line = re.sub(r"\b(cos|sin|tanh)\(", r"np.\1(", line)
    return line.replace("v'", "v.T").replace("struct()", "SimpleNamespace()")


def matlab_functions(file):
    text = open(file).read().replace(" ...\n", "")
    functions = {"np": np, "SimpleNamespace": SimpleNamespace, "max": max, "min": min, "rotation_series": rotation_series,
                 "false": False, "true": True}
    bodies = re.findall(r"^function (\w+) = (\w+)\((.*?)\)\n(.*?)^end$", text, re.M | re.S)
    main = bodies[0]
    for result, name, arguments, body in bodies[1:]:
        if name == "rotation_series":
            continue
        lines = [statement(re.sub(r"\s*%.*", "", line)) for line in body.splitlines()]
        source = f"def {name}({arguments}):\n" + "".join(f"    {line}\n" for line in lines if line.strip())
        exec(source + f"    return {result}\n", functions)
    for name in re.findall(r"case '(\w+)'", main[3]):
        assert callable(functions[name]), name
    return functions


class MatlabArm:
    """The generated functions under the names that the Python program has."""

    def __init__(self, file):
        self.functions = matlab_functions(file)
        self.p = self.functions["constants"](self.functions["parameters"]())

    def call(self, name, *vectors):
        return np.asarray(self.functions[name](*(np.matrix(x).T for x in vectors), self.p))

    def __getattr__(self, name):
        return lambda *vectors: self.call(name, *vectors)


def main():
    language, file = sys.argv[1:]
    arm = python_arm(file) if language == "python" else MatlabArm(file)
    answers = []
    for state in json.load(sys.stdin):
        q, v, tau = (np.array(state[key], float) for key in ("q", "v", "tau"))
        answers.append({"mass_matrix": np.asarray(arm.mass_matrix(q)).tolist(),
                        "bias": np.ravel(arm.bias(q, v)).tolist(),
                        "acceleration": np.ravel(arm.acceleration(q, v, tau)).tolist(),
                        "kinetic_energy": float(arm.kinetic_energy(q, v)),
                        "potential_energy": float(arm.potential_energy(q))})
    print(json.dumps(answers))


main()
