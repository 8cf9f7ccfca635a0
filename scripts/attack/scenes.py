# SPDX-License-Identifier: MIT
"""Random valid scenes: bodies of 1e-3 to 1e3 m and 1e-4 to 1e6 kg, speeds to 300 m/s, 30 to 1000
steps per second, every material, dents, shells, bends, tissue and every kind of hit by hand."""

SOLIDS = ("box", "sphere", "capsule", "cylinder", "plank", "plate", "torus", "barrel")
LEAST_SIDE = 1e-3  # [m]
GRAVITY = (0.0, -9.81, 0.0)


def vector(rng, size):
    return [rng.uniform(-size, size) for _ in range(3)]


def random_body(rng, size, materials):
    """A body about `size` metres long, at rest in the origin."""
    sides = [max(LEAST_SIDE, size * rng.uniform(0.4, 1.0)) for _ in range(3)]
    kind = rng.choice(SOLIDS)
    solid = {"kind": kind, "size": sides, "resolution": 0.15 * size}
    if kind == "capsule":
        sides[1] = max(sides)
    if kind == "torus":
        solid["tube"] = 0.15 * min(sides[0], sides[2])
    if kind == "plate":
        sides[1] *= 0.1
    body = {"solid": solid, "material": rng.choice(materials)}
    if rng.random() < 0.5:
        body["thickness"] = min(10.0, rng.uniform(0.002, 0.02) * min(sides))
    if rng.random() < 0.3:
        body["mass"] = 10.0 ** rng.uniform(-4, 6)
    return body


def random_layers(rng, body, size):
    """Dents, alone or with another layer; for some bodies that layer alone."""
    layers = {"dent": random_dent(rng, size)} if rng.random() < 0.7 else {}
    if "thickness" in body and rng.random() < 0.3:
        layers["shell"] = random_shell(rng)
    if rng.random() < 0.06:  # Rarely: finding the weights of bones takes a second.
        layers["bend"] = random_bend(rng, size)
    return layers or {"dent": random_dent(rng, size)}


def random_shell(rng):
    shell = {"sub_shells": rng.randint(4, 64)}
    if rng.random() < 0.3:
        shell["springs"] = False
    if rng.random() < 0.3:
        shell["stiffness"] = 10.0 ** rng.uniform(-3, 3)
    if rng.random() < 0.5:
        shell["share"] = rng.random()
    return shell


def random_bend(rng, size):
    bend = {"speed": 10.0 ** rng.uniform(-2, 2)}
    if rng.random() < 0.5:
        bend["strength"] = 10.0 ** rng.uniform(-3, 6)
    if rng.random() < 0.3:
        bend["hardening"] = rng.uniform(0.0, 2.0)
    if rng.random() < 0.3:
        bend["blend_length"] = size * rng.uniform(0.02, 0.5)
    return bend


def random_tissue(rng, body):
    sides = body["solid"]["size"]
    return {"thickness": max(1e-5, min(sides) * rng.uniform(0.1, 0.6)),
            "stiffness": 10.0 ** rng.uniform(2, 7),
            "layers": rng.randint(1, 2), "damping": rng.uniform(0.0, 20.0),
            "touches_itself": rng.random() < 0.3}


def random_dent(rng, size):
    dent = {}
    if rng.random() < 0.4:
        dent["shape"] = {"source": rng.choice(("gaussian", "cosine", "cap", "projectile"))}
    if rng.random() < 0.2:
        dent["shape"] = {"source": "formula", "formula": "max(0, 1 - r)"}
    if rng.random() < 0.3:
        dent["duration"] = rng.uniform(0.0, 0.1)
    if rng.random() < 0.3:
        dent["rim"] = rng.random()
    if rng.random() < 0.3:
        dent["radius"] = size * rng.uniform(0.02, 0.3)
    dent["after"] = rng.choice(("leave", "slow", "move"))
    dent["attenuation"] = rng.choice(("logistic", "none", "linear", "exponential"))
    return dent


