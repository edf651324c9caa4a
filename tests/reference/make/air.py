"""aero_*: thin wings in linear theory, by Bessel functions and by lattices of vortex rings on a flat wing with a flat wake.

Unit chord, speed and incidence; the right half of the wing stands for both."""
import numpy as np
from mpmath import mp, mpf

# ------------------------------------------------------------------------------------------------ plane flow


def _response(function):
    """1 + (1/π) ∫ Im f(x e^{iπ}) e^{−xs} dx/x, with K₀ and K₁ on the upper side of their cut. Over log x the trapezoidal rule
    converges faster than any power: at half the step nothing changes in twelve digits."""
    step = mpf(1) / 16
    logs = [k * step for k in range(-40 * 16, 8 * 16)]
    density = []
    for log in logs:
        x = mp.exp(log)
        K0 = mp.besselk(0, x) - 1j * mp.pi * mp.besseli(0, x)
        K1 = -mp.besselk(1, x) - 1j * mp.pi * mp.besseli(1, x)
        density.append((x, mp.im(function(x, K0, K1))))
    return lambda s: 1 + step * sum(value * mp.exp(-x * s) for x, value in density) / mp.pi


def wagner_kussner(table):
    times = [mpf(word) for word in table.column("s")]
    with mp.workdps(25):
        wagner = _response(lambda x, K0, K1: K1 / (K0 + K1))
        kussner = _response(lambda x, K0, K1: -mp.exp(x) / (x * (K0 + K1)))
        table.put("wagner_exact", [0.5 if s == 0 else wagner(s) for s in times], ".8f")
        table.put("kussner_exact", [0 if s == 0 else kussner(s) for s in times], ".8f")
    table.put("jones_1940", [1 - 0.165 * mp.exp(-0.0455 * s) - 0.335 * mp.exp(-0.3 * s) for s in times], ".6f")
    table.put("garrick_1938", [(s + 2) / (s + 4) for s in times], ".6f")
    table.put("kussner_sears_sparks", [1 - mp.exp(-0.13 * s) / 2 - mp.exp(-s) / 2 for s in times], ".6f")
    return table


def theodorsen(table):
    def exact(k):
        H0, H1 = mp.hankel2(0, k), mp.hankel2(1, k)
        return H1 / (H1 + 1j * H0)

    def jones(k):
        return 1 - 0.165 / (1 - 0.0455j / k) - 0.335 / (1 - 0.3j / k)

    k = [mpf(word) for word in table.column("k")]
    for name, function, form in (("", exact, ".8f"), ("jones_", jones, ".6f")):
        table.put(name + "F", [mp.re(function(x)) for x in k], form)
        table.put(name + "G", [mp.im(function(x)) for x in k], form)
    return table


# ------------------------------------------------------------------------------------------------ lattices


def _across(x, y, x0, y1, y2):
    """Downwash × 4π at (x, y) of a unit segment from (x0, y1) to (x0, y2), all in the plane."""
    d = x - x0
    return ((y2 - y) / np.hypot(d, y2 - y) - (y1 - y) / np.hypot(d, y1 - y)) / d


def _along(x, y, y0, x1, x2):
    d = y - y0
    return -((x2 - x) / np.hypot(d, x2 - x) - (x1 - x) / np.hypot(d, x1 - x)) / d


class Wing:
    """m by n panels on the right half of a rectangle, the lattice drawn in by `inset` of a panel at each tip."""

    def __init__(self, aspect, m, n, inset=0.25):
        width = aspect / 2 / (n + inset)
        self.m, self.n, self.dx, self.dy = m, n, 1.0 / m, width
        i, j = np.meshgrid(np.arange(m), np.arange(n), indexing="ij")
        self.x, self.y = ((i + 0.75) * self.dx).ravel(), ((j + 0.5) * width).ravel()
        self.edges = np.arange(n) * width
        self.area = aspect / 2

    def strip(self, x1, x2):
        """Downwash at all points of unit rings between x1 and x2, one column per span station, and of their images."""
        x, y = self.x[:, None], self.y[:, None]
        total = 0
        for y1, y2 in ((self.edges, self.edges + self.dy), (-self.edges - self.dy, -self.edges)):
            total = total + _across(x, y, x1, y1, y2) + _along(x, y, y2, x1, x2)
            if np.isfinite(x2):
                total = total - _across(x, y, x2, y1, y2)
            total = total - _along(x, y, y1, x1, x2)
        return total / (4 * np.pi)

    def horseshoe(self, x1):
        """The same, reaching to infinity downstream."""
        return self.strip(x1, 1e9)

    def bound(self, last_end):
        """Rings of the wing; the last row ends at `last_end`."""
        ends = (np.arange(self.m) + 0.25) * self.dx
        ends = np.append(ends, last_end)
        return np.hstack([self.strip(ends[i], ends[i + 1]) for i in range(self.m)])

    def steady(self):
        """Γ of horseshoes (not rings) by panel, for unit normal wind; lift, induced drag factor, centre of pressure."""
        influence = np.hstack([self.horseshoe((i + 0.25) * self.dx) for i in range(self.m)])
        gamma = np.linalg.solve(influence, np.ones(self.m * self.n)).reshape(self.m, self.n)
        lift = 2 * gamma.sum() * self.dy / self.area
        centre = (gamma * ((np.arange(self.m) + 0.25) * self.dx)[:, None]).sum() / gamma.sum()
        # Trefftz plane: downwash far behind, of both halves.
        strength, mid = gamma.sum(axis=0), self.y[: self.n]
        wash = 0
        for sign in (1, -1):
            left, right = (self.edges, self.edges + self.dy) if sign > 0 else (-self.edges - self.dy, -self.edges)
            wash = wash + (1 / (mid[:, None] - left) - 1 / (mid[:, None] - right)) / (2 * np.pi)
        drag = (strength * (wash @ strength)).sum() * self.dy / self.area
        return lift, drag / lift**2, centre

    def history(self, dt, steps, last_end, last_panel):
        """Lift coefficient per unit incidence at each step after a sudden start. The step's own row of wake does not exist yet;
        the one shed k steps ago lies k−1 rows behind the edge. Γ̇ acts over whole panels and over `last_panel` of the last one."""
        solve = np.linalg.inv(self.bound(last_end))
        rows = [self.strip(last_end + k * dt, last_end + (k + 1) * dt) for k in range(steps - 1)]
        gamma, shed, lift = np.zeros((self.m, self.n)), [], []
        cover = np.full(self.m, self.dx)
        cover[-1] *= last_panel
        for k in range(steps):
            wash = np.ones(self.m * self.n)
            for row, strength in zip(rows, reversed(shed)):
                wash = wash - row @ strength
            new = (solve @ wash).reshape(self.m, self.n)
            bound = np.diff(np.vstack([np.zeros(self.n), new]), axis=0).sum()
            lift.append(2 * self.dy / self.area * (bound + (cover[:, None] * (new - gamma)).sum() / dt))
            gamma = new
            shed.append(new[-1].copy())
        return np.array(lift)


