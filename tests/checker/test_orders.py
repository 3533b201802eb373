"""What is claimed of orders is confirmed, and nothing that flatters is."""

import copy
from itertools import islice, permutations
from types import SimpleNamespace

import pytest

from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import CertificateError, check
from ddsrta.models.document import digest
from ddsrta.models.reader import loads
from tests.effort import draws
from tests.mutation.corpus import DRAWS, asked
from tests.soundness.deliveries import first_orders, flow_of, seen_overtakings
from tests.soundness.order_systems import order_system

PAIR = """\
ddsrta: 1
machines: {m: {cores: [c, d, e]}}
delays: {flow_controller: {1kB: 20us}, listener: {1kB: 30us}, publisher: {1kB: 1us}}
topics: {x: {size: 1kB}, y: {size: 1kB}}
flow_controllers: {F: {core: m/d, priority: 50}}
listeners: {L: {core: m/e, priority: 50}}
threads:
  p: {core: m/c, priority: 80, wcet: 100us, period: 1ms, publishes: [
      {topic: x, mode: async, flow_controller: F}, {topic: y, mode: async, flow_controller: F}]}
  s: {core: m/e, priority: 20, wcet: 200us, subscribes: {topics: [x, y], listener: L}}
orders:
  right: {subscriber: s, topics: [x, y], events: all}
  wrong: {subscriber: s, topics: [y, x], from: p}
"""


def order_certificate(seed):
    return certificate(asked(order_system(seed)))


def flattering(claims):
    """Each certificate that says less of what can be seen."""
    for name, order in claims["orders"].items():
        for key, items in (*order["possible"].items(), ("violations", order["violations"])):
            for at in range(len(items)):
                found = copy.deepcopy(claims)
                one = found["orders"][name]
                del (one["violations"] if key == "violations" else one["possible"][key])[at]
                yield found
        for origin in order["possible"]:
            found = copy.deepcopy(claims)
            del found["orders"][name]["possible"][origin]
            yield found
        if not order["met"]:
            found = copy.deepcopy(claims)
            found["orders"][name]["met"] = True
            yield found
            found["orders"][name]["violations"] = []
            yield copy.deepcopy(found)
    yield {key: value for key, value in claims.items() if key != "orders"}


def gloomy(claims):
    """The same, where everything can be seen."""
    found = copy.deepcopy(claims)
    for name, order in found["orders"].items():
        topics = claims["system"]["orders"][name]["topics"]
        pairs = [(a, b, later) for a in topics for b in topics for later in (0, 1)]
        order["met"] = False
        order["violations"] = [
            {"origin": origin, "first": a, "second": b, "later": later}
            for origin in order["possible"]
            for a, b, later in pairs
        ]
        every = [list(each) for each in permutations(topics)]
        order["possible"] = dict.fromkeys(order["possible"], every)
    return {**found, "verdict": "unbounded"}


def test_what_is_derived_is_confirmed_and_nothing_better():
    kept = broken = 0
    for seed in range(draws(20, of=60)):
        claims = order_certificate(seed)
        verdict = check(claims)
        assert verdict.ok, (seed, verdict.failure)
        kept, broken = kept + verdict.outcome.kept, broken + verdict.outcome.violated
        assert check(gloomy(claims)).ok, seed
    assert kept >= 4
    assert broken >= 20


@pytest.mark.parametrize("seed", range(draws(4, of=12)))
def test_what_can_be_seen_is_not_left_out(seed):
    for claims in flattering(order_certificate(seed)):
        verdict = check(claims)
        assert verdict.status == "refuted" or "not looked at in full" in verdict.failure


@pytest.mark.parametrize("kind", ["any", "varied", "small", "fastdds", "limited", "wide"])
def test_wanted_orders_of_every_draw_are_decided(kind):
    drawn = (asked(DRAWS[kind][1](seed)) for seed in range(200))
    systems = list(islice((system for system in drawn if system.orders), draws(2, of=4)))
    for system in systems:
        verdict = check(certificate(system))
        assert verdict.ok, (system.name, verdict.failure)
    assert systems


def test_no_run_shows_what_is_confirmed_never_to_be_seen():
    seen = 0
    for seed in range(draws(12, of=40)):
        system = asked(order_system(seed))
        claims = certificate(system)
        assert check(claims).ok
        logs = [flow_of(system, run, 600).deliveries for run in range(3)]
        for name, order in claims["orders"].items():
            wanted = system.orders[name]
            breaks = [tuple(each.values()) for each in order["violations"]]
            for origin, possible in order["possible"].items():
                of = SimpleNamespace(subscriber="S", origin=origin, topics=wanted.topics)
                for log in logs:
                    found = first_orders(log, of).keys()
                    assert found <= {tuple(each) for each in possible}, (seed, name)
                    seen += len(found)
                    for first, second, later in seen_overtakings(log, of):
                        if is_asked(wanted, first, second, later):
                            assert (origin, first, second, later) in breaks, (seed, name)
    assert seen > 60


def is_asked(wanted, first, second, later):
    """Whether an order is violated by a message on one topic before one on another."""
    if later:
        return later == 1 and wanted.events == "all"
    return wanted.topics.index(first) > wanted.topics.index(second)


def test_a_pencil_finds_what_a_fifo_keeps():
    claims = certificate(loads(PAIR, "pair.yaml"))
    assert claims["orders"] == {
        "right": {"met": True, "possible": {"p": [["x", "y"]]}, "violations": []},
        "wrong": {
            "met": False,
            "possible": {"p": [["x", "y"]]},
            "violations": [{"origin": "p", "first": "x", "second": "y", "later": 0}],
        },
    }
    outcome = check(claims).outcome
    assert (outcome.kept, outcome.violated) == (1, 1)
    wrong = check({**claims, "verdict": "met"})
    assert wrong.failure == "the verdict is claimed to be met, and is missed"


@pytest.mark.parametrize(
    ("change", "failure"),
    [
        ({"topics": ["x"]}, "two or more"),
        ({"topics": ["x", "z"]}, "no topic that it reads, 'z'"),
        ({"subscriber": "t"}, "no thread 't'"),
        ({"events": "some"}, "is none of each, all"),
    ],
)
def test_an_order_of_nothing_cannot_be_read(change, failure):
    claims = certificate(loads(PAIR, "pair.yaml"))
    claims["system"]["orders"]["right"] |= change
    claims["digest"] = digest(claims["system"])
    with pytest.raises(CertificateError, match=failure):
        check(claims)


def test_systems_without_orders_keep_their_digests():
    text = PAIR[: PAIR.index("orders:")]
    claims = certificate(loads(text, "pair.yaml"))
    assert "orders" not in claims
    assert "orders" not in claims["system"]
    assert check({**claims, "orders": {"o": {}}}).failure.endswith("the system has no such order")
