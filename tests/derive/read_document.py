"""Reads documents of `lithe derive` as TeX does, so that a test can say whether their formulas are sound and what they give as numbers.

    read_document.py check FILE…                    faults of .tex and .md files, line by line
    read_document.py evaluate FILE.md < ask.json    values of the formulas: {"parameters": {code: value}, "states": [{"q", "v", "a"}]}

Sound is what every TeX (LaTeX, KaTeX, MathJax) takes: brackets of each kind in pairs, at most one index and one exponent on a letter,
rows of a matrix or table with as many cells as each other, only commands that are known.
"""
import json
import math
import re
import sys
from pathlib import Path


class Fault(Exception):
    pass


LETTERS = {"theta", "beta", "alpha", "delta", "varphi", "psi", "mu", "tau", "omega", "epsilon", "rho", "partial", "sum"}
SPACES = {",", "quad", "bigl", "bigr"}
FUNCTIONS = {"sin": math.sin, "cos": math.cos, "tanh": math.tanh, "max": max, "min": min}
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\s+|.", re.S)
MOST_COLUMNS = 10  # of amsmath's matrices


class Formula:
    """Atoms of one formula: {"kind", "value", "sub", "sup"}, with lists of atoms inside."""

    def __init__(self, text):
        self.tokens = [t for t in TOKEN.findall(text) if not t.isspace()]
        self.at = 0
        self.atoms = self.list(())
        if self.at < len(self.tokens):
            raise Fault(f"'{self.tokens[self.at]}' has no beginning")

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self, expected=None):
        token = self.peek()
        if token is None or (expected and token != expected):
            raise Fault(f"expected '{expected or 'more'}', got '{token}'")
        self.at += 1
        return token

    def list(self, ends):
        atoms = []
        while self.peek() is not None and self.peek() not in ends:
            if self.peek() in ("}", "\\right", "\\end", "&", "\\\\"):
                break
            atoms.append(self.atom())
        return atoms

    def atom(self):
        atom = self.nucleus()
        atom["sub"] = atom["sup"] = None
        while self.peek() in ("_", "^", "'"):
            mark = self.take()
            place = "sub" if mark == "_" else "sup"
            if atom[place] is not None:
                raise Fault(f"double {'subscript' if place == 'sub' else 'superscript'} on {text_of(atom)}")
            atom[place] = [{"kind": "letter", "value": "'", "sub": None, "sup": None}] if mark == "'" else self.argument()
        return atom

    def argument(self):
        if self.peek() == "{":
            return self.group()
        if re.match(r"\d\d", self.peek() or ""):  # TeX takes one digit
            self.tokens[self.at:self.at + 1] = [self.peek()[0], self.peek()[1:]]
        atom = self.nucleus()
        atom["sub"] = atom["sup"] = None
        return [atom]

    def group(self):
        self.take("{")
        atoms = self.list(())
        self.take("}")
        return atoms

    def word(self):
        self.take("{")
        word = ""
        while self.peek() not in ("}", None):
            word += self.take()
        self.take("}")
        if not re.fullmatch(r"(\w|\\_|[-.?,*])+", word, re.A):
            raise Fault(f"'{word}' is no word")
        return word

    def nucleus(self):
        token = self.take()
        made = lambda kind, value: {"kind": kind, "value": value}
        if token == "{":
            self.at -= 1
            return made("group", self.group())
        if token in ("_", "^"):
            raise Fault(f"'{token}' without a letter before it")
        if token in ("\\frac", "\\tfrac"):
            return made("frac", [self.argument(), self.argument()])
        if token in ("\\mathrm", "\\mathcal", "\\mathtt"):
            return made("word", token + "{" + self.word() + "}")
        if token in ("\\dot", "\\ddot", "\\bar"):
            return made("accent", [token, self.argument()])
        if token == "\\left":
            self.take("(")
            inside = self.list(())
            self.take("\\right")
            self.take(")")
            return made("bracket", inside)
        if token == "\\begin":
            name = self.word()
            rows = [[]]
            while True:
                rows[-1].append(self.list(()))
                end = self.take()
                if end == "\\\\":
                    rows.append([])
                elif end == "\\end":
                    break
                elif end != "&":
                    raise Fault(f"'{end}' within {name}")
            if self.word() != name:
                raise Fault(f"{name} ends as another")
            self.check_rows(name, rows)
            return made(name, rows)
        if token == "\\cdot" or (token.startswith("\\") and token[1:] in SPACES):
            if token in ("\\bigl", "\\bigr"):
                self.take("(" if token == "\\bigl" else ")")
            return made("open" if token == "\\bigl" else "close" if token == "\\bigr" else "space", token)
        if token[0].isdigit():
            return made("number", token)
        if token.startswith("\\"):
            if token[1:] not in LETTERS and token[1:] not in FUNCTIONS:
                raise Fault(f"unknown command {token}")
            return made("letter", token)
        if not re.fullmatch(r"[A-Za-z=+\-(),|/.]", token):
            raise Fault(f"letter '{token}'")
        return made("letter", token)

    @staticmethod
    def check_rows(name, rows):
        widths = {len(row) for row in rows}
        if len(widths) > 1:
            raise Fault(f"rows of {sorted(widths)} cells in one {name}")
        if name in ("aligned", "align*") and widths != {2}:
            raise Fault(f"{widths} columns in {name}")
        if name == "pmatrix" and max(widths) > MOST_COLUMNS:
            raise Fault(f"{widths} columns in {name}")


