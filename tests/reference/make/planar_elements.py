"""fe_planar_floating, naganathan_case1_tip_converged, naganathan_case1_tip_literal: two planar links of two linear Timoshenko
elements each. The plane is that of complex numbers."""
import numpy as np

E, NU, RHO, A, I, SHEAR = 70e9, 0.3, 2700.0, 350e-6, 1e-8, 0.8864
RHO_A, RHO_I = RHO * A, RHO * I
N = 2  # elements per link of 1 m
L = 1.0 / N


def element_stiffness():
    """[u, v, θ] of both ends; shear by one point."""
    K = np.zeros((6, 6))
    for modulus, B in ((E * A, [-1 / L, 0, 0, 1 / L, 0, 0]), (E * I, [0, 0, -1 / L, 0, 0, 1 / L]),
                       (SHEAR * E / (2 * (1 + NU)) * A, [0, -1 / L, -0.5, 0, 1 / L, -0.5])):
        K += modulus * L * np.outer(B, B)
    return K


ELEMENT_MASS = np.kron(np.array([[2, 1], [1, 2]]) * L / 6, np.diag([RHO_A, RHO_A, RHO_I]))


def cycloid(t, angle=np.pi / 3, duration=2.5):
    """Value, rate, acceleration."""
    w = 2 * np.pi / duration
    if t >= duration:
        return angle, 0.0, 0.0
    return angle * (t / duration - np.sin(w * t) / (2 * np.pi)), angle / duration * (1 - np.cos(w * t)), angle / duration * w * np.sin(w * t)


class Floating:
    """Displacements of nodes from a frame that rides on the parent's deformed tip; joints driven."""

    size = 6 * N

    def __init__(self):
        self.K = np.zeros((self.size, self.size))
        clamped = np.zeros((3 * N + 3, 3 * N + 3))
        for e in range(N):
            clamped[3 * e : 3 * e + 6, 3 * e : 3 * e + 6] += element_stiffness()
        for i in range(2):
            self.K[3 * N * i : 3 * N * (i + 1), 3 * N * i : 3 * N * (i + 1)] = clamped[3:, 3:]
        # Two Gauss points per element integrate linear shapes' products exactly: place, share, shape of u + iv, shape of θ.
        self.points = []
        for e in range(N):
            for x in (0.5 - 0.5 / np.sqrt(3), 0.5 + 0.5 / np.sqrt(3)):
                shift, turn = np.zeros(3 * N, dtype=complex), np.zeros(3 * N)
                for node, share in ((e - 1, 1 - x), (e, x)):
                    if node >= 0:
                        shift[3 * node], shift[3 * node + 1], turn[3 * node + 2] = share, 1j * share, share
                self.points.append(((e + x) * L, L / 2, shift, turn))
        tip, turn = np.zeros(3 * N, dtype=complex), np.zeros(3 * N)
        tip[-3], tip[-2], turn[-1] = 1, 1j, 1
        self.tip = (1.0, tip, turn)

    def terms(self, phi, phid, phidd, z, v):
        """M, h with M z̈ + h + K z = 0, kinetic energy, tip, its angle."""
        M, h, T = np.zeros((self.size, self.size)), np.zeros(self.size), 0.0
        place, rate, acc, slope = 0j, 0j, 0j, np.zeros(self.size, dtype=complex)
        angle, omega, alpha, angle_slope = 0.0, 0.0, 0.0, np.zeros(self.size)
        for i in range(2):
            angle, omega, alpha = angle + phi[i], omega + phid[i], alpha + phidd[i]
            own, e = slice(3 * N * i, 3 * N * (i + 1)), np.exp(1j * angle)

            def at(x, shift):
                r, r_rate = e * (x + shift @ z[own]), e * (shift @ v[own])
                J = slope + 1j * r * angle_slope
                J[own] += e * shift
                return r, place + r, rate + 1j * omega * r + r_rate, J, acc + (1j * alpha - omega**2) * r + 2j * omega * r_rate

            for x, share, shift, turn in self.points:
                _, _, velocity, J, a = at(x, shift)
                Jt = angle_slope.copy()
                Jt[own] += turn
                M += RHO_A * share * (J.real[:, None] * J.real + J.imag[:, None] * J.imag) + RHO_I * share * np.outer(Jt, Jt)
                h += RHO_A * share * (np.conj(J) * a).real + RHO_I * share * Jt * alpha
                T += RHO_A * share * abs(velocity) ** 2 / 2 + RHO_I * share * (omega + turn @ v[own]) ** 2 / 2
            x, shift, turn = self.tip
            _, place, rate, slope, acc = at(x, shift)
            angle, omega = angle + turn @ z[own], omega + turn @ v[own]
            angle_slope = angle_slope.copy()
            angle_slope[own] += turn
        return M, h, T, place, angle


def floating_states(data):
    model = Floating()
    data["K"] = model.K
    for state in data["states"]:
        z, v = np.array(state["z"]), np.array(state["zd"])
        M, h, T, tip, angle = model.terms(state["phi"], state["phid"], state["phidd"], z, v)
        state.update(M=M, h=h, T=T, tip=[tip.real, tip.imag], tip_angle=angle, acceleration=np.linalg.solve(M, -h - model.K @ z))
    return data


