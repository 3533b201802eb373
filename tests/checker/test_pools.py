"""Executors on several cores (lemma pool-window): what is confirmed, and what refuted or
refused."""

import copy

import pytest

from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import CertificateError, check
from ddsrta.models.document import digest
from ddsrta.models.reader import loads
from tests.effort import draws
from tests.soundness.pools import joined_pool_system, pool_system

TEXT = """
ddsrta: 1
machines: {m: {cores: [c0, c1, c2]}}
executors:
  e: {cores: [m/c0, m/c1], priority: 5, kind: multi_threaded}
  f: {cores: [m/c1, m/c2], priority: 8, kind: multi_threaded}
callbacks:
  a: {executor: e, wcet: 7ns, timer: 1us, group: g}
  b: {executor: e, wcet: 9ns, timer: 1us, group: g}
  c: {executor: e, wcet: 11ns, bcet: 2ns, timer: 1us, reentrant: true}
  d: {executor: e, wcet: 3ns, follows: {threads: [c]}, group: h}
  k: {executor: f, wcet: 4ns, timer: 2us, reentrant: true}
threads:
  hi: {core: m/c0, priority: 9, wcet: 5ns, period: 1us}
  lo: {core: m/c1, priority: 1, wcet: 5ns, period: 1us}
chains: {path: {path: [c, d]}}
""".replace("path: {path: [c, d]}", "x: {from: c, to: d}")


def claims():
    return certificate(loads(TEXT, "pools.yaml"))


@pytest.mark.parametrize("figure", ("response", "latency"))
@pytest.mark.parametrize("job", ("a", "b", "c", "d", "k", "hi", "lo"))
def test_a_nanosecond_less_is_refuted(job, figure):
    found = claims()
    assert check(found).ok
    place = next(one for one in found["stages"] if one["stage"] == ["job", job])
    place[figure] -= 1
    assert not check(found).ok


def changed(found, change):
    """The certificate of another system, with the claims of this one."""
    found = copy.deepcopy(found)
    change(found["system"])
    found["digest"] = digest(found["system"])
    return found


CHANGES = {
    "another group": lambda s: s["executors"]["e"]["groups"].update(c="g"),
    "one group more": lambda s: s["executors"]["e"]["groups"].update(d="g"),
    "more work": lambda s: s["threads"]["b"].update(wcet=10),
    "more urgent work": lambda s: s["threads"]["hi"].update(wcet=6),
    "more work of the other pool": lambda s: s["threads"]["k"].update(wcet=5),
}


@pytest.mark.parametrize("what", CHANGES)
def test_claims_of_another_system_are_refuted(what):
    assert not check(changed(claims(), CHANGES[what])).ok


NONE_SUCH = {
    "one core": lambda e: e.update(cores=["m/c0"]),
    "no core": lambda e: e.update(cores=[]),
    "a core twice": lambda e: e.update(cores=["m/c0", "m/c0"]),
    "an unknown core": lambda e: e.update(cores=["m/c0", "m/c9"]),
    "another machine": lambda e: e.update(cores=["m/c0", "n/c1"]),
    "another first core": lambda e: e.update(cores=["m/c1", "m/c0"]),
    "another kind": lambda e: e.update(kind="events"),
    "a peer": lambda e: e.update(cores=["m/c0", "m/c1"], priority=9),
    "no groups": lambda e: e.pop("groups"),
    "a group missing": lambda e: e["groups"].pop("a"),
    "a number as a group": lambda e: e["groups"].update(a=1),
}


@pytest.mark.parametrize("what", NONE_SUCH)
def test_what_is_no_pool_is_refused(what):
    def change(system):
        NONE_SUCH[what](system["executors"]["e"])
        for name in "abcd":
            system["threads"][name]["priority"] = system["executors"]["e"]["priority"]

    with pytest.raises(CertificateError):
        check(changed(claims(), change))


@pytest.mark.parametrize("seed", range(draws(10, of=25)))
def test_certificates_of_drawn_systems_are_confirmed(seed):
    verdict = check(certificate(pool_system(seed)))
    assert verdict.ok, verdict.failure


JOINED = """
ddsrta: 1
machines: {m: {cores: [c0, c1, c2, c3, c4]}}
delays: {publisher: {1B: 1ns}, listener: {1B: 1ns}}
topics: {x: {size: 1B}, y: {size: 1B}}
listeners: {L: {core: m/c2, priority: 9}}
executors: {e: {cores: [m/c0, m/c1], priority: 5, kind: multi_threaded}}
threads:
  hi: {core: m/c0, priority: 9, wcet: 5ns, period: 1us}
  p: {core: m/c3, priority: 1, wcet: 2ns, period: 1us, publishes: [{topic: x, mode: sync}]}
  q: {core: m/c4, priority: 1, wcet: 2ns, period: 2us, publishes: [{topic: y, mode: sync}]}
callbacks:
  a: {executor: e, wcet: 7ns, timer: 1us, group: g}
  z: {executor: e, wcet: 9ns, group: g, subscribes: {topics: [x, y], listener: L, activation: and, synchronize: mtd, queue: 5}}
  far: {executor: e, wcet: 30ns, timer: 1us, group: h}
chains: {way: {path: [p, x, z]}}
"""


@pytest.mark.parametrize("figure", ("response", "latency"))
@pytest.mark.parametrize("job", ("a", "z", "z/x", "z/y", "far"))
def test_a_nanosecond_less_of_a_callback_of_several_topics_is_refuted(job, figure):
    found = certificate(loads(JOINED, "joined.yaml"))
    assert check(found).ok
    place = next(one for one in found["stages"] if one["stage"] == ["job", job])
    place[figure] -= 1
    assert not check(found).ok


@pytest.mark.parametrize("group", ("h", None))
def test_a_callback_of_several_topics_is_in_the_group_of_its_subscriptions(group):
    found = changed(
        certificate(loads(JOINED, "joined.yaml")),
        lambda s: s["executors"]["e"]["groups"].update({"z/x": group}),
    )
    with pytest.raises(CertificateError, match="in no group with its topics"):
        check(found)


@pytest.mark.parametrize("seed", (11, 16, 18, 32, 36, 44))
def test_certificates_of_pools_with_sets_are_confirmed(seed):
    verdict = check(certificate(joined_pool_system(seed)))
    assert verdict.ok, verdict.failure


DIRECT = """
ddsrta: 1
machines: {m: {cores: [c0, c1, c2]}}
topics: {x: {size: 1B}, y: {size: 1B}}
listeners: {L: {core: m/c2, priority: 9}}
processes: {p: {listener: L, intra_process: true}}
executors:
  e: {cores: [m/c0, m/c1], priority: 5, kind: multi_threaded, process: p}
callbacks:
  q: {executor: e, wcet: 30us, bcet: 1us, group: g, timer: 100us, publishes: [{topic: x, delay: 0ns}]}
  r: {executor: e, wcet: 20us, bcet: 1us, group: h, timer: 200us, publishes: [{topic: y, delay: 0ns}]}
threads:
  j: {core: m/c2, priority: 5, process: p, wcet: 4us,
      subscribes: {topics: [x, y], listener: L, activation: and, synchronize: mtd, delay: 3us}}
"""


def test_what_may_overtake_has_no_stamp():
    found = certificate(loads(DIRECT))
    assert check(found).ok
    reentrant = certificate(loads(DIRECT.replace("group: g", "reentrant: true")))
    assert check(reentrant).ok
    reentrant["synchronizers"]["j"] = found["synchronizers"]["j"]
    assert not check(reentrant).ok
