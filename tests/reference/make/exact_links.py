"""exact_link: one geometrically exact link, from the poses of its sections alone: rotations by products of exponentials, places by
collocation, everything else by differences in sixty digits (points.py). Neither W nor U, nor sums of theirs, occur.
exact_recursion: an arm of such links in the same way."""
import numpy as np
from mpmath import mp, mpf

import points
from points import Body, exact, rounded, turned

ROWS = {"bending_y": (2, 1), "bending_z": (1, -1), "torsion": (0, 1), "axial": (3, 1), "shear_y": (4, 1), "shear_z": (5, 1)}


def legendre(k, s):
    """Legendre's polynomial of 2s − 1."""
    return mp.legendre(k, 2 * s - 1)


def gauss(n):
    """Gauss's points and weights of [0, 1]."""
    start = np.polynomial.legendre.leggauss(n)[0]
    roots = [mp.findroot(lambda z: mp.legendre(n, z), mpf(float(x))) for x in start]
    slope = lambda z: n * (z * mp.legendre(n, z) - mp.legendre(n - 1, z)) / (z * z - 1)
    return [(z + 1) / 2 for z in roots], [1 / ((1 - z * z) * slope(z) ** 2) for z in roots]


def integral(f, a, b, n=14):
    """Of a polynomial up to degree 27."""
    s, w = gauss_rule(n)
    return sum(wi * f(a + (b - a) * si) for si, wi in zip(s, w)) * (b - a)


RULES = {}


def gauss_rule(n):
    if n not in RULES:
        RULES[n] = gauss(n)
    return RULES[n]


class Link:
    def __init__(self, case):
        self.case, self.L = case, mpf(case["length"])
        self.terms = [(*ROWS[name[:-1]], int(name[-1]) - 1) for name in case["coordinates"]]
        self.kappa0 = exact(case["initial_curvature"])
        self.s, self.w = gauss_rule(case["points"])
        self.bodies = case.get("bodies", [])
        self.edges = sorted([(s, ("point", i)) for i, s in enumerate(self.s)] + [(mpf(1), ("tip", 0))] +
                            [(mpf(b["at"]) / self.L, ("body", i)) for i, b in enumerate(self.bodies)])
        # Moments of every term over every interval: ∫ P ds, and ∫ P (s − middle) ds over the interval's length.
        self.moments, before = [], mpf(0)
        for s, _ in self.edges:
            h, middle = s - before, (s + before) / 2
            self.moments.append([(integral(lambda x: legendre(k, x), before, s),
                                  integral(lambda x: legendre(k, x) * (x - middle), before, s) / h)
                                 for row, sign, k in self.terms])
            before = s
        self.reach = {s: self.lagrange(s) for s, _ in self.edges}
        self.h = [s - r for (s, _), r in zip(self.edges, [mpf(0)] + [s for s, _ in self.edges])]

    def lagrange(self, end):
        """∫ of every point's Lagrange polynomial from 0 to `end`, times the length."""
        def ell(j):
            return lambda x: mp.fprod((x - self.s[i]) / (self.s[j] - self.s[i]) for i in range(len(self.s)) if i != j)
        return [self.L * integral(ell(j), mpf(0), end) for j in range(len(self.s))]

    def sections(self, delta):
        """Rotation and place of every edge."""
        R, frames = exact(np.eye(3)), []
        for n, (s, what) in enumerate(self.edges):
            a, beta = self.L * self.h[n] * self.kappa0, exact(np.zeros(3))
            for (row, sign, k), (z0, z1), d in zip(self.terms, self.moments[n], delta):
                if row < 3:
                    a[row] += sign * z0 * d
                    beta[row] += sign * z1 * d
            R = R @ turned(a + np.cross(a, beta))
            frames.append(R)
        t = []
        for n, (s, what) in enumerate(self.edges):
            if what[0] != "point":
                continue
            nu = exact([1, 0, 0])
            for (row, sign, k), d in zip(self.terms, delta):
                if row >= 3:
                    nu[row - 3] += legendre(k, s) * d
            t.append(frames[n] @ nu)
        return [(what, frame, sum(r * x for r, x in zip(self.reach[s], t))) for (s, what), frame in zip(self.edges, frames)]

    def stiffness(self):
        stiffness = [self.case[name] for name in ("GJ", "EI_y", "EI_z", "EA", "GA_y", "GA_z")]
        return [float(stiffness[row] * integral(lambda s: legendre(k, s) ** 2, mpf(0), mpf(1)) *
                      (1 / self.L if row < 3 else self.L)) for row, sign, k in self.terms]

    def solids(self, q):
        """Bodies at q = [turn of B, place of B, δ]."""
        return self.bodies_on(turned(q[:3]), q[3:6], q[6:])

    def bodies_on(self, R_B, p_B, delta):
        case, result = self.case, []
        for (kind, i), R, p in self.sections(delta):
            if kind == "point":
                mass, J = case["rhoA"] * self.L * self.w[i], np.diag(case["rho_j"]) * (self.L * self.w[i])
                result.append(Body(mass, p_B + R_B @ p, R_B @ R, J))
            if kind == "body":
                body = self.bodies[i]
                place = p + R @ exact(body["com"])
                result.append(Body(body["mass"], p_B + R_B @ place, R_B @ R, body["inertia"]))
        return result

    def tip(self, q):
        kind, R, p = self.sections(q[6:])[-1]
        return turned(q[:3]) @ R, q[3:6] + turned(q[:3]) @ p