def average_acceleration(residual, size, dt, duration, keep):
    """Newmark's rule with β = ¼, γ = ½, iterated until nothing changes. residual(t, z, v, a) gives what is unbalanced and a matrix
    of inertia and one of stiffness; keep(t, z) what to record."""
    z, v, a, rows = np.zeros(size), np.zeros(size), np.zeros(size), {}
    for _ in range(20):
        unbalanced, inertia, _ = residual(0, z, v, a)
        a = a - np.linalg.solve(inertia, unbalanced)
    for k in range(1, round(duration / dt) + 1):
        t, new = k * dt, z + dt * v + dt**2 / 2 * a
        for _ in range(50):
            a_new = 4 / dt**2 * (new - z) - 4 / dt * v - a
            v_new = 2 / dt * (new - z) - v
            unbalanced, inertia, stiffness = residual(t, new, v_new, a_new)
            step = np.linalg.solve(4 / dt**2 * inertia + stiffness, unbalanced)
            new = new - step
            if np.abs(step).max() < 1e-15:
                break
        z, v, a = new, 2 / dt * (new - z) - v, 4 / dt**2 * (new - z) - 4 / dt * v - a
        rows[round(t, 9)] = keep(t, z)
    return rows


def assembled(angles):
    """Nodes shared by the links, ground axes, the foot clamped: M and K."""
    M, K = np.zeros((6 * N + 3,) * 2), np.zeros((6 * N + 3,) * 2)
    for i, angle in enumerate(angles):
        turn = np.eye(3)
        turn[:2, :2] = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
        T = np.kron(np.eye(2), turn)
        for e in range(N):
            at = slice(3 * (i * N + e), 3 * (i * N + e) + 6)
            M[at, at] += ELEMENT_MASS
            K[at, at] += T.T @ element_stiffness() @ T
    return M, K


def inertia_of_frames(angles, omega, alpha, shift=0j):
    """Forces that accelerate the undeformed links; `shift`: a further acceleration of the elbow."""
    F, base = np.zeros(6 * N + 3), 0j
    for i in range(2):
        e = np.exp(1j * angles[i])
        for element in range(N):
            a = []
            for x in (element * L, (element + 1) * L):
                point = base + (1j * alpha[i] - omega[i] ** 2) * x * e
                a += [point.real, point.imag, alpha[i]]
            at = slice(3 * (i * N + element), 3 * (i * N + element) + 6)
            F[at] += ELEMENT_MASS @ a
        base = base + (1j * alpha[i] - omega[i] ** 2) * e + shift
    return F


def nominal(dt, start=(0, 0), signs=(1, 1)):
    def residual(t, z, v, a):
        motion = [np.cumsum([s * x for s in signs]) for x in cycloid(t)]
        angles = motion[0] + np.cumsum(start)
        M, K = assembled(angles)
        F = inertia_of_frames(angles, motion[1], motion[2])
        return (M[3:, 3:] @ a + K[3:, 3:] @ z + F[3:]), M[3:, 3:], K[3:, 3:]

    return average_acceleration(residual, 6 * N, dt, 2.5, lambda t, z: z[-3] + 1j * z[-2])


def literal(dt, start, signs):
    """Shared nodes, and the second link's frame turned and moved by the elbow's deformation as well."""
    elbow = slice(3 * (N - 1), 3 * N)

    def forces(t, z, v, a):
        angles, omega, alpha = [np.cumsum([s * x for s in signs]) for x in cycloid(t)]
        angles = angles + np.cumsum(start)
        u, ud, udd = z[elbow], v[elbow], a[elbow]
        angles, omega, alpha = angles + [0, u[2]], omega + [0, ud[2]], alpha + [0, udd[2]]
        return angles, inertia_of_frames(angles, omega, alpha, udd[0] + 1j * udd[1])[3:]

    def residual(t, z, v, a):
        angles, F = forces(t, z, v, a)
        M, K = assembled(angles)
        still = np.zeros_like(a)
        none = forces(t, z, v, still)[1]
        inertia = M[3:, 3:].copy()
        for k in range(elbow.start, elbow.stop):
            still[k] = 1
            inertia[:, k] += forces(t, z, v, still)[1] - none
            still[k] = 0
        return M[3:, 3:] @ a + K[3:, 3:] @ z + F, inertia, K[3:, 3:]

    return average_acceleration(residual, 6 * N, dt, 2.5, lambda t, z: z[-3] + 1j * z[-2])


def floating(dt):
    model = Floating()

    def motion(t):
        return [np.array([x, x]) for x in cycloid(t)]

    def residual(t, z, v, a):
        M, h, *_ = model.terms(*motion(t), z, v)
        return M @ a + h + model.K @ z, M, model.K

    def error(t, z):
        phi = motion(t)[0]
        commanded = np.exp(1j * phi[0]) + np.exp(1j * (phi[0] + phi[1]))
        return model.terms(*motion(t), z, np.zeros_like(z))[3] - commanded

    return average_acceleration(residual, model.size, dt, 2.5, error)


def put(table, names, rows):
    times = [round(float(t), 9) for t in table.column("t")]
    for name, part in zip(names, (np.real, np.imag)):
        table.put(name, [part(rows[t]) for t in times], table.form)


def tip_converged(table):
    table.form = ".9e"
    for names, run, steps in ((("nominal_1_m", "nominal_2_m"), nominal, (5e-4, 2.5e-4)), (("floating_1_m", "floating_2_m"), floating, (1e-3, 5e-4))):
        coarse, fine = (run(dt) for dt in steps)
        put(table, names, {t: fine[t] + (fine[t] - coarse[t]) / 3 for t in coarse if t in fine})
    return table


def tip_literal(table):
    table.form = ".15g"
    put(table, ("straight_x", "straight_y"), literal(5e-3, (0, 0), (1, 1)))
    put(table, ("bent_x", "bent_y"), literal(5e-3, (0, np.pi / 2), (1, -1)))
    return table
