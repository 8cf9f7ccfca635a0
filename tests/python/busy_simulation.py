# SPDX-License-Identifier: MIT
"""A simulation that is used from threads and signal handlers while it is at work."""

import collections
import signal
import threading
import time

import ductile


def busy_world():
    world = ductile.Simulation()
    world.add_ground()
    barrel = ductile.Mesh.solid("barrel", resolution=0.1)
    world.add_deformable(barrel, name="barrel", thickness=0.001, position=[0, 0.45, 0])
    world.add_rigid(ductile.Mesh.solid("sphere", size=[0.4] * 3, resolution=0.1), name="ball",
                    position=[0.9, 0.5, 0], velocity=[-9, 0, 0], mass=100)
    return world


def fingerprint():
    """What a known run comes to."""
    world = busy_world()
    world.step(1 / 240, 60)
    return world.state_hash


def use_from_threads(seconds):
    """Several threads in one simulation: each call works or raises."""
    world = busy_world()
    end = time.monotonic() + seconds
    raised = collections.Counter()

    def use():
        while time.monotonic() < end:
            try:
                world.step(1 / 240, 3)
                float(world.points(1).sum())
                world.pose(1)
                world.journal(1)
            except RuntimeError:
                raised["busy"] += 1

    threads = [threading.Thread(target=use) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def use_from_signals():
    """A handler calls into the simulation that it interrupts, then stops it."""
    world = busy_world()
    seen = []

    def handler(*_):
        try:
            world.points(1)
        except RuntimeError as problem:
            seen.append(problem)
        raise TimeoutError

    old = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    began = time.monotonic()
    try:
        world.step(1e-5, 1_000_000_000)
    except TimeoutError:
        pass
    else:
        raise AssertionError("a billion steps came to an end")
    finally:
        signal.signal(signal.SIGALRM, old)
    assert seen, "the handler was let into a simulation at work"
    assert time.monotonic() - began < 20, "the interruption took its time"
    world.step(1 / 240)  # and it goes on
