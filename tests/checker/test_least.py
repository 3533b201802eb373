"""What is claimed is the least that the checker confirms, in all its rooms: a nanosecond less is
refuted, no claim can be left out, and what was claimed of a system does not hold for a harder one."""

from __future__ import annotations

import pytest

from tests.checker.tampered import accepted, certified, changed, harder, left_out, less
from tests.effort import draws
from tests.mutation.corpus import DRAWS, asked

# Small systems that together run through as much of the checker as hundreds do.
SEEDS = {
    "any": (203, 206, 220), "bursts": (0, 4, 14, 16), "clocked": (400,), "executors": (202, 212, 400),
    "fastdds": (203, 205, 217, 220), "focused": (400,),
    "limited": (200, 205, 206, 210, 214, 217, 218, 220, 223, 400),
    "orders": (202, 204, 207, 220, 223, 403), "pairs": (401,), "pools": (202, 205, 401), "ros2": (204, 215, 500),
    "small": (204, 214, 216, 222, 223), "spinning": (216, 218, 221, 400, 401),
    "synchronized": (210, 214, 215, 219), "timers": (200, 202, 400), "varied": (201,),
    "wide": (224,),
}  # fmt: skip
CASES = [(kind, seed) for kind, seeds in SEEDS.items() for seed in seeds]
MOST = draws(30, of=120)  # changes of a certificate, evenly
OTHERS = draws(2, of=8)  # systems that are tried beside each


def system_of(kind, seed):
    """A small system of this draw."""
    return asked(DRAWS[kind][1](seed))


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_nothing_less_is_confirmed(kind, seed):
    system = system_of(kind, seed)
    certificate = certified(system)
    assert accepted(certificate)
    changes = [*less(certificate), *left_out(certificate)]
    for change in changes[:: 1 + len(changes) // MOST]:
        assert not accepted(changed(certificate, change), certificate), change
    assert accepted(certificate, certificate)
    for number, other in enumerate(harder(system, certificate, OTHERS, f"{kind} {seed}")):
        assert not accepted(other), number
