"""Threads that move between cores (lemma set-window): what is confirmed, refuted or refused."""

import copy

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import CertificateError, check
from ddsrta.models.document import digest
from ddsrta.models.reader import loads

TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
threads:
  top: {core: m/a, priority: 9, wcet: 5ns, period: 90ns}
  one: {cores: [m/a, m/b], priority: 5, wcet: 7ns, arrival: {period: 50ns, jitter: 60ns}}
  two: {cores: [m/b, m/a], priority: 4, wcet: 9ns, period: 70ns}
  equal: {cores: [m/b, m/a], priority: 4, wcet: 6ns, follows: {threads: [one]}}
  three: {cores: [m/a, m/b], priority: 3, wcet: 11ns, bcet: 2ns, period: 100ns}
  low: {core: m/b, priority: 1, wcet: 5ns, period: 1us}
"""


POOL = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
executors:
  e: {cores: [m/a, m/b, m/c], pinned: false, threads: 2, priority: 5, kind: multi_threaded}
callbacks:
  g1: {executor: e, wcet: 7ns, timer: 1us, group: g}
  g2: {executor: e, wcet: 9ns, timer: 1us, group: g}
  free: {executor: e, wcet: 11ns, bcet: 2ns, timer: 60ns, reentrant: true}
  alone: {executor: e, wcet: 3ns, follows: {threads: [free]}, group: h}
threads:
  hi: {core: m/a, priority: 9, wcet: 5ns, period: 1us}
  lo: {core: m/b, priority: 1, wcet: 5ns, period: 1us}
"""
NAMED = TEXT.replace("two", "on m/a")  # as if it were all that is pinned to one of the cores
JOBS = {NAMED: ("three",), TEXT: ("top", "one", "two", "equal", "three", "low"),
        POOL: ("g1", "g2", "free", "alone", "hi", "lo")}  # fmt: skip


def claims(text=TEXT):
    return certificate(loads(text, "sets.yaml"))


@pytest.mark.parametrize("figure", ("response", "latency"))
@pytest.mark.parametrize(("text", "job"), [(text, job) for text in JOBS for job in JOBS[text]])
def test_a_nanosecond_less_is_refuted(text, job, figure):
    found = claims(text)
    assert check(found).ok
    place = next(one for one in found["stages"] if one["stage"] == ["job", job])
    place[figure] -= 1
    assert not check(found).ok


def changed(change, text=TEXT):
    """The certificate of another system, with the claims of this one."""
    found = copy.deepcopy(claims(text))
    change(found["system"])
    found["digest"] = digest(found["system"])
    return found


CHANGES = {
    "more work": lambda s: s["threads"]["two"].update(wcet=10),
    "more urgent work": lambda s: s["threads"]["top"].update(wcet=6),
    "more urgent": lambda s: s["threads"]["three"].update(priority=4),
    "as often": lambda s: s["threads"]["one"]["arrival"].update(period=49),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_claims_of_another_system_are_refuted(change):
    assert not check(changed(change)).ok


NO_SETS = {
    "pinned, and an equal": lambda s: s["threads"]["two"].pop("cores"),
    "twice": lambda s: s["threads"]["two"].update(cores=["m/b", "m/b"]),
    "one": lambda s: s["threads"]["two"].update(cores=["m/b"]),
    "another first": lambda s: s["threads"]["two"].update(core="m/a"),
    "unknown": lambda s: s["threads"]["two"].update(cores=["m/b", "m/x"]),
    "some in common": lambda s: s["threads"]["two"].update(cores=["m/b", "m/c"]),
    "an equal": lambda s: s["threads"]["low"].update(priority=3),
    "reserved": lambda s: s["threads"]["low"].update(priority=0, reservation={"budget": 1, "period": 9}),
    "a reserved core": lambda s: s["cores"]["m/b"].update(reservation={"budget": 1, "period": 9}),
    "a promise": lambda s: s["threads"]["two"].update(reservation={"budget": 1, "period": 9}),
    "locks": lambda s: s.update(middleware={"fastdds": "2.9", "write": None}),
}  # fmt: skip


@pytest.mark.parametrize("change", NO_SETS.values(), ids=NO_SETS)
def test_what_is_no_set_is_refused(change):
    with pytest.raises(CertificateError):
        check(changed(change))


NO_POOLS = {
    "too many": lambda s: s["executors"]["e"].update(threads=4),
    "too few": lambda s: s["executors"]["e"].update(threads=1),
    "pinned by threads": lambda s: s["threads"]["lo"].update(cores=["m/b", "m/c"]),
    "an equal": lambda s: s["threads"]["lo"].update(priority=5),
    "a promise": lambda s: s["threads"]["lo"].update(
        priority=0, reservation={"budget": 1, "period": 9}
    ),
}


@pytest.mark.parametrize("change", NO_POOLS.values(), ids=NO_POOLS)
def test_what_is_no_pool_that_moves_is_refused(change):
    with pytest.raises(CertificateError):
        check(changed(change, POOL))


def test_pinned_threads_delay_others_less():
    """A callback that has begun stays on its core then: so a claim of that is too little here."""
    text = POOL.replace("threads: 2, ", "").replace("pinned: false, ", "")
    left_out = ddsrta.Refinements(closed_counts=False, pending_windows=False)
    pinned, moving = (
        ddsrta.analyze(loads(each), refinements=left_out).threads["lo"].wcrt
        for each in (text, POOL)
    )
    assert pinned < moving


def test_what_is_assumed_must_be_said():
    found = claims()
    found["assumptions"].remove("core-sets")
    assert not check(found).ok


def test_known_offsets_of_what_moves_are_not_taken_for_those_of_one_core():
    """By its offset `low` would wait for `high` on the same core; there are two."""
    text = """\
ddsrta: 1
machines: {m: {cores: [a, b]}}
threads:
  high: {cores: [m/a, m/b], priority: 3, wcet: 766ns, arrival: {period: 19940ns, offset: 4985ns}}
  mid: {cores: [m/a, m/b], priority: 2, wcet: 383ns, arrival: {period: 9970ns, offset: 3290ns}}
  low: {cores: [m/a, m/b], priority: 1, wcet: 766ns, arrival: {period: 14955ns, offset: 4935ns}}
"""
    result = ddsrta.analyze(ddsrta.loads(text))
    assert (result.check.status, result.check.without) == ("confirmed", ())
    assert result.threads["low"].wcrt == 766 + 383
