"""Federations whose offsets a hand can work out: runs reach them, and 1 ns less is tardy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from ddsrta.lf.bounds.offsets.least import offsets
from ddsrta.lf.bounds.offsets.links import network
from ddsrta.lf.program.examples import two_federates
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.run.simulation.attack import attacks
from ddsrta.lf.run.simulation.run import run_decentralized
from ddsrta.lf.run.simulation.seen import Seen
from tests.lf.federations import MS, US, small

NAMES = {"a": "1ms", "b": "2ms", "c": "3ms", "d": "1ms"}


def chain() -> Federation:
    return small(
        {n: NAMES[n] for n in "abc"}, [("a", "b"), ("b", "c")], delay="500us", sources="abc"
    )


def diamond() -> Federation:
    ways = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")]
    return small(NAMES, ways, delay="1ms", sources="abcd")


def ring() -> Federation:
    """a sends at its own ticks only: what comes back triggers a reaction that sends nothing."""
    ways = [("a", "b"), ("b", "c"), ("c", "a", "after: 100ms")]
    found = small({n: NAMES[n] for n in "abc"}, ways, delay="1ms", sources="abc")
    a = found.federates["a"]
    reactions = {
        "r": replace(a.reactions["r"], triggers=("tick",)),
        "back": replace(a.reactions["r"], name="back", triggers=("from_c",), effects=(), wcet=0),
    }
    return replace(found, federates={**found.federates, "a": replace(a, reactions=reactions)})


def runs(federation: Federation, name: str, waits: Mapping[str, int]) -> Seen:
    seen = Seen()
    for number, choices in enumerate(attacks(offsets(network(federation)), name)):
        seen.begin(number)
        run_decentralized(federation, waits, choices, 500 * MS, seen)
    return seen


@pytest.mark.parametrize(
    ("federation", "by_hand"),
    [
        (two_federates(), {"source": 0, "sink": 1650 * US}),
        (chain(), {"a": 0, "b": 1500 * US, "c": 4 * MS}),
        (diamond(), {"a": 0, "b": 2 * MS, "c": 2 * MS, "d": 6 * MS}),
        (ring(), {"a": 0, "b": 2 * MS, "c": 5 * MS}),
    ],
    ids=["two", "chain", "diamond", "ring"],
)
def test_runs_need_just_the_offsets_of_the_equations(
    federation: Federation, by_hand: dict[str, int]
) -> None:
    found = offsets(network(federation))
    assert {n: offset.value for n, offset in found.offsets.items()} == by_hand
    for name, value in by_hand.items():
        if not value:
            continue
        last = found.offsets[name].path[-1].index
        enough = runs(federation, name, by_hand)
        assert not enough.tardy
        assert enough.arrival[last].most == value
        short = runs(federation, name, {**by_hand, name: value - 1})
        assert short.tardy[last].count


def test_who_has_no_input_starts_at_once_whatever_its_maxwait() -> None:
    seen = runs(two_federates(), "sink", {"source": 7 * MS, "sink": 2 * MS})
    assert seen.start["source"].most == 0


def test_known_inputs_end_a_wait_early() -> None:
    """The sink ticks with the source: once the message is there, all is known."""
    seen = runs(two_federates(), "sink", {"source": 0, "sink": 4 * MS})
    assert (seen.start["sink"].most, seen.chains["control"].most) == (1650 * US, 1850 * US)