def text_of(part):
    """The spelling of atoms, without spaces: the same for the same name."""
    if isinstance(part, list):
        return "".join(text_of(atom) for atom in part)
    kind, value = part["kind"], part["value"]
    text = {"group": lambda: "{" + text_of(value) + "}", "frac": lambda: "\\frac{%s}{%s}" % tuple(map(text_of, value)),
            "accent": lambda: value[0] + " " + text_of(value[1]),
            "bracket": lambda: "(" + text_of(value) + ")", "space": lambda: "," if value == "\\," else ""}.get(kind, lambda: str(value))()
    for mark, scripts in (("_", part["sub"]), ("^", part["sup"])):
        if scripts is not None:
            text += mark + "{" + text_of(scripts) + "}"
    return text


def formulas_of(rows):
    """Rows of an aligned environment as formulas: [left, right], where a row without a left side goes on with the one before."""
    formulas = []
    for left, right in rows:
        if left:
            formulas.append([left, []])
        elif not formulas:
            raise Fault("a formula begins without a left side")
        formulas[-1][1] += right[1:] if right[:1] and text_of(right[0]) == "=" else right
    for left, right in formulas:
        depth = 0
        for atom in right:
            depth += {"open": 1, "close": -1}.get(atom["kind"], 0)
            if depth < 0:
                break
        if depth != 0:
            raise Fault(f"brackets of {text_of(left)} do not match")
        if not right:
            raise Fault(f"{text_of(left)} equals nothing")
    return formulas


