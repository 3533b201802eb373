"""What certificates claim beside bounds: queues, loads, hops, deadlines and the verdict."""

import copy

import pytest

from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.refinements import Refinements
from ddsrta.checker import CertificateError, check
from ddsrta.models.reader import loads
from tests.checker.varied import varied_system

BURSTS = """\
ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {flow_controller: {1kB: 3ns}, listener: {1kB: 6ns}}
topics: {x: {size: 1kB, history: 9}}
flow_controllers: {F: {core: m/b, priority: 9}}
listeners: {L: {core: m/b, priority: 8}}
threads:
  p: {core: m/a, priority: 9, wcet: 1ns, arrival: {burst: {count: 4, distance: 2ns, period: 400ns}},
      publishes: [{topic: x, mode: async, flow_controller: F}]}
  s: {core: m/a, priority: 1, wcet: 10ns, subscribes: {topics: [x], listener: L}}
chains: {c: {path: [p, x, s], deadline: 90ns}}
"""


def figures(claims):
    """Every number of what is claimed beside bounds, as a place and a key."""
    places = [(queue, "backlog") for queue in claims["queues"].values()]
    places += [(q["streams"], key) for q in claims["queues"].values() for key in q["streams"]]
    places += [(hop, key) for hops in claims["hops"].values() for hop in hops for key in hop]
    return [(place, key) for place, key in places if place[key]]


def test_queues_of_a_burst():
    claims = certificate(loads(BURSTS, "bursts.yaml"))
    assert claims["queues"]["s < x"] == {"backlog": 4, "streams": {}}
    assert check(claims).ok
    claims["queues"]["s < x"]["backlog"] = 3
    assert check(claims).failure == (
        "queue 's < x': up to 4 may wait, more than the claimed 3 (lemma backlog-bound)"
    )


def test_a_history_holds_what_is_still_with_the_listener():
    """Messages 10 apart take 7 in the listener and 7 in the job: two are on the way, in each one."""
    arrival = "arrival: {burst: {count: 4, distance: 2ns, period: 400ns}}"
    text = BURSTS.replace(arrival, "period: 10ns").replace("wcet: 10ns", "wcet: 5ns")
    system = loads(text.replace("listener: {1kB: 6ns}", "listener: {1kB: 5ns}"), "s")
    claims = certificate(system, Refinements(pending_windows=False))
    job = next(s for s in claims["stages"] if s["stage"] == ["job", "s"])
    message = next(s for s in claims["stages"] if s["stage"][0] == "message")
    assert (job["response"], message["response"]) == (7, 7)
    assert claims["queues"]["L"]["backlog"] == 1
    assert claims["queues"]["s < x"]["backlog"] == 2
    assert check(claims).ok
    claims["queues"]["s < x"]["backlog"] -= 1
    assert "more than the claimed" in check(claims).failure


@pytest.mark.parametrize("seed", range(4))
def test_one_less_anywhere_is_refuted_and_one_more_is_not(seed):
    claims = certificate(varied_system(seed, 0.4))
    assert check(claims).ok
    places = figures(claims)
    assert places
    for place, key in places[:: 1 + len(places) // 25]:
        place[key] -= 1
        assert check(claims).status == "refuted", (place, key)
        place[key] += 2
        assert key == "backlog" or check(claims).ok, (place, key)
        place[key] -= 1


def test_a_load_that_is_too_low_is_refuted():
    claims = certificate(loads(BURSTS, "bursts.yaml"))
    # 4 jobs of 1 and 4 of 10 in 400; the middleware takes 4 * (3 + 6)
    assert claims["cores"] == {"m/a": {"utilization": 0.11}, "m/b": {"utilization": 0.09}}
    claims["cores"]["m/a"]["utilization"] = 0.1099
    assert "its load is 11.0000 %, more than the claimed 10.9900 %" in check(claims).failure
    claims["cores"]["m/a"]["utilization"] = 0.2
    assert check(claims).ok
    for wrong in (True, "0.2", -1, float("nan"), float("inf")):
        claims["cores"]["m/a"]["utilization"] = wrong
        with pytest.raises(CertificateError):
            check(claims)


def test_what_is_said_of_deadlines_follows_from_their_figures():
    claims = certificate(loads(BURSTS, "bursts.yaml"))
    said = claims["deadlines"]["c"]
    latency = claims["chains"]["c"]["latency"]
    assert said == {"constraint": "latency", "deadline": 90, "met": True, "slack": 90 - latency}
    for key, value in (
        ("slack", said["slack"] + 1),
        ("slack", said["slack"] - 1),
        ("met", False),
        ("deadline", 91),
        ("constraint", "data_age"),
    ):
        wrong = copy.deepcopy(claims)
        wrong["deadlines"]["c"][key] = value
        assert check(wrong).status == "refuted", key
    said["slack"] = None
    assert check(claims).ok


def test_a_deadline_that_is_missed_is_not_met():
    claims = certificate(loads(BURSTS.replace("90ns", "30ns"), "late.yaml"))
    assert (claims["verdict"], claims["deadlines"]["c"]["met"]) == ("missed", False)
    assert check(claims).ok
    wrong = copy.deepcopy(claims)
    wrong["deadlines"]["c"]["met"] = True
    assert "is claimed to meet its deadline, and does not" in check(wrong).failure
    for verdict in ("met", "error"):
        assert check(claims | {"verdict": verdict}).failure == (
            f"the verdict is claimed to be {verdict}, and is missed"
        )
    assert check(claims | {"verdict": "unbounded"}).ok


@pytest.mark.parametrize("kind", ["queues", "cores", "hops", "deadlines"])
def test_all_that_there_is_must_be_claimed_and_nothing_else(kind):
    claims = certificate(loads(BURSTS, "bursts.yaml"))
    name = next(iter(claims[kind]))
    more = copy.deepcopy(claims)
    more[kind]["other"] = more[kind][name]
    assert check(more).status == "refuted"
    less = copy.deepcopy(claims)
    del less[kind][name]
    assert check(less).status == "refuted"
    del claims[kind]
    assert check(claims).ok


def test_streams_whose_names_look_alike_are_counted_both():
    """Only the last was, and a queue of 11 confirmed where 12 may wait."""
    text = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {flow_controller: {1kB: 1us}, publisher: {1kB: 1us}, listener: {1kB: 2us}}
topics: {TOPIC: {size: 1kB}, c: {size: 1kB}}
flow_controllers: {F: {core: m/a, priority: 8}}
listeners: {L: {core: m/b, priority: 9}}
threads:
  a → b: {core: m/a, priority: 5, wcet: 1us, period: 100us,
          publishes: [{topic: c, flow_controller: F}]}
  a: {core: m/a, priority: 4, wcet: 50us, arrival: {period: 100us, jitter: 1ms},
      publishes: [{topic: TOPIC, flow_controller: F}]}
  d: {core: m/b, priority: 3, wcet: 2us, subscribes: {topics: [c, TOPIC], listener: L}}
"""
    alike, apart = (
        certificate(loads(text.replace("TOPIC", topic), "alike.yaml")) for topic in ("b → c", "x")
    )
    for claims in (alike, apart):
        assert check(claims).ok
        for name in ("F", "L"):
            assert claims["queues"][name]["backlog"] == 12
            claims["queues"][name]["backlog"] = 11
            assert check(claims).status == "refuted"
            claims["queues"][name]["backlog"] = 12
