"""kane_arm_equivalent: the arm of Kane and Levinson (hub about the vertical x, tilt about y, slide along z) under servos.

M from the velocities of the mass centres; its derivatives and gravity by imaginary steps, exact in double precision; motion by the
midpoint rule extrapolated (Gragg, Bulirsch, Stoer)."""
import numpy as np

LA, LP, LB, P = 0.3, 0.6, 0.4, np.array([0.05, 0.02, 0.15])
MASS = [12.0, 8.0, 5.0, 2.0]
INERTIA = [np.diag([0.5, 0, 0]), np.diag([0.30, 0.28, 0.04]), np.diag([0.20, 0.19, 0.01]),
           np.array([[0.02, 0.001, 0.0015], [0.001, 0.025, -0.002], [0.0015, -0.002, 0.015]])]
G = 9.81
TARGET = np.array([np.pi / 3, np.pi / 6, 0.4])
BANDWIDTH, RATIO = np.array([1.0, 1.5, 4.0]), np.array([0.7, 0.7, 0.8])


def mass_matrix_and_height(q):
    """Axes of B (the tilted body); the hub turns about s = (cos, 0, sin) of the tilt there."""
    c, s = np.cos(q[1]), np.sin(q[1])
    vertical = np.array([c, 0, s])  # world x
    radial = np.array([-s, 0, c])  # along the hub's arm
    up = np.array([0, 1, 0])  # the tilt's axis
    M, energy = np.zeros((3, 3), dtype=complex), 0
    along = np.array([0, 0, 1])
    centres = [LA * radial, LP * radial + LB * along, LP * radial + (LB + q[2]) * along, LP * radial + (LB + q[2]) * along + P]
    for i, (m, centre) in enumerate(zip(MASS, centres)):
        tilts = i > 0
        tilt = np.cross(up, centre - LP * radial) if tilts else np.zeros(3)
        slide = along if i > 1 else np.zeros(3)
        J = np.array([np.cross(vertical, centre), tilt, slide]).T
        if tilts:
            w = np.array([vertical, up, np.zeros(3)]).T
        else:
            w = np.array([[1, 0, 0], [0, 0, 0], [0, 0, 0]])  # the hub's own axes
        M = M + m * J.T @ J + w.T @ INERTIA[i] @ w
        energy = energy + m * G * (vertical @ centre)
    return M, energy


def equations(q, v):
    M = mass_matrix_and_height(q)[0].real
    slopes, gravity = [], []
    for e in np.eye(3):
        there, height = mass_matrix_and_height(q + 1e-30j * e)
        slopes.append(there.imag / 1e-30)
        gravity.append(height.imag / 1e-30)
    rate = sum(slope * v[k] for k, slope in enumerate(slopes))
    return M, rate @ v - np.array([v @ slope @ v / 2 for slope in slopes]), np.array(gravity)


def extrapolated(rate, y, h):
    table = []
    for k in range(1, 11):
        n = 2 * k
        before, now = y, y + h / n * rate(y)
        for _ in range(n - 1):
            before, now = now, before + 2 * h / n * rate(now)
        row = [(before + now + h / n * rate(now)) / 2]
        for j, upper in enumerate(table[-1] if table else []):
            row.append(row[j] + (row[j] - upper) / ((k / (k - 1 - j)) ** 2 - 1))
        table.append(row)
    return table[-1][-1]


def kane_arm_equivalent(table):
    diagonal = np.diag(equations(TARGET, np.zeros(3))[0])
    # Gains to three digits, as a user would give them.
    kp, kd = ([float(f"{x:.3g}") for x in gains] for gains in (BANDWIDTH**2 * diagonal, 2 * RATIO * BANDWIDTH * diagonal))

    def rate(y):
        M, coriolis, gravity = equations(y[:3], y[3:])
        torque = -np.array(kp) * (y[:3] - TARGET) - np.array(kd) * y[3:] + gravity
        return np.concatenate([y[3:], np.linalg.solve(M, torque - coriolis - gravity)])

    y, rows = np.zeros(6), [np.zeros(6)]
    for _ in range(60):
        y = extrapolated(rate, extrapolated(rate, y, 0.125), 0.125)
        rows.append(y)
    for i, name in enumerate(table.rows[0][1:]):
        table.put(name, [row[i] for row in rows], ".12e")
    return table
