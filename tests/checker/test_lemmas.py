"""Where a refinement makes a figure less, the checker confirms that figure and not 1 ns less of it: a
check that lets a lemma give a little more is noticed, of each lemma."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import Any

import pytest

import ddsrta
from ddsrta.bounds.assemble import present
from ddsrta.bounds.evidence.certificate import claims
from ddsrta.bounds.solve import solve
from ddsrta.checker.done_before import DoneBefore
from ddsrta.models.system import System
from tests.bounds import (
    test_circle_cut,
    test_copies_in_tandem,
    test_counts_before,
    test_done_before,
    test_equal_stamps,
    test_event_alone,
    test_fair_shares,
    test_fork_overlap,
    test_held_back,
    test_kept_open,
    test_last_tokens,
    test_leaving_early,
    test_limit_gaps,
    test_limit_windows,
    test_offset_windows,
    test_one_opener,
    test_reserved_work,
    test_rounds,
    test_sets_of_sets,
    test_sharing_windows,
    test_side_by_side,
    test_silent_senders,
    test_tandem,
    test_turns_in_order,
    test_ways_apart,
)
from tests.checker.tampered import Change, accepted, changed, figures
from tests.mutation.corpus import DRAWS, asked

STEPS = 3000
MOST = 8  # figures of a system, evenly
HINTS = "window", "later"  # where to look
OFFSETS = test_offset_windows.more("period: 10ns, offset: 0ns") + test_offset_windows.LESS % (2, "")
OWN: dict[str, Callable[[], System]] = {
    "tandem": lambda: test_tandem.burst("5ns", "3ns"),
    "copies_in_tandem": lambda: test_copies_in_tandem.system_of((6, 1, 1, 2), 2),
    "kept_open": test_kept_open.system_of,
    "held_back": test_held_back.system_of,
    "counts_before": test_counts_before.system_of,
    "one_opener": test_one_opener.system_of,
    "silent_senders": test_silent_senders.system_of,
    "rounds_in_turn": lambda: ddsrta.loads(test_rounds.TEXT),
    "cut_circles": lambda: ddsrta.loads(test_circle_cut.TEXT),
    "offset_windows": lambda: ddsrta.loads(test_offset_windows.HEAD + OFFSETS),
    "last_tokens": test_last_tokens.row,
    "turns_in_order": lambda: ddsrta.loads(test_turns_in_order.BACK),
    "fork_overlaps": lambda: ddsrta.loads(test_fork_overlap.TEXT),
    "ways_apart": test_ways_apart.ring,
    "side_by_side": test_side_by_side.pool,
    **dict.fromkeys(
        ("closed_windows", "pending_windows", "pending_pools", "closed_counts", "done_before"),
        test_done_before.pool,
    ),
    "events_alone": test_event_alone.system,
    "limit_windows": lambda: ddsrta.loads(test_limit_windows.to_and_fro(test_limit_windows.ONE)),
    "limit_gaps": test_limit_gaps.system_of,
    "sharing_windows": test_sharing_windows.system_of,
    "leaving_early": lambda: test_leaving_early.system_of(*test_leaving_early.PLACES["core"]),
    "reserved_work": test_reserved_work.spare,
    "fair_shares": test_fair_shares.several,
    "equal_stamps": test_equal_stamps.system_of,
    "room_ages": lambda: test_sets_of_sets.twice("mtd", "latest"),
}
DRAWN = {  # small ones
    "bursts 202": ("effects",),
    "clocked 201": ("offsets",),
    "copies 13": ("copies",),
    "executors 1": ("end_to_end_windows",),
    "executors 201": ("meetings_in_order",),
    "focused 200": ("chain_windows", "spacing", "bursts_once", "token_buckets", "joint_outputs"),
    "focused 211": ("clocked_counts",),
    "barging 200": ("lock_windows",),
    "limited 9": ("idle_limits",),
    "pools 200": ("costless_sends",),
    "ros2 200": ("in_step",),
    "small 200": ("releasing", "slowest_inputs", "slowest_releases"),
    "small 202": ("deadline_servers",),
    "synchronized 0": ("closed_sets",),
    "synchronized 200": ("program_order", "ahead_in_step", "set_counts"),
    "synchronized 201": ("latest_by_paths",),
    "synchronized 204": ("one_at_a_time",),
    "varied 1": ("fresh_budgets",),
}
AFTER = {"side_by_side": "done_before"}  # by which all that it bounds has less


def drawn(name: str) -> System:
    kind, seed = name.split()
    return asked(DRAWS[kind][1](int(seed)))


CASES = [
    *OWN.items(),
    *((each, partial(drawn, name)) for name, some in DRAWN.items() for each in some),
]


def certified(system: System, *without: str) -> dict[str, Any]:
    some = ddsrta.Refinements(**dict.fromkeys(without, False))
    solution = solve(system, some, most_steps=STEPS)
    return claims(solution, present(solution))


def test_each_refinement_has_a_system() -> None:
    assert sorted(name for name, _ in CASES) == sorted(
        field.name for field in fields(ddsrta.Refinements)
    )


def less(name: str, system: System) -> tuple[dict[str, Any], list[Change]]:
    """What is claimed of a system, and each figure that is more without a refinement, 1 ns less."""
    later = [AFTER[name]] if name in AFTER else []
    certificate = certified(system, *later)
    without = dict(figures(certified(system, *later, name)))
    found = [
        (path, figure - 1)
        for path, figure in figures(certificate)
        if figure and path[-1] not in HINTS and without.get(path, figure + 1) > figure
    ]
    return certificate, found[:: 1 + len(found) // MOST]


@pytest.mark.parametrize(("name", "of"), CASES, ids=[name for name, _ in CASES])
def test_what_it_lowers_is_the_least_that_is_confirmed(
    name: str, of: Callable[[], System], monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in AFTER:
        monkeypatch.setattr(DoneBefore, "window", lambda _: None)
    certificate, changes = less(name, of())
    assert changes and accepted(certificate)
    for change in changes:
        assert not accepted(changed(certificate, change)), change
