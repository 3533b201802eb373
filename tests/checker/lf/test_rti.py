"""Certificates of `ddsrta lf rti`: what is true is confirmed, and nothing better than that."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from ddsrta.checker import CertificateError, check
from ddsrta.lf.bounds.rti.certificate import rti_certificate
from ddsrta.lf.bounds.rti.judge import judge_rti
from ddsrta.lf.program.examples import CENTRALIZED
from ddsrta.lf.program.federation import SHORT_WAIT, Federation
from ddsrta.lf.program.reader import loads
from ddsrta.models.document import digest
from tests.checker.lf.test_stp import RING, leaves, put
from tests.effort import draws
from tests.lf.bounds.rti.test_provisional import drawn as in_a_cycle
from tests.lf.bounds.rti.test_rti import central
from tests.lf.bounds.rti.test_rti_runs import ASKED, system
from tests.lf.federations import MS
from tests.lf.run.simulation.classes import draw_class
from tests.lf.run.simulation.draw import draw

RTI = "coordination: centralized\nrti: {hop: 100us, service: 10us}"
CYCLE = RING.replace("coordination: decentralized", RTI).replace(", after: 5ms", "")
DELAYED = RING.replace("coordination: decentralized", RTI)
PHYSICAL = """\
federation: 1
coordination: centralized
hosts: {h: }
network: [{from: h, to: h, delay: 1ms}]
rti: {hop: 100us, service: 10us, dnet: false}
federates:
  a:
    host: h
    actions: {p: {kind: physical, min_spacing: 20ms, min_delay: 1ms}}
    outputs: [o]
    reactions: {r: {triggers: [p], effects: [o], wcet: 50us}}
  b:
    host: h
    inputs: [i]
    reactions: {r: {triggers: [i], wcet: 1ms, deadline: 30ms}}
