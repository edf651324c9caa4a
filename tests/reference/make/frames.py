"""naganathan_case1_frequencies, naganathan_3R_spatial: arms with locked joints as frames of linear Timoshenko elements in global
coordinates. naganathan86_table1's analytical row, by its frequency equation."""
import numpy as np


def stiffness(section, l):
    """Of one element along x: [u, θ] of its two ends. Each strain is constant: one-point integration of shear."""
    K = np.zeros((12, 12))

    def strain(modulus, entries):
        B = np.zeros(12)
        for place, value in entries.items():
            B[place] = value
        K[:] += modulus * l * np.outer(B, B)

    ends = lambda k: {k: -1 / l, 6 + k: 1 / l}
    strain(section["EA"], ends(0))
    strain(section["GJ"], ends(3))
    strain(section["EI"], ends(4))
    strain(section["EI"], ends(5))
    strain(section["kGA"], {**ends(1), 5: -0.5, 11: -0.5})  # u_y' − θ_z
    strain(section["kGA"], {**ends(2), 4: 0.5, 10: 0.5})  # u_z' + θ_y
    return K


def mass(section, l):
    inertia = np.array([section["rA"]] * 3 + [section["rJ"], section["rI"], section["rI"]])
    return np.kron(np.array([[2, 1], [1, 2]]) * l / 6, np.diag(inertia))


def section_of(A, I, J, E, nu, rho, k):
    G = E / (2 * (1 + nu))
    return {"EA": E * A, "EI": E * I, "GJ": G * J, "kGA": k * G * A, "rA": rho * A, "rI": rho * I, "rJ": rho * J}


def frame(section, corners, n):
    """Members between corners, n elements each, the first corner clamped."""
    size = 6 * (n * (len(corners) - 1) + 1)
    K, M = np.zeros((size, size)), np.zeros((size, size))
    for member in range(len(corners) - 1):
        span = np.subtract(corners[member + 1], corners[member])
        length = np.linalg.norm(span)
        x = span / length
        y = np.cross([0, 0, 1] if abs(x[2]) < 0.9 else [1, 0, 0], x)
        y /= np.linalg.norm(y)
        T = np.kron(np.eye(4), np.array([x, y, np.cross(x, y)]))
        l = length / n
        for e in range(n):
            at = slice(6 * (member * n + e), 6 * (member * n + e) + 12)
            K[at, at] += T.T @ stiffness(section, l) @ T
            M[at, at] += T.T @ mass(section, l) @ T
    return K[6:, 6:], M[6:, 6:]


def frequencies(K, M, count):
    """From the largest 1/ω² of K⁻¹M, so that the lowest frequencies have the most digits."""
    L = np.linalg.cholesky(K)
    half = np.linalg.solve(L, M)
    values = np.linalg.eigvalsh(np.linalg.solve(L, half.T))[::-1][:count]
    return 1 / (2 * np.pi * np.sqrt(values))


def case1_frequencies(table):
    section = section_of(350e-6, 1e-8, 2e-8, 70e9, 0.3, 2700, 0.8864)
    found = []
    for elbow, n in zip(table.column("elbow_deg"), table.column("elements_per_link")):
        angle = np.radians(float(elbow))
        K, M = frame(section, [(0, 0, 0), (1, 0, 0), (1 + np.cos(angle), np.sin(angle), 0)], int(n))
        plane = np.sort(np.concatenate([np.arange(k, len(K), 6) for k in (0, 1, 5)]))
        found.append(frequencies(K[np.ix_(plane, plane)], M[np.ix_(plane, plane)], 3))
    for k in range(3):
        table.put(f"f{k + 1}_hz", [row[k] for row in found], ".17g")
    return table


def spatial_3R(data):
    s = data["section"]
    section = section_of(s["A"], s["I"], s["J"], s["E"], s["nu"], s["rho"], s["k"])
    n = data["elements_per_member"]
    for case in data["cases"]:
        a = np.radians(case["shoulder_deg"])
        b = a + np.radians(case["elbow_deg"])
        elbow = np.array([np.cos(a), 0, 0.5 + np.sin(a)])
        corners = [(0, 0, 0), (0, 0, 0.5), elbow, elbow + [np.cos(b), 0, np.sin(b)]]
        K, M = frame(section, corners if case["post"] == "flexible post" else corners[1:], n)
        case["frequencies_hz"] = frequencies(K, M, 4)
        gravity = np.tile([0, 0, -9.81, 0, 0, 0], len(K) // 6)
        # The clamped end's acceleration loads the first element too.
        first = mass(section, 0.5 / n if case["post"] == "flexible post" else 1 / n)[6:9, :3].diagonal()
        force = M @ gravity
        force[:3] += first * [0, 0, -9.81]
        case["gravity_tip_m"] = np.linalg.solve(K, force)[-6:-3]
    return data