def exact_link(data):
    for case in data["cases"]:
        link, m = Link(case), len(case["delta"])
        q = np.concatenate([np.zeros(6), case["delta"]])
        v = np.concatenate([case["omega"], np.zeros(3), case["delta_rate"]])
        motion = points.equations(link.solids, q, v)
        M, h = motion["M"], motion["coriolis"]
        q, v, step = exact(q), exact(v), points.STEP
        R, p = link.tip(q)
        turn = lambda dR: points._vector(dR @ R.T)
        sides = [(link.tip(q + step * e), link.tip(q - step * e)) for e in exact(np.eye(m + 6))]
        Phi = np.array([np.concatenate([turn(a[0] - b[0]), a[1] - b[1]]) / (2 * step) for a, b in sides]).T
        after, before = link.tip(q + step * v), link.tip(q - step * v)
        zeta = np.concatenate([turn(after[0] - 2 * R + before[0]), after[1] - 2 * p + before[1]]) / step**2
        case.update(p_T=rounded(p), R_T=rounded(R), Phi=rounded(Phi[:, 6:]), zeta_T=rounded(zeta),
                    w_T=rounded(Phi[:3, 6:] @ v[6:]), M_BB=M[:6, :6], M_Bf=M[:6, 6:], M_ff=M[6:, 6:], p_B=h[:6], p_f=h[6:],
                    K=link.stiffness())
    return data


class Chain:
    """Links one after another, rigid ones and rods, on turning and fixed joints; z = link by link, the joint's then the rod's."""

    def __init__(self, links):
        self.links = links
        self.rods = [Link({"bodies": [], **link["rod"]}) if "rod" in link else None for link in links]
        self.sizes = [(link["joint"]["axis"] is not None) + (len(rod.terms) if rod else 0) for link, rod in zip(links, self.rods)]

    def walk(self, z):
        """Bodies, and the pose of the last tip."""
        R_T, p_T, bodies, k = exact(np.eye(3)), exact(np.zeros(3)), [], 0
        for link, rod, size in zip(self.links, self.rods, self.sizes):
            joint, own = link["joint"], z[k:k + size]
            k += size
            p_B = p_T + R_T @ exact(joint["origin_on_parent_tip"])
            R_B = R_T @ exact(joint["rotation_on_parent_tip"])
            if joint["axis"] is not None:
                R_B, own = R_B @ points.about(joint["axis"], own[0]), own[1:]
            if rod:
                bodies += rod.bodies_on(R_B, p_B, own)
                kind, R, p = rod.sections(own)[-1]
                R_T, p_T = R_B @ R, p_B + R_B @ p
            else:
                rigid = link["rigid"]
                bodies.append(Body(rigid["mass"], p_B + R_B @ exact(rigid["centre"]), R_B, rigid["inertia_about_centre"]))
                R_T, p_T = R_B, p_B + R_B @ exact([rigid["length"], 0, 0])
            if link["payload"]:
                load = link["payload"]
                bodies.append(Body(load["mass"], p_T + R_T @ exact(load["centre"]), R_T, load["inertia_about_centre"]))
        return bodies, R_T, p_T

    def stiffness(self):
        """K and D, diagonal."""
        K, D = [], []
        for link, rod, size in zip(self.links, self.rods, self.sizes):
            own = rod.stiffness() if rod else []
            K += [0.0] * (size - len(own)) + own
            D += [0.0] * (size - len(own)) + [link["rod"]["beta"] * x if rod else 0.0 for x in own]
        return np.array(K), np.array(D)


def exact_recursion(data):
    chain = Chain(data["links"])
    K, D = chain.stiffness()
    for state in data["states"]:
        z, v = np.array(state["z"]), np.array(state["v"])
        motion = points.equations(lambda q: chain.walk(q)[0], z, v, data["gravity"])
        J, long_z = [], exact(z)
        R = chain.walk(long_z)[1]
        for e in exact(np.eye(len(z))):
            after, before = chain.walk(long_z + points.STEP * e), chain.walk(long_z - points.STEP * e)
            turn = points._vector((after[1] - before[1]) @ R.T)
            J.append(rounded(np.concatenate([turn, after[2] - before[2]]) / (2 * points.STEP)))
        M, h = motion["M"], motion["coriolis"] + motion["gravity"] + K * z + D * v - np.array(J) @ np.array(state["tip_wrench"])
        driven, tau = state["driven_joint_accelerations"], np.array(state["tau"])
        n = len(driven)
        rest = np.linalg.solve(M[n:, n:], (tau - h)[n:] - M[n:, :n] @ driven)
        given = np.concatenate([driven, rest])
        state.update(acceleration=np.linalg.solve(M, tau - h), h=h, M=M, acceleration_driven=given,
                     torque_driven=(M @ given + h)[:n])
    return data
