"""rigid_2R, puma560, lewbook_*, kane_arm_equivalent: arms of rigid bodies, from the places of their mass centres."""
import numpy as np
from mpmath import mp, mpf

from points import Body, about, equations, exact


def _direction(angle):
    return np.array([mp.cos(angle), mp.sin(angle), mpf(0)], dtype=object)


def rigid_2R(data):
    p = {name: mpf(value) for name, value in data["parameters"].items()}

    def bodies(q):
        first, both = about((0, 0, 1), q[0]), about((0, 0, 1), q[0] + q[1])
        return [
            Body(p["m1"], p["Lc1"] * _direction(q[0]), first, np.diag([0, 0, p["I1"]])),
            Body(p["m2"], p["L1"] * _direction(q[0]) + p["Lc2"] * _direction(q[0] + q[1]), both, np.diag([0, 0, p["I2"]])),
        ]

    for state in data["states"]:
        found = equations(bodies, state["q"], state["v"], (0, -p["g"], 0))
        for name in ("M", "coriolis", "gravity"):
            state[name] = found[name]
        state["acceleration"] = np.linalg.solve(found["M"], state["tau"] - found["coriolis"] - found["gravity"])
    return data


def puma560(data):
    x, z = (1, 0, 0), (0, 0, 1)

    def chain(table, modified):
        """Denavit–Hartenberg frames one after the other; bodies and the last origin."""

        def bodies(q):
            R, p, result = exact(np.eye(3)), exact(np.zeros(3)), []
            for i in range(6):
                turn_x, slide_x = about(x, mpf(table["al"][i])), exact([table["a"][i], 0, 0])
                turn_z, slide_z = about(z, q[i]), exact([0, 0, table["d"][i]])
                if modified:
                    p = p + R @ slide_x
                    R = R @ turn_x @ turn_z
                    p = p + R @ slide_z
                else:
                    R = R @ turn_z
                    p = p + R @ (slide_z + slide_x)
                    R = R @ turn_x
                result.append(Body(table["m"][i], p + R @ exact(table["r"][i]), R, np.diag(table["I"][i])))
            result.append(Body(0, p))
            return result

        return bodies

    for name, entries, modified in (("standard", "recomputed_standard", False), ("modified_akb", "recomputed_akb", True)):
        table = data[name]
        bodies = chain(table, modified)
        rotors = np.diag(np.array(table["Jm"]) * np.array(table["G"]) ** 2)
        for entry in data[entries]:
            rate = np.array(entry.get("qd", np.zeros(6)))
            found = equations(bodies, entry["q"], rate, (0, 0, -9.81))
            entry["tip"] = [float(value) for value in bodies(exact(entry["q"]))[-1].place]
            entry["gravity"] = found["gravity"]
            entry["M_with_motor"] = found["M"] + rotors
            if "qdd" not in entry:
                continue
            entry["M_links_only"] = found["M"]
            torque = entry["M_with_motor"] @ entry["qdd"] + found["coriolis"] + found["gravity"]
            entry["tau_no_friction"] = torque
            gear = np.array(table["G"])
            coulomb = np.where(rate > 0, table["Tcp"], np.where(rate < 0, table["Tcm"], 0))
            entry["tau_with_friction"] = torque + np.array(table["B"]) * gear**2 * rate + np.abs(gear) * coulomb
    return data


def lewbook_mobile(data):
    p = {name: mpf(value) for name, value in data["parameters"].items()}

    def bodies(q):
        shoulder = np.array([q[0], q[1], mpf(0)], dtype=object) + p["L3"] * _direction(q[2])
        yaw = about((0, 0, 1), q[2] + q[3]) @ about((1, 0, 0), mp.pi / 2)  # x along the level link, y up, z the pitch axis
        upper, fore = yaw @ about((0, 0, 1), q[4]), yaw @ about((0, 0, 1), q[4] + q[5])
        vehicle = Body(p["m3"], np.array([q[0], q[1], mpf(0)], dtype=object), about((0, 0, 1), q[2]), np.diag([0, 0, p["I3z"]]))
        return [
            vehicle,
            Body(p["m5"], shoulder + p["L5c"] * upper[:, 0], upper, np.diag([p["I5x"], p["I5y"], p["I5z"]])),
            Body(p["m6"], shoulder + p["L5"] * upper[:, 0] + p["L6c"] * fore[:, 0], fore, np.diag([p["I6x"], p["I6y"], p["I6z"]])),
        ]

    for state in data["states"]:
        state["M"] = equations(bodies, state["q"], np.zeros(6))["M"]
    return data


def lewbook_ralf_sam(data):
    p = {name: mpf(value) for name, value in data["parameters"].items()}

    def carried(slopes):
        def bodies(q):
            across = lambda angle: about((0, 0, 1), angle)[:, 1]
            second = q[0] + q[1] + (p["slope1"] * q[2] if slopes else 0)
            third = second + q[4] + (p["slope2"] * q[3] if slopes else 0)
            fourth = third + q[5]
            tip = p["l1"] * _direction(q[0]) + p["she1"] * q[2] * across(q[0])
            tip = tip + p["l2"] * _direction(second) + p["she2"] * q[3] * across(second)
            # d3, d4 are moments of inertia about the joints.
            return [
                Body(p["m3"], tip + p["l3c"] * _direction(third), about((0, 0, 1), third), np.diag([0, 0, p["d3"] - p["m3"] * p["l3c"] ** 2])),
                Body(p["m4"], tip + p["l3"] * _direction(third) + p["l4c"] * _direction(fourth), about((0, 0, 1), fourth),
                     np.diag([0, 0, p["d4"] - p["m4"] * p["l4c"] ** 2])),
            ]

        return bodies

    for state in data["states"]:
        for name, slopes in (("M_SAM_no_slope", False), ("M_SAM_with_slope", True)):
            state[name] = equations(carried(slopes), state["q"], np.zeros(6))["M"]
    return data