def random_hit(rng, name, size, duration):
    hit = {"body": name, "time": rng.uniform(0.0, duration),
           "duration": rng.choice((0.0, 10.0 ** rng.uniform(-18, -1)))}
    kind = rng.choice(("dent", "dent", "bend", "refine"))
    if kind == "dent":
        hit["dent"] = {"position": vector(rng, 0.4 * size), "direction": vector(rng, 1.0),
                       "depth": size * rng.uniform(0.0, 0.05),
                       "radius": size * rng.uniform(0.02, 0.3), "slant_deg": rng.uniform(0, 80)}
    elif kind == "bend":
        hit["bend"] = {"position": vector(rng, 0.2 * size), "along": vector(rng, 1.0),
                       "axis": vector(rng, 1.0), "angle_deg": rng.uniform(-60, 60),
                       "length": size * rng.uniform(0.1, 1.0)}
    else:
        hit["refine"] = {"position": vector(rng, 0.4 * size), "radius": 0.3 * size,
                         "longest_edge": 0.1 * size}
    return hit


def random_scene(rng, materials):
    """Two to four bodies that fly at each other, with a floor or in empty space."""
    size = 10.0 ** rng.uniform(-3, 3)
    step_rate = rng.randint(30, 1000)
    frame_rate = step_rate / max(1, round(step_rate / 60))
    speed = min(300.0, size * step_rate * 10.0 ** rng.uniform(-2.0, 0.3))
    steps = rng.randint(5, 60)
    duration = max(1.0, steps * frame_rate / step_rate) / frame_rate
    scene = {"duration": duration, "frame_rate": frame_rate, "step_rate": step_rate,
             "gravity": list(GRAVITY if rng.random() < 0.5 else (0.0, 0.0, 0.0)),
             "ground": {"is_on": rng.random() < 0.3, "height": -2.0 * size},
             "bodies": {}, "hits": []}
    for i in range(rng.randint(2, 4)):
        body = random_body(rng, size * 10.0 ** rng.uniform(-0.5, 0.0), materials)
        # Side by side along x, so that none begins in another.
        place = 1.9 * size * (i - 0.5)
        body["position"] = [place, *(0.2 * size * rng.uniform(-1, 1) for _ in range(2))]
        body["velocity"] = [speed * (-1.0 if place > 0 else 1.0) * rng.random(),
                            *vector(rng, 0.1 * speed)[:2]]
        body["spin"] = vector(rng, rng.choice((0.0, 10.0)))
        if rng.random() < 0.05:
            body["tissue"] = random_tissue(rng, body)
        elif rng.random() < 0.8:
            body["layers"] = random_layers(rng, body, size)
            for _ in range(rng.choice((0, 0, 1, 2))):
                scene["hits"].append(random_hit(rng, f"b{i}", size, duration))
        scene["bodies"][f"b{i}"] = body
    if rng.random() < 0.1:
        scene["press"] = [{"soft": "b0", "by": ["b1"]}]
    return scene


def is_free(scene):
    """Whether nothing but gravity acts from outside."""
    return not scene["ground"]["is_on"]


def has_tissue(scene):
    return any("tissue" in body for body in scene["bodies"].values())


def drifting(scene, velocity):
    """The same scene in a frame that moves past it."""
    bodies = {name: {**body, "velocity": [v + d for v, d in zip(body["velocity"], velocity)]}
              for name, body in scene["bodies"].items()}
    return {**scene, "bodies": bodies}


def shifted(scene, way):
    """The same scene elsewhere."""
    bodies = {name: {**body, "position": [p + d for p, d in zip(body["position"], way)]}
              for name, body in scene["bodies"].items()}
    return {**scene, "bodies": bodies}


def with_other_digits(scene, rng):
    """The same scene, its places and velocities changed by as little as a drift rounds them."""
    bodies = {name: {**body,
                     "position": [p + 5e-14 * rng.uniform(-1, 1) for p in body["position"]],
                     "velocity": [v + 5e-13 * rng.uniform(-1, 1) for v in body["velocity"]]}
              for name, body in scene["bodies"].items()}
    return {**scene, "bodies": bodies}


def without_layers(scene):
    """The same scene of bodies that never deform."""
    bodies = {name: {key: value for key, value in body.items() if key != "layers"}
              for name, body in scene["bodies"].items()}
    return {key: value for key, value in {**scene, "bodies": bodies, "hits": []}.items()
            if key != "press"}