connections: [{from: a.o, to: b.i}]
chains: {c: {from: a.r, to: b.r, latency: 20ms}}
"""


def certificate(source: str | Federation) -> dict[str, Any]:
    federation = loads(source, "f.yaml") if isinstance(source, str) else source
    found: dict[str, Any] = json.loads(json.dumps(rti_certificate(judge_rti(federation))))
    return found


def drawn() -> Iterator[Federation]:
    for seed in range(draws(12, of=40)):
        yield draw(seed)
        yield draw_class(seed)[0]
        yield system(seed)
        yield in_a_cycle(seed)
    yield from map(system, ASKED)


def test_what_is_found_is_confirmed() -> None:
    verdicts = set()
    for federation in drawn():
        claimed = certificate(replace(federation, short_wait=SHORT_WAIT))
        verdict = check(claimed)
        assert (verdict.status, verdict.failure) == ("confirmed", None), federation.name
        verdicts.add(claimed["verdict"])
    assert verdicts == {"met", "missed", "unbounded"}


@pytest.mark.parametrize("source", [CENTRALIZED, CYCLE, DELAYED, PHYSICAL])
def test_nothing_better_is_confirmed(source: str) -> None:
    claimed = certificate(source)
    assert check(claimed).ok
    keys = ("federates", "grants", "deadlines", "chains", "messages", "prices")
    tried = 0
    for path, value in leaves({key: claimed[key] for key in keys}):
        if isinstance(value, bool):
            better: Any = not value
        elif isinstance(value, int) and path[-1] != "connection":
            better = value - 1
        else:
            continue
        if path[-1] == "assumed" and better:
            continue  # nothing is better by it
        tried += 1
        forged = put(claimed, path, better)
        try:
            assert check(forged).status == "refuted", path
        except CertificateError:
            assert better < 0, path
    assert tried > 15


@pytest.mark.parametrize("source", [
    CENTRALIZED.replace("deadline: 10ms", "deadline: 700us"),
    CENTRALIZED.replace("wcet: 200us", "wcet: 6ms"),
    CENTRALIZED.replace(", wcet: 500us", ""),
    CENTRALIZED.replace(", service: 10us", ""),
    CENTRALIZED.replace(", clock_error: 50us", ""),
    DELAYED.replace("after: 5ms", "after: 4ms"),
    CYCLE, DELAYED,
])  # fmt: skip
def test_met_has_to_be_earned(source: str) -> None:
    claimed = certificate(source)
    assert claimed["verdict"] != "met"
    assert check(claimed).ok
    assert check({**claimed, "verdict": "met"}).status == "refuted"


@pytest.mark.parametrize(("old", "new"), [
    ("hop: 50us", "hop: 51us"), ("service: 10us", "service: 11us"),
    ("wcet: 500us", "wcet: 501us"), ("clock_error: 50us", "clock_error: 51us"),
])  # fmt: skip
def test_another_federation_needs_other_figures(old: str, new: str) -> None:
    claimed = certificate(CENTRALIZED)
    other = certificate(CENTRALIZED.replace(old, new))
    forged = {**claimed, "federation": other["federation"]}
    assert check(forged).status == "refuted"  # by its digest
    assert check({**forged, "digest": digest(other["federation"])}).status == "refuted"


def test_what_is_asked_for_is_counted() -> None:
    """With DNETs the RTI asks, and that takes time; without them it need not."""
    claimed = certificate(CENTRALIZED)
    other = certificate(CENTRALIZED.replace("service: 10us}", "service: 10us, dnet: false}"))
    forged = {**other, "federation": claimed["federation"], "digest": claimed["digest"]}
    assert check(forged).status == "refuted"


def test_a_start_that_no_timer_has_is_work() -> None:
    """A timer that first ticks a period after the start leaves the first tag to the runtime."""
    source = CENTRALIZED.replace(
        "timers: {tick: {period: 5ms}}",
        "overhead: 4900us\n    timers: {tick: {offset: 5ms, period: 5ms}}",
    ).replace("wcet: 500us", "wcet: 50us")
    assert check(certificate(source)).ok


def test_a_wait_that_is_not_known_leaves_tags_without_a_bound() -> None:
    claimed = certificate(CENTRALIZED.replace("hop: 50us, ", ""))
    assert claimed["federates"]["sink"]["tag_takes"] is None
    assert claimed["federates"]["source"]["tag_takes"] == 500_000
    assert check(claimed).ok


def test_microsteps_before_a_time_are_lost() -> None:
    """A message that comes over both has another tag than one that comes in the other order."""
    both = certificate(DELAYED.replace("to: b.i}", "to: b.i, after: 0 ms}"))
    assert {row["claim"] for row in both["messages"] if row["kind"] == "MSG"} == {"at least"}


@pytest.mark.parametrize("source", [CYCLE, DELAYED])
def test_assumptions_are_said(source: str) -> None:
    claimed = certificate(source)
    verdict = check({**claimed, "assumptions": []})
    assert verdict.failure == "the figures rest on 'shared-clock', which is not said to be assumed"


def test_the_order_of_a_cycle_is_assumed() -> None:
    claimed = certificate(CYCLE)
    assert claimed["assumptions"] == ["first-grant", "net-told", "one-order", "shared-clock"]
    for rule in ("one-order", "first-grant", "net-told"):
        said = [other for other in claimed["assumptions"] if other != rule]
        verdict = check({**claimed, "assumptions": said})
        assert verdict.failure == f"the figures rest on '{rule}', which is not said to be assumed"


FIRST = """\
federation: 1
coordination: centralized
hosts: {h: {shared_clock: true}}
rti: {hop: 100ms, service: 1ms, dnet: false}
federates:
  s:
    host: h
    timers: {t: {period: 1s}}
    outputs: [o]
    reactions: {r: {triggers: [t], effects: [o], wcet: 0 ms}}
  k:
    host: h
    timers: {t: {offset: OFFSET, period: 500ms}}
    inputs: [i]
    reactions: {r: {triggers: [t, i], wcet: 0 ms, deadline: 300ms}}
