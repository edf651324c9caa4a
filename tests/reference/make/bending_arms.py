"""flex_planar_2R, flex_spatial_3R, flex_ralf_sam: chains of uniform links, some of which bend by their first clamped-free shapes.
Points along the links and their differentiation; and book83's equations in their published orders, summed link by link from their
definitions (not by the paper's recursions)."""
import numpy as np
from mpmath import mp, mpf

from points import Body, about, cross_matrix, equations, exact, rounded, turned

POINTS = 24
EI = {"flex_planar_2R": 700.0, "flex_spatial_3R": 700.0, "flex_ralf_sam": 2e5}  # of every link that bends, in both planes


class ClampedFree:
    """First eigenfunction of a cantilever of length L, one at its tip."""

    def __init__(self, L):
        beta = mp.findroot(lambda x: mp.cos(x) * mp.cosh(x) + 1, 1.875)
        self.b = beta / mpf(L)
        self.s = (mp.cosh(beta) + mp.cos(beta)) / (mp.sinh(beta) + mp.sin(beta))

    def derivative(self, x, order=0):
        """Of 0th, 1st or 2nd order at x."""
        y = self.b * mpf(x)
        cosh, sinh, cos, sin = mp.cosh(y), mp.sinh(y), mp.cos(y), mp.sin(y)
        parts = [cosh - cos - self.s * (sinh - sin), sinh + sin - self.s * (cosh - cos), cosh + cos - self.s * (sinh + sin)]
        return self.b**order * parts[order] / 2


class Link:
    def __init__(self, spec, stiffness):
        self.length, self.mass = spec["length"], spec["mass_per_length"]
        self.C, self.axis = exact(spec["C_const"]), spec["axis"]
        self.directions = [int(np.argmax(np.abs(mode["u_tip"]))) for mode in spec["modes"]]  # 1: along y, 2: along z
        x, w = np.polynomial.legendre.leggauss(POINTS)
        self.x, self.dm = (x + 1) / 2 * self.length, w / 2 * self.length * self.mass
        shape = ClampedFree(self.length)
        self.f = exact([shape.derivative(at) for at in self.x]) if self.directions else None
        self.slope = shape.derivative(self.length, 1)
        curvature = sum(mpf(weight) * shape.derivative(at, 2) ** 2 for at, weight in zip(self.x, w / 2 * self.length))
        same = [[float(stiffness * curvature) if a == b else 0.0 for b in self.directions] for a in self.directions]
        self.K = np.array(same) if self.directions else np.zeros((0, 0))

    def deflection(self, k):
        """Shape k at the points, columns of vectors."""
        result = exact(np.zeros((3, POINTS)))
        result[self.directions[k]] = self.f
        return result

    def tip_turn(self, k):
        """Deflection along y turns the tip about z, along z about −y."""
        turn = exact(np.zeros(3))
        turn[3 - self.directions[k]] = self.slope if self.directions[k] == 1 else -self.slope
        return turn

    def tip_shift(self, k):
        return exact(np.eye(3)[self.directions[k]])


class Chain:
    def __init__(self, links, small_tips):
        self.links, self.small_tips = links, small_tips
        self.first = np.cumsum([0] + [1 + len(link.directions) for link in links])
        self.n = int(self.first[-1])

    def tip(self, q):
        R, p = exact(np.eye(3)), exact(np.zeros(3))
        for i in range(len(self.links)):
            R, p = self._through(i, R, p, q)[1:]
        return R, p

    def bodies(self, q):
        R, p, result = exact(np.eye(3)), exact(np.zeros(3)), []
        for i, link in enumerate(self.links):
            places, R, p = self._through(i, R, p, q)
            result += [Body(m, places[:, k]) for k, m in enumerate(link.dm)]
        return result

    def _through(self, i, R, p, q):
        """Points of link i, then its tip frame."""
        link, at = self.links[i], self.first[i]
        R = R @ link.C @ about(link.axis, q[at])
        local, turn = exact(np.zeros((3, POINTS))), exact(np.zeros(3))
        local[0] = exact(link.x)
        shift = exact([link.length, 0, 0])
        for k in range(len(link.directions)):
            d = q[at + 1 + k]
            local = local + d * link.deflection(k)
            turn = turn + d * link.tip_turn(k)
            shift = shift + d * link.tip_shift(k)
        tip = exact(np.eye(3)) + cross_matrix(turn) if self.small_tips else turned(turn)
        return p[:, None] + R @ local, R @ tip, p + R @ shift


