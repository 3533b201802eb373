"""Ways to choose points of a space: one generator each. It yields points, and gets what became of
them; the same seed yields the same points for the same outcomes, so that a search can be told once
more from what was stored."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from importlib import import_module
from random import Random

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.exploration.study.judge import Outcome
from ddsrta.exploration.study.setup import Setup
from ddsrta.exploration.study.space import Point

Points = Generator[list[Point], Sequence[Outcome | None], None]
Way = Callable[[Setup, Random], Points]

MOST_OF_A_GRID = 10_000  # points of a space that is tried whole unless told otherwise
_EXTRAS = {"pymoo": "explore", "numpy": "explore", "ortools": "placement"}
_ROOM = "ddsrta.exploration.study.samplers"
_MODULES = {
    "grid": ("plain", "grid"),
    "random": ("plain", "random"),
    "local": ("local", "local"),
    "priorities": ("local", "priorities"),
    "nsga2": ("evolution", "nsga2"),
    "nsga3": ("evolution", "nsga3"),
    "placement": ("placement", "placement"),
}


def chosen(setup: Setup) -> str:
    """The sampler that a study asks for, or the usual one."""
    asked = setup.sampler
    if asked.kind is not None:
        return asked.kind
    return "grid" if setup.space.size <= MOST_OF_A_GRID else "local"


def points_of(setup: Setup) -> Points:
    """The points of a study, as its sampler yields them."""
    module, name = _MODULES[chosen(setup)]
    try:
        way: Way = getattr(import_module(f"{_ROOM}.{module}"), name)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _EXTRAS:
            raise
        message = f"the sampler '{chosen(setup)}' needs the package {package}"
        advice = f"pip install 'ddsrta[{_EXTRAS[package]}]'"
        raise InputError([Diagnostic(None, message, advice)]) from error
    return way(setup, Random(setup.sampler.seed))