connections: [{from: s.o, to: k.i, after: 3s}]
"""


@pytest.mark.parametrize(("offset", "start"), [(0, 201), (1, 401), (202, 200), (403, 104)])
def test_the_first_tag_is_a_way_and_back_late(offset: int, start: int) -> None:
    """A run with such hops had it 203 ms late, where a start at once was MET. Who has nothing there
    asks for it, too, and only then for what it has 1 ms later."""
    claimed = certificate(FIRST.replace("OFFSET", f"{offset}ms"))
    assert claimed["assumptions"] == []
    [latest] = claimed["deadlines"]
    assert latest["latest_start"] == start * MS
    assert check(claimed).ok
    for lower in (start - 1, 0):
        latest.update(latest_start=lower * MS, met=lower <= 300)
        assert check(claimed).status == "refuted"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "after: 3s",
            "after: 3s}, {from: s.o, to: k.i2",
        ),  # what comes makes it ask for a later tag
        ("hop: 100ms", "hop: 500ms"),  # the start comes before all have heard of it
    ],
)
def test_what_is_not_known_of_the_first_tag_is_assumed(old: str, new: str) -> None:
    source = FIRST.replace("OFFSET", "0 ms").replace("inputs: [i]", "inputs: [i, i2]")
    claimed = certificate(source.replace(old, new))
    assert claimed["assumptions"] == ["first-grant"]
    verdict = check({**claimed, "assumptions": []})
    assert verdict.failure == "the figures rest on 'first-grant', which is not said to be assumed"


@pytest.mark.parametrize(("offset", "assumed"), [("0 ms", ["first-grant"]), ("1ms", [])])
def test_who_may_tell_a_later_tag_too_early_is_assumed_not_to(
    offset: str, assumed: list[str]
) -> None:
    """What it sends at (0, 0) comes after others have been granted more: only if it has any."""
    source = FIRST.replace("OFFSET", offset).replace("inputs: [i]", "inputs: [i]\n    outputs: [o]")
    third = "  z:\n    host: h\n    inputs: [i]\n    reactions: {r: {triggers: [i], wcet: 0 ms}}\n"
    source = source.replace("connections:", third + "connections:")
    claimed = certificate(source.replace("after: 3s}", "after: 3s}, {from: k.o, to: z.i}"))
    assert claimed["assumptions"] == assumed
    assert check(claimed).ok
    assert check({**claimed, "assumptions": []}).ok is (not assumed)


def test_without_dnets_no_net_is_kept_back() -> None:
    told = certificate(DELAYED.replace("service: 10us", "service: 10us, dnet: false"))
    assert "net-told" not in told["assumptions"]
    assert "net-told" in certificate(DELAYED)["assumptions"]


def test_who_needs_no_grant_has_the_first_tag_at_once() -> None:
    alone = DELAYED.replace("  - {from:", "  - {physical: true, from:")
    assert "first-grant" not in certificate(alone)["assumptions"]


def test_ptags_behind_another_cycle_are_assumed() -> None:
    """The RTI leaves members of any zero-delay cycle out when it grants a PTAG."""
    rti = "hop: 100us, service: 10us, dnet: false"
    links = [("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")]
    between = [("b", "c", "after: 1ms"), ("b", "d", "after: 1ms")]
    found = central(dict.fromkeys("abcd", "1ms"), [*links, *between], rti)
    claimed = certificate(found)
    assumed = {name for name, row in claimed["federates"].items() if row["assumed"]}
    assert assumed == {"c", "d"}
    assert check(claimed).status == "confirmed"
    for name in sorted(assumed):
        forged = put(claimed, ("federates", name, "assumed"), False)
        assert check(forged).status == "refuted"
    apart = certificate(central(dict.fromkeys("abcd", "1ms"), links, rti))
    assert not any(row["assumed"] for row in apart["federates"].values())


def test_what_the_runtime_does_not_promise_is_said_to_be_assumed() -> None:
    claimed = certificate(DELAYED)
    assert claimed["federates"]["a"]["assumed"]
    assert "grants of a" in check(claimed).assuming
    forged = put(claimed, ("federates", "a", "assumed"), False)
    assert check(forged).status == "refuted"


def test_observed_counts_are_not_exact() -> None:
    claimed = certificate(CENTRALIZED)
    for index, row in enumerate(claimed["messages"]):
        if row["claim"] != "exact":
            forged = put(claimed, ("messages", index, "claim"), "exact")
            assert check(forged).status == "refuted", row
    assert {row["claim"] for row in claimed["messages"]} == {"exact", "at least", "observed"}


@pytest.mark.parametrize("key", ["federates", "grants", "deadlines", "chains", "messages"])
def test_nothing_is_left_out_or_claimed_twice(key: str) -> None:
    claimed = certificate(CENTRALIZED)
    less, more = deepcopy(claimed), deepcopy(claimed)
    if isinstance(claimed[key], dict):
        less[key].popitem()
        more[key]["x"] = next(iter(claimed[key].values()))
    else:
        less[key].pop()
        more[key].append(claimed[key][0])
    assert [check(one).status for one in (less, more)] == ["refuted", "refuted"]


def test_a_lie_about_the_decentralized_one_is_refuted() -> None:
    claimed = certificate(CENTRALIZED)
    forged = put(claimed, ("decentralized", "federates", "sink", "wait"), 0)
    failure = check(forged).failure
    assert failure is not None
    assert failure.startswith("decentralized: ")


@pytest.mark.parametrize(("path", "value"), [
    (("federation", "rti"), None), (("federation", "rti", "hop"), -1),
    (("grants", 0, "busy"), 1.5), (("federates", "a", "assumed"), 1),
    (("decentralized",), []), (("messages", 0, "claim"), "sure"), (("verdict",), "fine"),
])  # fmt: skip
def test_what_is_no_certificate_is_said_to_be_none(path: tuple[Any, ...], value: Any) -> None:
    forged = put(certificate(DELAYED), path, value)
    if path[0] == "federation":
        forged["digest"] = digest(forged["federation"])
    with pytest.raises(CertificateError):
        check(forged)


def test_hostile_certificates_are_undecided_at_last() -> None:
    claimed = certificate(DELAYED.replace("period: 20ms", "period: 999999937ns"))
    assert check(claimed, work=5).status == "undecided"
