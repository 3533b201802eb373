"""Partitions of a federate into enclaves as the values of a parameter."""

from __future__ import annotations

from typing import Any

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.exploration.study.base import Base
from ddsrta.exploration.study.space import Path
from ddsrta.lf.bounds.enclaves.moves import Builder
from ddsrta.lf.bounds.enclaves.partition import Cut, atoms


def partitions(base: Base, name: str) -> tuple[list[Path], list[tuple[Any, ...]], list[str]]:
    """The places of a partition in the file, what stands there, and what to call it: as it is, then
    one enclave, one for each pipeline, stages of pipelines."""
    federation = base.federation
    assert federation is not None
    federate = federation.federates[name]
    if any(reaction.level is not None for reaction in federate.reactions.values()):
        message = f"federate '{name}' gives levels, which are those of its own partition"
        raise InputError([Diagnostic(None, message, "leave them out")])
    places: list[Path] = [("federates", name, key) for key in ("workers", "enclaves")]
    present = tuple(base.value(place) for place in places)
    rows = {repr(present): (present, "as it is")}
    host = federation.hosts[federate.host]
    workers = federate.workers + sum(each.workers for each in federate.enclaves.values())
    for cut in Builder(atoms(federation, name), host.cores or workers).beginnings():
        row = _row(cut)
        rows.setdefault(repr(row), (row, _word(cut)))
    return places, [row for row, _ in rows.values()], [word for _, word in rows.values()]


def _row(cut: Cut) -> tuple[Any, ...]:
    enclaves = {
        name: {"workers": str(workers), "reactors": list(group)}
        for name, group, workers in cut.enclaves()
    }
    return str(cut.workers[0]), enclaves or None


def _word(cut: Cut) -> str:
    """
    >>> _word(Cut(((), ("a", "b")), (1, 2)))
    '1 enclave: a b (2)'
    """
    found = [f"{' '.join(group)} ({workers})" for _, group, workers in cut.enclaves()]
    return f"{len(found)} enclave{'s' * (len(found) != 1)}: {', '.join(found)}" if found else "none"