def _limit(coarse, fine):
    return fine + (fine - coarse) / 3


def liftslope(table):
    names = ("CLa_extrapolated", "span_efficiency_1_over_e", "x_cp_over_c")
    columns = {name: [] for name in names + ("CLa_lattice_32",)}
    for word in table.column("AR"):
        aspect = float(word)
        found = []
        for m in (16, 32):
            lift, drag, centre = Wing(aspect, m, m).steady()
            found.append(np.array([lift, drag * np.pi * aspect, centre]))
        for name, value in zip(names, _limit(*found)):
            columns[name].append(value)
        columns["CLa_lattice_32"].append(found[1][0])
    for name, values in columns.items():
        table.put(name, values, ".4f")
    aspects = np.array([float(word) for word in table.column("AR")])
    log = np.log(aspects)
    table.put("Tuck_1993_large_AR", 2 * np.pi - np.pi / aspects * (log + 2.5620) + 1.404 / aspects**2 * (log + 3.645), ".4f")
    table.put("Helmbold", 2 * np.pi * aspects / (2 + np.hypot(2, aspects)), ".4f")
    table.put("lifting_line_elliptic", 2 * np.pi * aspects / (aspects + 2), ".4f")
    return table


def uvlm_4x13(table):
    """13 panels across the whole span: one in the middle. So a wing of its own kind, without halves."""
    forms = {"0.25*panel chord": 0.25 / 4, "0.3*U*dt": 0.3 / 16}
    angle = np.radians(5)
    found = []
    for aspect, offset in zip(table.column("AR"), table.column("wake_offset")):
        wing = WholeWing(float(aspect), 4, 13)
        lift = wing.history(1 / 16, 144, 1 + forms[offset], 1)
        steady = wing.steady()[0]
        times = [float(name[6:]) for name in table.rows[0][3:]]
        found.append([steady * angle] + [lift[round(16 * t) - 1] * angle for t in times])
    for i, name in enumerate(table.rows[0][2:]):
        table.put(name, [row[i] for row in found], ".5f")
    return table


class WholeWing(Wing):
    def __init__(self, aspect, m, n):
        super().__init__(2 * aspect, m, n, inset=0)
        self.area = aspect
        self.edges = self.edges - aspect / 2
        self.y = self.y - aspect / 2

    def strip(self, x1, x2):
        x, y, y1 = self.x[:, None], self.y[:, None], self.edges
        y2 = y1 + self.dy
        total = _across(x, y, x1, y1, y2) - _across(x, y, x2, y1, y2) + _along(x, y, y2, x1, x2) - _along(x, y, y1, x1, x2)
        return total / (4 * np.pi)

    def steady(self):
        influence = np.hstack([self.horseshoe((i + 0.25) * self.dx) for i in range(self.m)])
        gamma = np.linalg.solve(influence, np.ones(self.m * self.n))
        return (gamma.sum() * self.dy / self.area * 2,)


def indicial(table):
    """Lift over its final value, without the impulse. Rings begin a quarter panel behind their panel's edge, so Γ̇ of the last
    reaches three quarters of it. A step shows the flow half a step earlier, with errors of first and second order, which three
    lattices remove."""
    times = [float(name[10:]) for name in table.rows[0][2:]]
    found = []
    for word in table.column("AR"):
        ratio = []
        for m in (8, 16, 32):
            wing = Wing(float(word), m, m)
            settled = wing.steady()[0]
            lift = wing.history(wing.dx, 10 * m + 2, 1 + wing.dx / 4, 0.75)
            ratio.append(np.interp(times, (np.arange(len(lift)) + 0.5) * wing.dx, lift / settled))
        first, second = 2 * ratio[1] - ratio[0], 2 * ratio[2] - ratio[1]
        found.append(np.append([settled], _limit(first, second)))
    table.put("CLa_lattice", [row[0] for row in found], ".4f")
    for i, name in enumerate(table.rows[0][2:]):
        table.put(name, [row[1 + i] for row in found], ".4f")
    return table