class Document:
    """The displayed formulas, those in lines of text, and the tables of a document; faults on the way are kept."""

    def __init__(self, path):
        self.faults, self.formulas, self.tables, self.defined = [], [], [], {}
        self.section = ""
        self.indices = {}  # of sines and cosines, that are no joint's number
        text = Path(path).read_text()
        (self.read_latex if path.endswith(".tex") else self.read_markdown)(text)

    def try_(self, where, work):
        try:
            return work()
        except Fault as fault:
            self.faults.append(f"{fault}: {where[:160]}")

    def display(self, text, name):
        def read():
            atoms = Formula("\\begin{" + name + "}" + text + "\\end{" + name + "}").atoms
            for left, right in formulas_of(atoms[0]["value"]):
                key = text_of(left)
                if key not in ("0",) and not key.startswith("\\tau_") and self.defined.setdefault(key, right) is not right:
                    raise Fault(f"{key} is defined twice")
                self.formulas.append((self.section, key, right))

        self.try_(text.strip(), read)

    def inline(self, text):
        if " In an index, " in text:
            for index, meaning in re.findall(r"\$(\w+)\$ stands for \$(.*?)\$", text.split(" In an index, ")[1]):
                self.indices[index] = Formula(meaning).atoms
        pieces = re.sub(r"\\[\\$]", "", text).split("$")
        if len(pieces) % 2 == 0:
            self.faults.append(f"odd number of $: {text}")
        for piece in pieces[1::2]:
            self.try_(piece, lambda: Formula(piece))

    def read_markdown(self, text):
        lines = iter(text.splitlines())
        for line in lines:
            if line.startswith("## "):
                self.section = line[3:]
            elif line == "$$":
                body = []
                for inner in lines:
                    if inner == "$$":
                        break
                    body.append(inner)
                if body[:1] != ["\\begin{aligned}"] or body[-1:] != ["\\end{aligned}"]:
                    self.faults.append(f"no aligned formula: {body}")
                self.display("\n".join(body[1:-1]), "aligned")
            elif line.startswith("|"):
                cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
                table = self.tables[-1] if self.tables and self.tables[-1]["open"] else None
                if table is None:
                    table = {"open": True, "head": cells, "rows": []}
                    self.tables.append(table)
                elif len(cells) != len(table["head"]):
                    self.faults.append(f"{len(cells)} cells, the head has {len(table['head'])}: {line}")
                elif set(line) - set("|- "):
                    table["rows"].append(cells)
                self.inline(re.sub(r"`[^`]*`", "", line))
            else:
                self.inline(re.sub(r"`[^`]*`", "", line))
            if not line.startswith("|") and self.tables:
                self.tables[-1]["open"] = False

    def read_latex(self, text):
        body = text.split("\\begin{document}\n")[1].split("\\end{document}")[0]
        for part in re.split(r"(\\begin\{align\*\}.*?\\end\{align\*\}|\\begin\{longtable\}.*?\\end\{longtable\})", body, flags=re.S):
            if part.startswith("\\begin{align*}"):
                self.display(part[len("\\begin{align*}"):-len("\\end{align*}")], "align*")
            elif part.startswith("\\begin{longtable}"):
                columns, rows = re.match(r"\\begin\{longtable\}\{(l+)\}\n(.*)\\end", part, re.S).groups()
                for row in rows.replace("\\hline\n", "").splitlines():
                    cells = re.split(r"(?<!\\)&", row.removesuffix(" \\\\"))
                    if len(cells) != len(columns) or not row.endswith(" \\\\"):
                        self.faults.append(f"{len(cells)} cells of {len(columns)}: {row}")
                    self.text(row.removesuffix(" \\\\").replace(" & ", " "))
            else:
                for line in part.splitlines():
                    self.text(line)

    def text(self, line):
        """LaTeX outside displays."""
        outside = "".join(re.sub(r"\\[A-Za-z]+|\\.", "", line).split("$")[::2])
        if set(outside) & set("_^#%&~\\") or outside.count("{") != outside.count("}"):
            self.faults.append(f"letters that are commands: {line}")
        self.inline(line)