def published_orders(chain, z, v, tau, gravity):
    """J and R of J z̈ = R: small tip rotations; G without δ² (eq 37); W Wᵀ = 1 in the traces of two shapes of one link (eqs
    72–73). Positions r = W η with 4×4 matrices, η = (1, x + …); [W, Ẇ, Ẅ without z̈] are carried as a triple."""

    def product(a, b):
        return [a[0] @ b[0], a[1] @ b[0] + a[0] @ b[1], a[2] @ b[0] + 2 * a[1] @ b[1] + a[0] @ b[2]]

    def block(R, p):
        W = np.zeros((4, 4))
        W[1:, 1:], W[1:, 0] = R, p
        return W

    one, none = block(np.eye(3), np.zeros(3)), np.zeros((4, 4))
    one[0, 0] = 1
    factors = []  # of all links in order: (coordinates, triple, derivative by each of them)
    for i, link in enumerate(chain.links):
        at = chain.first[i]
        C, axis = rounded(link.C), rounded(cross_matrix(exact(link.axis)))
        turn = rounded(about(link.axis, mpf(float(z[at]))))
        A, U, UU = block(C @ turn, np.zeros(3)), block(C @ axis @ turn, np.zeros(3)), block(C @ axis @ axis @ turn, np.zeros(3))
        A[0, 0] = 1
        factors.append(([at], [A, U * v[at], UU * v[at] ** 2], [U]))
        shapes = [block(rounded(cross_matrix(link.tip_turn(k))), rounded(link.tip_shift(k))) for k in range(len(link.directions))]
        own = [at + 1 + k for k in range(len(shapes))]
        E = one + block(np.zeros((3, 3)), [link.length, 0, 0])
        factors.append((own, [E + sum((z[a] * m for a, m in zip(own, shapes)), none), sum((v[a] * m for a, m in zip(own, shapes)), none), none], shapes))

    J, R = np.zeros((chain.n, chain.n)), np.zeros(chain.n)
    g = np.concatenate([[0], gravity])
    trace = lambda *parts: 2 * np.trace(np.linalg.multi_dot(parts)) if len(parts) > 1 else 2 * np.trace(parts[0])
    for i, link in enumerate(chain.links):
        upstream = factors[: 2 * i + 1]  # up to its own joint
        W = [one, none, none]
        for _, triple, _ in upstream:
            W = product(W, triple)
        # Derivatives of W by what lies upstream: whole, and without what stands before the factor.
        slopes, tails, owner = {}, {}, {}
        for f, (coordinates, _, by) in enumerate(upstream):
            before, after = one, one
            for _, triple, _ in upstream[:f]:
                before = before @ triple[0]
            for _, triple, _ in upstream[f + 1 :]:
                after = after @ triple[0]
            for a, derivative in zip(coordinates, by):
                tails[a], slopes[a] = derivative @ after, before @ derivative @ after
                owner[a] = f
        own = factors[2 * i + 1][0]
        m = len(own)
        e = np.vstack([np.ones(POINTS), link.x, np.zeros((2, POINTS))])
        shape = [np.vstack([np.zeros(POINTS), rounded(link.deflection(k))]) for k in range(m)]
        integral = lambda a, b: (a * link.dm) @ b.T / 2
        C_k = [integral(e, s) for s in shape]
        C_kj = [[integral(s, t) for t in shape] for s in shape]
        d, rate = z[own], v[own]
        G = integral(e, e) + sum((d[k] * (C_k[k] + C_k[k].T) for k in range(m)), none)
        D = [C_k[k] + sum((d[l] * C_kj[l][k] for l in range(m)), none) for k in range(m)]
        moving = G @ W[2].T + 2 * sum((rate[k] * D[k] for k in range(m)), none) @ W[1].T
        weight = (e + sum((d[k] * shape[k] for k in range(m)), np.zeros((4, POINTS)))) @ link.dm
        for a in slopes:
            for b in slopes:
                shortened = owner[a] == owner[b] and owner[a] % 2 == 1
                J[a, b] += trace(tails[a], G, tails[b].T) if shortened else trace(slopes[a], G, slopes[b].T)
            for k, b in enumerate(own):
                value = trace(slopes[a], D[k], W[0].T)
                J[a, b] += value
                J[b, a] += value
            R[a] += g @ slopes[a] @ weight - trace(slopes[a], moving)
        for k, a in enumerate(own):
            for l, b in enumerate(own):
                J[a, b] += trace(C_kj[k][l])
            R[a] += g @ W[0] @ (shape[k] @ link.dm) - link.K[k] @ d
            R[a] -= trace(W[2] @ D[k] + 2 * W[1] @ sum((rate[l] * C_kj[l][k] for l in range(m)), none), W[0].T)
    for i in range(len(chain.links)):
        R[chain.first[i]] += tau[i]
    return J, R


def arm(name):
    def program(data):
        links = [Link(spec, EI[name]) for spec in data["links"]]
        for link, spec in zip(links, data["links"]):
            spec["K"] = link.K
            integral = lambda values: rounded(values @ exact(link.dm))
            for k, mode in enumerate(spec["modes"]):
                mode["u_tip"], mode["theta_tip"] = rounded(link.tip_shift(k)), rounded(link.tip_turn(k))
                mode["eps"], mode["first_moment_x"] = integral(link.deflection(k)), integral(link.deflection(k) * exact(link.x))
            spec["mode_mass"] = [
                [rounded((link.deflection(k) * exact(link.dm)) @ link.deflection(l).T) for l in range(len(spec["modes"]))]
                for k in range(len(spec["modes"]))
            ]
        for state in data["states"]:
            z, v, tau = np.array(state["z"]), np.array(state["zd"]), state["tau"]
            for key in ("small", "finite"):
                chain = Chain(links, key == "small")
                found = equations(chain.bodies, z, v, data["gravity"])
                elastic, torque, stored = np.zeros(chain.n), np.zeros(chain.n), 0.0
                for i, link in enumerate(links):
                    own = slice(chain.first[i] + 1, chain.first[i + 1])
                    elastic[own] = link.K @ z[own]
                    stored += z[own] @ link.K @ z[own] / 2
                    torque[chain.first[i]] = tau[i]
                R, p = chain.tip(exact(z))
                right = torque - found["coriolis"] - found["gravity"] - elastic
                state[key] = {
                    "M": found["M"], "coriolis": found["coriolis"], "gravity": found["gravity"], "elastic": elastic,
                    "acceleration": np.linalg.solve(found["M"], right), "T": found["T"], "V": found["V"] + stored,
                    "tip_position": rounded(p), "tip_rotation": rounded(R),
                }
            J, R = published_orders(Chain(links, True), z, v, tau, data["gravity"])
            state["book83_published_orders"] = {"J": J, "R": R, "acceleration": np.linalg.solve(J, R)}
        return data

    return program
