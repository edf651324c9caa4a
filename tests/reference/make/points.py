"""Equations of motion from where things are, and nothing else: positions and rotations, differentiated by differences in sixty
digits, which leaves no error in the sixteen that are kept."""
import numpy as np
from mpmath import mp, mpf

mp.dps = 60
STEP = mpf(10) ** -20  # error of a central difference 1e-40, of rounding 1e-20 in second derivatives


def exact(values):
    """An array of long numbers."""
    return np.vectorize(mpf, otypes=[object])(np.asarray(values, dtype=object))


def rounded(values):
    """The same in double precision."""
    return np.vectorize(float, otypes=[float])(values)


def cross_matrix(a):
    zero = mpf(0)
    return np.array([[zero, -a[2], a[1]], [a[2], zero, -a[0]], [-a[1], a[0], zero]], dtype=object)


def turned(vector):
    """The rotation by |vector| about vector."""
    angle = mp.sqrt(sum(x * x for x in vector))
    if angle == 0:
        return exact(np.eye(3))
    K = cross_matrix(np.asarray(vector, dtype=object) / angle)
    return exact(np.eye(3)) + mp.sin(angle) * K + (1 - mp.cos(angle)) * (K @ K)


def about(axis, angle):
    return turned(exact(axis) * angle)


class Body:
    """A point of a mass, with rotation and inertia about it (own axes) where it has any. The rotation R need not be one: what
    is sheared has no inertia then."""

    def __init__(self, mass, place, R=None, inertia=None):
        self.mass, self.place, self.R = mpf(mass), place, R
        self.inertia = None if inertia is None else exact(inertia)


def _vector(skew):
    return np.array([skew[2, 1] - skew[1, 2], skew[0, 2] - skew[2, 0], skew[1, 0] - skew[0, 1]], dtype=object) / 2


def equations(bodies, q, v, gravity=(0, 0, 0), vdot=None):
    """M, and what the motion (at the given accelerations, default none) and the weight need: M vdot + coriolis + gravity = forces.
    bodies(q) lists Body objects, always in the same order."""
    q, v, g = exact(q), exact(v), exact(gravity)
    bend = exact(np.zeros(len(q)) if vdot is None else vdot) * STEP**2 / 2
    now, after, before = bodies(q), bodies(q + STEP * v + bend), bodies(q - STEP * v + bend)
    unit = exact(np.eye(len(q)))
    sides = [(bodies(q + STEP * e), bodies(q - STEP * e)) for e in unit]
    M, c, w = exact(np.zeros((len(q), len(q)))), exact(np.zeros(len(q))), exact(np.zeros(len(q)))
    T, V = mpf(0), mpf(0)
    for i, body in enumerate(now):
        J = np.array([(p[i].place - m[i].place) / (2 * STEP) for p, m in sides]).T
        a = (after[i].place - 2 * body.place + before[i].place) / STEP**2
        M += body.mass * (J.T @ J)
        c += body.mass * (J.T @ a)
        w -= body.mass * (J.T @ g)
        rate = J @ v
        T += body.mass * (rate @ rate) / 2
        V -= body.mass * (g @ body.place)
        if body.inertia is None:
            continue
        turn = np.array([_vector((p[i].R - m[i].R) @ body.R.T) / (2 * STEP) for p, m in sides]).T
        omega = turn @ v
        alpha = _vector((after[i].R - 2 * body.R + before[i].R) @ body.R.T) / STEP**2
        inertia = body.R @ body.inertia @ body.R.T
        M += turn.T @ inertia @ turn
        c += turn.T @ (inertia @ alpha + cross_matrix(omega) @ inertia @ omega)
        T += omega @ inertia @ omega / 2
    return {"M": rounded(M), "coriolis": rounded(c), "gravity": rounded(w), "T": float(T), "V": float(V)}
