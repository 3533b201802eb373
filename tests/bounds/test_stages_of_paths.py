"""Up to a stage a path takes no longer than what that does of each event (lemma path-latency), so
no refinement makes it longer."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ddsrta
from ddsrta.bounds.assemble import present
from ddsrta.bounds.paths.concrete import named_paths
from ddsrta.bounds.paths.latency import segments
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain_path
from tests.bounds.circular_systems import circular
from tests.soundness.draw import drawn

FROM_A_WINDOW_OF_A_PATH = 80005  # x03 is done sooner by the window of the way to it
SYSTEMS = {
    **{f"circular {seed}": lambda seed=seed: ddsrta.loads(circular(seed)) for seed in (80000, 80005)},
    **{f"{kind} {seed}": lambda kind=kind, seed=seed: drawn(seed, kind)
       for kind, seed in (("synchronized", 90000), ("synchronized", 90006), ("synchronized", 90009),
                          ("focused", 90023))},
}  # fmt: skip


@pytest.mark.parametrize("name", SYSTEMS)
def test_no_stage_takes_longer_on_a_path_from_its_source(name):
    system = SYSTEMS[name]()
    solution = solve(system)
    compared = 0
    for path in named_paths(system)[0]:
        for part in segments(solution, path.start, path.hops):
            best = solution.compiled.streams.of[part.every.start].best
            for walk in (one for one in part.every.since(0) if one.from_base):
                totals = walk.totals[-len(walk.stretch) :]
                for stage, total in zip(walk.stretch, totals, strict=True):
                    latency = solution.latency(stage)
                    if latency is not None and total is not None:  # else it waits for ever
                        assert total <= latency - best
                        compared += 1
    assert compared


@pytest.mark.parametrize("name", list(Refinements.__dataclass_fields__))
def test_no_refinement_makes_a_path_longer(name):
    if name == "offsets":  # without them latencies count from other events
        return
    system = ddsrta.loads(circular(FROM_A_WINDOW_OF_A_PATH))
    some = replace(Refinements.all(), **{name: False})
    full, less = present(solve(system)), present(solve(system, some))
    for chain, path in full.chains.items():
        for hop, other in zip(path.hops, less.chains[chain].hops, strict=True):
            assert hop.latency <= other.latency, (chain, hop.stage)


def test_it_is_confirmed_and_explained():
    result = ddsrta.analyze(ddsrta.loads(circular(FROM_A_WINDOW_OF_A_PATH)))
    assert result.check.status == "confirmed" and result.check.without == ()
    assert [hop.latency for hop in result.chains["w0/1"].hops] == [
        19_000, 20_000, 33_000, 38_000, 47_000,
    ]  # fmt: skip
    for seed in range(80000, 80012):
        system = ddsrta.loads(circular(seed))
        solution = solve(system)
        for path in named_paths(system)[0]:
            explained = explain_path(solution, path)
            figure = explained.bound
            assert figure is None or sum(stage.total for stage in explained.stages) == figure
