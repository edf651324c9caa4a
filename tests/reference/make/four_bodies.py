"""abdelaziz_fourbody: four bodies in a chain of ball joints, by virtual power. Not by the paper's formulas."""
import numpy as np

from points import Body, equations, exact, turned


def abdelaziz_fourbody(data):
    for state in data["states"]:
        start = [np.eye(3)] + [np.array(state[name]) for name in ("Rab", "Rac", "Rad")]  # axes of A
        behind = [np.zeros(3)] + [np.array(state[name]) for name in ("Lb_minus", "Lc_minus", "Ld_minus")]
        ahead = [np.array(state[name]) for name in ("La_plus", "Lb_plus", "Lc_plus")] + [np.zeros(3)]

        def bodies(q):
            """q: the place of A*, then for each body a rotation vector in its own axes, from where it is now."""
            place, result = q[:3], []
            for i in range(4):
                R = exact(start[i]) @ turned(q[3 + 3 * i : 6 + 3 * i])
                place = place + R @ exact(behind[i])
                result.append(Body(state["m"][i], place, R, state["I"][i]))
                place = place + R @ exact(ahead[i])
            return result

        U = np.array(state["U"])
        # ẋ = R_A U_o: at rest of the speeds the place still accelerates. Rotation vectors have none of that at zero.
        carried = np.concatenate([np.cross(U[1], U[0]), np.zeros(12)])
        found = equations(bodies, np.zeros(15), U.ravel(), vdot=carried)
        state["A"], state["B"] = -found["M"], -found["coriolis"]
        state["Udot_free"] = np.linalg.solve(found["M"], -found["coriolis"])
    return data
