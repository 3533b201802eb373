"""Where messages go round, results of systems that differ a little are those of the whole, too."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest

import ddsrta
from ddsrta.bounds.update import again
from ddsrta.bounds.update.parts import untouched
from ddsrta.checker.parts import check_parts
from tests.bounds.circle_changes import circling, rounds_changed
from tests.bounds.drawn_changes import side_by_side
from tests.bounds.test_circle_cut import TEXT
from tests.bounds.test_update import ROBOT


def robots():
    """Two with a circle, and two without."""
    return side_by_side([ddsrta.loads(ROBOT)] * 2 + [ddsrta.loads(TEXT)] * 2)


def analysed(monkeypatch, result, system):
    """The result of an update, and whose stages were analysed for it, part by part."""
    seen = []
    honest = again.analyze_checked

    def spied(part, *arguments, **more):
        found = honest(part, *arguments, **more)
        seen.append({stage.key for stage in found.solution.compiled.stages})
        return found

    with monkeypatch.context() as patched:
        patched.setattr(again, "analyze_checked", spied)
        return result.update(system), seen


@pytest.mark.parametrize("seed", [0, 1, 4, 6, 7, 8, 10, 14])
def test_drawn_changes_beside_circles_and_on_them(seed):
    random = Random(seed)
    before = circling(seed)
    result = ddsrta.analyze(before)
    for _ in range(2):
        after = rounds_changed(before, random)
        try:
            whole = ddsrta.analyze(after)
        except ddsrta.InputError:
            continue
        result = result.update(after)
        assert result == whole
        assert json.dumps(result.to_dict()) == json.dumps(whole.to_dict())
        assert result.basis == whole.basis
        before = after


@pytest.mark.parametrize("name", ["1.sensor", "2.player", "3.h"])
def test_only_the_part_that_a_change_is_in_is_analysed(monkeypatch, name):
    system, part = robots(), name[0] + "."
    result = ddsrta.analyze(system)
    slower = system.altered("threads", name, wcet=system.threads[name].wcet + 1)
    after, seen = analysed(monkeypatch, result, slower)
    assert after == ddsrta.analyze(slower)
    (stages,) = seen
    mine = {each: count for each, count in result.basis.stages.items() if each.startswith(part)}
    assert Counter(key[1] for key in stages) == mine
    kept = [name for name in result.threads if not name.startswith(part)]
    assert all(after.threads[each] is result.threads[each] for each in kept)


def test_more_rounds_change_nothing_of_other_parts(monkeypatch):
    more = TEXT.replace("rounds: 1", "rounds: 3")
    system, longer = (
        side_by_side([ddsrta.loads(ROBOT), ddsrta.loads(one)]) for one in (TEXT, more)
    )
    after, seen = analysed(monkeypatch, ddsrta.analyze(system), longer)
    assert after == ddsrta.analyze(longer)
    assert len(seen) == 1 and {key[1][0] for key in seen[0]} == {"1"}
    assert after.chains["1.way"].latency == 10 + 7 + 20 + 4 * 2


@pytest.mark.parametrize("name", ["1.sensor", "2.player"])
def test_where_circles_are_not_cut_open_one_takes_refinements_from_all(name):
    """So a part without one has other bounds beside it than alone."""
    some = ddsrta.Refinements(cut_circles=False)
    system = robots()
    slower = system.altered("threads", name, wcet=system.threads[name].wcet + 1)
    result = ddsrta.analyze(system, refinements=some)
    assert result.update(slower) == ddsrta.analyze(slower, refinements=some)


def certificates():
    """Of a change that leaves a circle alone: before, of the part, and of all of it."""
    system = side_by_side([ddsrta.loads(ROBOT), ddsrta.loads(TEXT)])
    before = ddsrta.analyze(system).certificate
    after = system.altered("threads", "0.sensor", wcet=3_000_000)
    part = ddsrta.analyze(again.rest_of(after, untouched(system, after))).certificate
    return before, part, json.loads(json.dumps(ddsrta.analyze(after).certificate))


def test_the_checker_knows_circles_in_parts():
    before, part, whole = certificates()
    assert check_parts(whole, before, part).status == "confirmed"
    assert check_parts(whole, part, before).status != "confirmed"


@pytest.mark.parametrize("name", ["player", "wall", "t"])
def test_it_keeps_of_a_circle_what_was_confirmed_and_no_less(name):
    before, part, whole = certificates()
    claim = next(one for one in whole["stages"] if one["stage"] == ["job", "1." + name])
    claim["response"] -= 1
    assert check_parts(whole, before, part).status != "confirmed"


def test_a_circle_with_more_rounds_is_not_kept():
    before, part, _ = certificates()
    more = TEXT.replace("rounds: 1", "rounds: 2")
    after = side_by_side([ddsrta.loads(ROBOT), ddsrta.loads(more)])
    after = after.altered("threads", "0.sensor", wcet=3_000_000)
    whole = json.loads(json.dumps(ddsrta.analyze(after).certificate))
    assert check_parts(whole, before, part).status != "confirmed"
    claims = {tuple(one["stage"]): one for one in before["stages"]}
    for one in whole["stages"]:
        if one["stage"][1].startswith("1."):
            one.update(claims[tuple(one["stage"])])
    assert check_parts(whole, before, part).status != "confirmed"
