"""Cores that even out the load, by CP-SAT of OR-tools: the best placement, then the next one.

A placement gives each thing whose core is open one of its cores, so that no core is loaded by more
than it supplies, and things are together or apart as the study wants. The highest load is as low
as can be; each solution is then forbidden, and the next best one searched. Loads are long-run: how
late something is, the analysis says.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

from ortools.sat.python import cp_model

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.load import stage_rates
from ddsrta.exploration.improve.move import Thing
from ddsrta.exploration.study.samplers import Points
from ddsrta.exploration.study.setup import Setup
from ddsrta.exploration.study.shapes import WHOLE
from ddsrta.exploration.study.space import Choice, Point
from ddsrta.models.system import System


def placement(setup: Setup, chance: Random) -> Points:
    """The placements of all whose core is open; other parameters stay as they are."""
    model = _Model(setup)
    points: list[Point] = []
    while (point := model.next()) is not None:
        points.append(point)
        if len(points) == setup.sampler.batch:
            yield points
            points = []
    if points:
        yield points


class _Model:
    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.model = cp_model.CpModel()
        self.chosen: dict[int, list[Any]] = {}  # by parameter: whether it is each of its cores
        self.core: dict[Thing, dict[str, Any]] = {}
        for number, each in enumerate(setup.space.parameters):
            if not each.is_order and len(each.places) == 1 and each.places[0][-1] == "core":
                section, name, _ = map(str, each.places[0])
                flags = [self.model.new_bool_var(f"{name} {n}") for n in range(each.size)]
                self.model.add_exactly_one(flags)
                self.chosen[number] = flags
                cores = [str(row[0]) for row in each.choices]
                self.core[section, name] = dict(zip(cores, flags, strict=True))
        self._load()
        self._relate()

    def _load(self) -> None:
        """The highest load is to be least, and no core has more than it supplies."""
        system = _system(self.setup)
        shares = _shares(self.setup)
        highest = self.model.new_int_var(0, WHOLE, "highest load")
        for path, core in system.cores.items():
            supplied = core.reservation
            terms: list[Any] = []
            for thing, share in shares.items():
                where = self.core.get(thing, {}).get(path)
                fixed = thing not in self.core and path in _cores(system, thing)
                load = share * supplied.period // supplied.budget if supplied else share
                if where is not None or fixed:
                    terms.append(load if where is None else load * where)
            if terms:
                self.model.add(sum(terms) <= highest)
        self.model.minimize(highest)

    def _relate(self) -> None:
        """Things that share a core, or do not, where the cores of all of them are open."""
        for things in self.setup.rules.together:
            for one, other in pairwise(things):
                self._pair(one, other, lambda a, b: self.model.add(a == b))
        for things in self.setup.rules.apart:
            for number, one in enumerate(things):
                for other in things[:number]:
                    self._pair(one, other, lambda a, b: self.model.add(a + b <= 1))

    def _pair(self, one: Thing, other: Thing, relate: Any) -> None:
        first, second = self.core.get(one), self.core.get(other)
        if first is None or second is None:
            return  # the rules of the study look at each point, too
        for core in {**first, **second}:
            relate(first.get(core, 0), second.get(core, 0))

    def next(self) -> Point | None:
        """The best placement that was not had yet."""
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = self.setup.sampler.seed % (1 << 31)
        if not self.chosen or solver.solve(self.model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None
        found: list[Choice] = list(self.setup.space.base)
        taken = []
        for number, flags in self.chosen.items():
            choice = next(n for n, flag in enumerate(flags) if solver.boolean_value(flag))
            found[number] = choice
            taken.append(flags[choice])
        self.model.add(sum(taken) <= len(taken) - 1)
        return tuple(found)


def _shares(setup: Setup) -> dict[Thing, int]:
    """The load of each thing on a core of its own, in millionths, rounded up."""
    system = _system(setup)
    compiled = compile_system(system)
    shares: dict[Thing, float] = {}
    for stage, rate in zip(compiled.stages, stage_rates(compiled), strict=True):
        if hasattr(getattr(system, stage.server[0], {}).get(stage.server[1]), "core"):
            shares[stage.server] = shares.get(stage.server, 0.0) + stage.cost * rate
    return {thing: -(-int(share * WHOLE * 1000) // 1000) for thing, share in shares.items()}


def _system(setup: Setup) -> System:
    system = setup.subject.base.system
    if system is None:
        message = "the sampler 'placement' is for the cores of systems"
        raise InputError([Diagnostic(None, message, "choose another one")])
    return system


def _cores(system: Any, thing: Thing) -> tuple[str, ...]:
    each = getattr(system, thing[0])[thing[1]]
    return getattr(each, "cores", ()) or (each.core,)