class Values:
    """Numbers for the names of a document at one state."""

    def __init__(self, document, parameters, state):
        self.document, self.known = document, {}
        for table in document.tables:
            for cells in table["rows"]:
                if table["head"][-1] == "in programs":
                    code, printed = cells[3].strip("`"), float(cells[1])
                    exact = parameters[code]
                    assert abs(printed - exact) <= 5.01e-6*abs(exact), (code, printed, exact)
                    self.known[text_of(Formula(cells[0].strip("$")).atoms)] = exact
                elif table["head"][:2] == ["symbol", "coordinate"]:
                    name = re.search(r"= (.*)\$", cells[0])[1]
                    k = len([key for key in self.known if key.startswith("\\ddot")])
                    for mark, values in (("", "q"), ("\\dot ", "v"), ("\\ddot ", "a")):
                        self.known[text_of(Formula(mark + name).atoms)] = state[values][k]

    def name(self, atom):
        key = text_of(atom)
        if key not in self.known:
            if key in self.document.defined:
                self.known[key] = self.sum(self.document.defined[key])
            else:
                self.known[key] = self.wave(key)
        return self.known[key]

    def wave(self, key):
        """C_{22\\bar 3}: the cosine of 2 θ_2 − θ_3, where θ_i is q_i unless the document says something else."""
        match = re.fullmatch(r"([CS])_\{(.*)\}", key)
        assert match, f"{key} has no meaning"
        angle = 0
        for part in match[2].split(",") if "," in match[2] else re.findall(r"(?:\\bar )?(?:\d|[a-z]\d+)", match[2]):
            minus, index = part.startswith("\\bar "), part.removeprefix("\\bar ")
            theta = f"\\theta_{{{index}}}"
            if not index[0].isdigit():
                value = self.sum(self.document.indices[index])
            elif theta in self.document.defined:
                value = self.sum(self.document.defined[theta])
            else:
                value = self.known[f"q_{{{index}}}"]
            angle += -value if minus else value
        return (math.cos if match[1] == "C" else math.sin)(angle)

    def sum(self, atoms):
        total, sign, product, k = 0.0, 1, None, 0
        while k < len(atoms):
            atom = atoms[k]
            value, k = None, k + 1
            if atom["kind"] == "letter" and atom["value"] in "+-":
                total += sign*product if product is not None else 0
                sign, product = (1 if atom["value"] == "+" else -1), None
            elif atom["kind"] == "space":
                pass
            elif atom["kind"] == "open":
                depth, end = 1, k
                while depth:
                    depth += {"open": 1, "close": -1}.get(atoms[end]["kind"], 0)
                    end += 1
                value, k = self.sum(atoms[k:end - 1]), end
            elif atom["kind"] == "letter" and atom["value"][1:] in FUNCTIONS:
                arguments = [[]]
                for part in atoms[k]["value"]:
                    arguments.append([]) if text_of(part) == "," else arguments[-1].append(part)
                value, k = FUNCTIONS[atom["value"][1:]](*map(self.sum, arguments)), k + 1
            else:
                value = self.factor(atom)
            if value is not None:
                product = value if product is None else product*value
        return total + (sign*product if product is not None else 0)

    def factor(self, atom):
        kind, value = atom["kind"], atom["value"]
        if kind == "number" or (kind == "group" and atom["sub"] is None) or kind == "bracket":
            number = float(value) if kind == "number" else self.sum(value)
            return number**self.sum(atom["sup"]) if atom["sup"] is not None else number
        if kind == "frac":
            return self.sum(value[0])/self.sum(value[1])
        if kind == "pmatrix":
            raise Fault("a matrix within a sum")
        return self.name(atom)

    def result(self):
        """Every left side, matrices as lists of rows; the equations one by one; Christoffel symbols as [k][column of the table]."""
        answer = {"names": {}, "motion": [], "christoffel": []}
        for section, key, right in self.document.formulas:
            if section == "Equations of motion, one by one":
                answer["motion"].append(self.sum(right))
            elif len(right) == 1 and right[0]["kind"] == "pmatrix":
                if section == "Kinematics":
                    answer["names"][key] = [[self.sum(cell) for cell in row] for row in right[0]["value"]]
            elif section != "Division" and not key.startswith(("B_", "M(z)")):
                answer["names"][key] = self.sum(right)
        for table in self.document.tables:
            if table["head"][0] == "$k$":
                answer["christoffel"] = [[self.sum(Formula(cell.strip("$")).atoms) for cell in row[1:]] for row in table["rows"]]
        return answer


def main():
    command, *files = sys.argv[1:]
    if command == "check":
        faults, formulas = [], 0
        for file in files:
            document = Document(file)
            formulas += len(document.formulas)
            faults += [f"{Path(file).name}: {fault}" for fault in document.faults]
        print("\n".join(faults[:20]) or f"{formulas} formulas")
        sys.exit(1 if faults else 0)
    document = Document(files[0])
    assert not document.faults, document.faults
    ask = json.load(sys.stdin)
    print(json.dumps([Values(document, ask["parameters"], state).result() for state in ask["states"]]))


main()
