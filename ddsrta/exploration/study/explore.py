"""Design-space exploration, from a study to its confirmed front."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ddsrta.base.diagnostics import expect_files, given, whole
from ddsrta.exploration.study.run import Heard, search
from ddsrta.exploration.study.setup import Setup, read_setup
from ddsrta.exploration.study.store import Store
from ddsrta.exploration.study.study import Study, confirmed
from ddsrta.exploration.study.subjects import Thing
from ddsrta.exploration.study.workers import looking


def explore(
    study: str | Path | Mapping[str, Any] | None = None,
    *,
    base: Thing | None = None,
    candidates: int | None = None,
    seed: int | None = None,
    store: str | Path | None = None,
    resume: bool = False,
    jobs: int = 1,
    scheduler: str | None = None,
    hear: Callable[[Heard], None] = lambda heard: None,
    stop: Callable[[], bool] = lambda: False,
    **keys: Any,
) -> Study:
    """Tries what a study leaves open of its base, and confirms the best.

    The study is a file, a mapping as a file has it, or keyword arguments of that name; the base is
    the one that it names, unless it is given. The same study has the same candidates and front,
    whoever looks at them: this process, several `jobs`, or the workers of a Dask `scheduler`.

    A `store` is a folder in which each batch is kept once it is done; with `resume` one that ended
    before goes on.

    >>> from ddsrta.examples import two_threads
    >>> found = explore(
    ...     base=two_threads(),
    ...     parameters={"priority of F": {"place": "flow_controllers/F/priority",
    ...                                   "values": [80, 90]}},
    ...     objectives=[{"minimize": "latency"}, {"minimize": "changes"}])
    >>> [(member.number, member.goals) for member in found.front], found.is_whole
    ([(1, (3286000, 0))], True)
    """
    said = whole(jobs=jobs, **given(candidates=candidates, seed=seed))
    expect_files(**given(store=store))
    setup = setup_for(study, base, said.get("candidates"), said.get("seed"), keys)
    kept = None if store is None else Store(store, setup, resume)
    with looking(setup, jobs, scheduler) as look:
        searched = search(setup, look, kept, hear, stop)
    return confirmed(setup, searched)


def setup_for(
    study: str | Path | Mapping[str, Any] | None,
    base: Thing | None,
    candidates: int | None,
    seed: int | None,
    keys: Mapping[str, Any],
) -> Setup:
    """The study that a call asks for."""
    if not isinstance(study, str | Path | Mapping | None):
        told = "; a system is its base=" if isinstance(study, Thing) else ""
        raise TypeError(f"wanted: a study, a file or a mapping, not {type(study).__name__}{told}")
    if not isinstance(base, Thing | None):
        name = type(base).__name__
        raise TypeError(f"wanted as base: a System, as of ddsrta.load(FILE), not {name}")
    if study is None or isinstance(study, Mapping):
        study = {"study": 1, **({"base": "base"} if base else {}), **(study or {}), **keys}
    elif keys:
        raise TypeError(f"explore() of a file takes no '{next(iter(keys))}'")
    setup = read_setup(study, base)
    said = setup.sampler
    most = said.candidates if candidates is None else candidates
    chance = said.seed if seed is None else seed
    return replace(setup, sampler=replace(said, candidates=most, seed=chance))
