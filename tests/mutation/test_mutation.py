"""Faults are made one at a time, in a child alone; those that lower a bound are noticed."""

from __future__ import annotations

import ast
import gc
import math
import os
import sys
from dataclasses import replace
from itertools import islice

import pytest

from ddsrta.bounds.paths import latency as chains
from ddsrta.models.system import System
from tests.mutation import bounds
from tests.mutation.corpus import corpus
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.operators import replacements
from tests.mutation.record import sampled
from tests.mutation.swap import UnswappableError, load, module_of, prepare, swap
from tests.mutation.trial import tried

ROOMS = ("compile", "stages", "joined_work/coupling", "synchronizers/set_responses", "paths/walk")
FILES = [f"ddsrta/bounds/{name}.py" for name in ROOMS]
MOST_FAULTS = 160
LOWERING = 4  # so many that lower a bound are looked for
SMALL = 9  # threads and listeners


def faults(text: str, returns_time: bool = False) -> set[str]:
    tree = ast.parse(text)
    return {
        "nothing" if new is None else ast.unparse(ast.fix_missing_locations(new))
        for node in ast.walk(tree)
        for _, new in replacements(node, returns_time)
    }


def test_faults_of_expressions():
    assert faults("a + b") == {"a", "b", "a - b"}
    assert faults("a < b") == {"a <= b"}
    assert faults("-(-a // b)") >= {"a // b"}
    assert faults("a // b") == {"-(-a // b)"}
    assert faults("max(a, b)") >= {"min", "a", "b"}
    assert faults("x.worst") == {"x.best"}
    assert faults("[a, b]") == {"[a]", "[b]"}
    assert faults("a and b") == {"a", "b", "a or b"}
    assert faults("f(3)") >= {"2", "4"}


def test_faults_of_statements():
    assert faults("if a:\n    b()") == {"nothing", "if True:\n    b()"}
    assert faults("return f", True) == {"return 0"}
    assert faults("return None", True) == {"0"}
    assert faults("total += a") == {"nothing", "total -= a"}


def test_each_mutant_has_a_name_of_its_own():
    found = [mutant.name for file in bounds.files("bounds") for mutant in mutants(file)]
    assert len(found) == len(set(found)) > 3000


def fault(function: str, before: str, after: str) -> Mutant:
    (found,) = [
        mutant
        for mutant in mutants("ddsrta/bounds/paths/latency.py")
        if (mutant.function, mutant.before, mutant.after) == (function, before, after)
    ]
    return found


def test_a_child_alone_runs_a_mutant():
    assert chains.least(3, 5) == 3
    mutant = fault("least", "(one, other)", "(other,)")

    def mutated():
        swap(mutant)
        return {"least": chains.least(3, 5)}

    assert tried(mutated) == {"least": 5}
    assert chains.least(3, 5) == 3


def test_what_is_imported_where_it_is_needed_is_loaded(monkeypatch):
    file = "ddsrta/checker/latest.py"
    monkeypatch.delitem(sys.modules, "ddsrta.checker.latest", raising=False)
    with pytest.raises(UnswappableError):
        module_of(file)
    load([file])
    assert module_of(file).Latest


def test_a_child_that_does_not_end_is_ended():
    def endless():
        while True:
            pass

    assert tried(endless, seconds=1) == {"ended": "time"}
    assert tried(lambda: os._exit(0))["ended"] == "silent"


def small(system: System) -> bool:
    return len(system.threads) + len(system.listeners) <= SMALL


def test_faults_that_lower_a_bound_are_refuted(monkeypatch):
    """Systems are chosen by size, and tried whatever time it takes: no clock decides."""
    monkeypatch.setattr(bounds, "SECONDS", 600)
    systems = [(name, system) for name, system in corpus(0.1) if small(system)]
    known = [
        replace(case, seconds=len(case.lines)) for case in bounds.cases(systems, FILES, math.inf)
    ]
    prepare()
    gc.collect()
    trials = (
        tried(lambda mutant=mutant: bounds.trial(mutant, bounds.chosen(mutant, known)))
        for mutant in sampled(FILES, MOST_FAULTS, 1)
    )
    lowering = list(islice((each for each in trials if each.get("lowered")), LOWERING))
    assert len(lowering) == LOWERING
    assert [each for each in lowering if each["result"] != "killed"] == []
