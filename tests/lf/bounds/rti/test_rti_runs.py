"""Bounds of centralized federations hold in runs of a model of the RTI, and are reached."""

from __future__ import annotations

import random

import pytest

from ddsrta.lf.bounds.rti.control import Control
from ddsrta.lf.bounds.rti.lags import lags
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.reader import loads
from tests.effort import draws
from tests.lf.bounds.rti.rti_model import Run
from tests.lf.bounds.rti.test_rti import DIAMOND, FOUR, central
from tests.lf.federations import MS, US


def system(seed: int) -> Federation:
    """Up to six federates, each with a timer or inputs or both."""
    chance = random.Random(seed)
    count = chance.randint(2, 6)
    lines = ["federation: 1", "coordination: centralized", "hosts: {h: }",
             f"rti: {{hop: {chance.randint(1, 300)}us, service: {chance.randint(0, 40)}us, "
             f"dnet: {chance.choice(['true', 'false'])}}}", "federates:"]  # fmt: skip
    links = []
    for index in range(count):
        sources = sorted(chance.sample(range(index), chance.randint(0, min(2, index))))
        ticks = not sources or chance.random() < 0.5
        triggers = [f"i{source}" for source in sources] + ["t"] * ticks
        period = chance.choice([4, 5, 6, 8, 10, 20])
        timer = f"{{t: {{offset: {chance.randint(0, 3)}ms, period: {period}ms}}}}"
        always = chance.choice(["true", "false"])
        lines += [f"  f{index}:", "    host: h", f"    inputs: [{', '.join(triggers[:len(sources)])}]",
                  "    outputs: [out]", f"    timers: {timer if ticks else '{}'}",
                  f"    reactions: {{r: {{triggers: [{', '.join(triggers)}], effects: [out], "
                  f"wcet: {chance.randint(1, 600)}us, always: {always}}}}}"]  # fmt: skip
        for source in sources:
            after = chance.choice(["", "", "", ", after: 0 ms", ", after: 1ms", ", after: 7ms"])
            links.append(f"  - {{from: f{source}.out, to: f{index}.i{source}{after}}}")
    lines += ["connections:" if links else "connections: []", *links]
    return loads("\n".join(lines) + "\n", "f.yaml")


# In these the RTI has to ask for what DNET kept back, after a message has come.
ASKED = (58, 102, 132, 134, 243, 264)


@pytest.mark.parametrize("seed", [*range(draws(20, of=60)), *ASKED])
def test_no_run_is_above_the_bound(seed: int) -> None:
    federation = system(seed)
    found = lags(federation)
    for repeat in range(3):
        for name, late in Run(federation, repeat, 120 * MS).late.items():
            value, busy = found.values[name], found.busy[name]
            if value is not None and busy is not None:
                assert late <= value + busy, (name, late, value, busy)


def test_runs_show_that_asking_takes_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Control, "late_query", lambda self, name, vouches, behind: 0)
    for seed in ASKED:
        federation = system(seed)
        found, late = lags(federation), Run(federation, 0, 60 * MS).late
        over = [n for n in late if late[n] > (found.values[n] or 0) + (found.busy[n] or 0)]
        assert over, seed


def test_most_random_federations_have_bounds() -> None:
    found = [lags(system(seed)) for seed in range(60)]
    bounded = sum(None not in f.values.values() for f in found)
    assert bounded > 40


@pytest.mark.parametrize("dnet", ["true", "false"])
def test_the_bound_of_a_diamond_is_reached(dnet: str) -> None:
    federation = central(FOUR, DIAMOND, f"hop: 100us, service: 10us, dnet: {dnet}")
    found = lags(federation)
    late = max(Run(federation, seed, 400 * MS).late["d"] for seed in range(10))
    # Asked twice in a row it is only if a DNET is on its way each time: no run here has that.
    asked = 210 * US if dnet == "true" else 0
    assert late == (found.values["d"] or 0) + 50 * US - asked
