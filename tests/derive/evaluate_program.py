"""Evaluates a generated program at states and prints what it gives, so that a test can compare it with the library.

    evaluate_program.py python|sympy|matlab PROGRAM < states.json

A state may ask for more functions by name under "of_q" and "of_qv".
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


class SympyArm:
    """A SymPy module, with its parameters put in, as functions of numbers under the names that the Python program has."""

    def __init__(self, file):
        import sympy as sp
        spec = importlib.util.spec_from_file_location("generated", file)
        self.module = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        self.sp = sp
        for letter in "MCKDBG":
            assert isinstance(getattr(module, letter), sp.MatrixBase), letter
        # Formulas as SymPy reads them: every symbol is a parameter, or of the state.
        known = set(module.q) | set(module.v) | set(module.parameters) | {symbol for symbol, _ in module.definitions}
        assert module.M.free_symbols | module.C.free_symbols | module.G.free_symbols <= known
        # In the Christoffel form dM/dt - 2C is skew-symmetric: by SymPy's own differentiation, where rates are of coordinates.
        if module.M.shape[0] <= 2 and list(module.coordinates) == list(module.q):
            rate = sum((module.M.diff(x)*y for x, y in zip(module.q, module.v)), sp.zeros(*module.M.shape))
            skew = rate - 2*module.C
            assert (skew + skew.T).applyfunc(sp.simplify) == sp.zeros(*module.M.shape)

        self.functions = {}

    def number(self, name, *vectors):
        """The matrix of that name; its symbols become arguments, which is much faster than putting the numbers in."""
        if name not in self.functions:
            arguments = [list(self.module.parameters), list(self.module.q), list(self.module.v), list(self.module.tau),
                         list(self.module.a)]
            cse = (lambda x: (self.module.definitions, x)) if self.module.definitions else False
            self.functions[name] = self.sp.lambdify(arguments, getattr(self.module, name), cse=cse)
        given = [list(map(float, x)) for x in vectors]
        missing = [[0.0]*len(x) for x in (self.module.q, self.module.v, self.module.tau, self.module.a)][len(given):]
        number = np.array(self.functions[name](list(self.module.parameters.values()), *given, *missing), float)
        assert number.shape == getattr(getattr(self.module, name), "shape", ()), (name, number.shape)  # no list around it
        return number

    def mass_matrix(self, q):
        return self.number("M", q)

    def bias(self, q, v):
        z = self.number("coordinates", q)
        # K, D and B, too, at the state: quantities that stay symbols are all evaluated, also those divided by a quaternion's length.
        h = (self.number("C", q, v) @ v + np.ravel(self.number("K", q) @ z) + self.number("D", q) @ v
             + np.ravel(self.number("G", q)) + np.ravel(self.number("f", q, v)))
        if len(v) <= 3:
            assert np.allclose(np.ravel(self.number("motion", q, v)), h)
        return h

    def acceleration(self, q, v, tau):
        return np.linalg.solve(self.mass_matrix(q), self.number("B", q) @ tau - self.bias(q, v))

    def kinetic_energy(self, q, v):
        return v @ self.mass_matrix(q) @ v/2

    def potential_energy(self, q):
        return self.number("V", q)

    def __getattr__(self, name):
        return lambda *vectors: self.number(name, *vectors)


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
    arm = {"python": python_arm, "sympy": SympyArm, "matlab": MatlabArm}[language](file)
    answers = []
    for state in json.load(sys.stdin):
        q, v, tau = (np.array(state[key], float) for key in ("q", "v", "tau"))
        answers.append({"mass_matrix": np.asarray(arm.mass_matrix(q)).tolist(),
                        "bias": np.ravel(arm.bias(q, v)).tolist(),
                        "acceleration": np.ravel(arm.acceleration(q, v, tau)).tolist(),
                        "kinetic_energy": float(arm.kinetic_energy(q, v)),
                        "potential_energy": float(arm.potential_energy(q))})
        for name in state.get("of_q", []):
            answers[-1][name] = np.asarray(getattr(arm, name)(q)).tolist()
        for name in state.get("of_qv", []):
            answers[-1][name] = np.asarray(getattr(arm, name)(q, v)).tolist()
    print(json.dumps(answers))


main()
