"""What the checker confirms and what it refutes, on systems that are computed by hand."""

import copy
import json
import subprocess
import sys

import pytest

from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import CertificateError, check, check_file
from ddsrta.models.document import digest, to_document
from ddsrta.models.reader import loads
from tests.checker.varied import varied_system
from tests.effort import draws

PAIR = """\
ddsrta: 1
machines: {a: {cores: [c, d]}, b: {cores: [c, d]}}
network: [{from: a, to: b, delay: 10us, best: 4us}]
delays: {flow_controller: {1kB: 20us}, listener: {1kB: 30us}, publisher: {1kB: 1us}}
topics: {x: {size: 1kB}}
flow_controllers: {F: {core: a/d, priority: 50}}
listeners: {L: {core: b/d, priority: 50}}
threads:
  p: {core: a/c, priority: 80, wcet: 100us, period: 1ms,
      publishes: [{topic: x, mode: async, flow_controller: F}]}
  s: {core: b/c, priority: 20, wcet: 200us, subscribes: {topics: [x], listener: L}}
chains: {c: {path: [p, x, s]}}
"""
US = 1000


def pair(**changes):
    """The claims that a pencil finds; the whole way without load is 100 + 20 + 10 + 30 + 200."""
    document = to_document(loads(PAIR, "pair.yaml"))
    figures = {
        ("job", "p"): (100, 100),
        ("sample", "p", "x"): (20, 120),
        ("message", "p", "x", "s"): (30, 160),
        ("job", "s"): (200, 360),
    }
    chain = {"path": ["p", "x", "s"], "latency": 360 * US, "trigger_latency": 360 * US}
    return {
        "ddsrta_certificate": 1,
        "profile": "busy-window",
        "system": document,
        "digest": digest(document),
        "assumptions": ["delivery", "link-order"],
        "stages": [
            {"stage": list(key), "response": response * US, "latency": latency * US, "window": None}
            for key, (response, latency) in figures.items()
        ],
        "messages": [{"publisher": "p", "topic": "x", "subscriber": "s", "ddl": 60 * US}],
        "chains": {"c": {**chain, "data_age": 360 * US, "reaction_time": 1360 * US}},
        **changes,
    }


def sealed(claims):
    """The digest made right again behind a change of the system."""
    claims["digest"] = digest(claims["system"])
    return claims


def test_the_pencil_is_confirmed():
    verdict = check(pair())
    assert (verdict.ok, verdict.failure) == (True, None)
    assert verdict.confirmed == 4 + 1 + 4  # one window point a stage, the ddl, four figures


@pytest.mark.parametrize("at", range(4))
@pytest.mark.parametrize("figure", ["response", "latency"])
def test_a_nanosecond_less_for_a_stage_is_refuted(at, figure):
    claims = pair()
    claims["stages"][at][figure] -= 1
    verdict = check(claims)
    assert not verdict.ok
    assert "/".join(claims["stages"][at]["stage"][1:]) in verdict.failure
    assert "lemma busy-window" in verdict.failure


@pytest.mark.parametrize("figure", ["latency", "trigger_latency", "data_age", "reaction_time"])
def test_a_nanosecond_less_for_a_chain_is_refuted(figure):
    claims = pair()
    claims["chains"]["c"][figure] -= 1
    assert f"chain 'c': {figure}: up to " in check(claims).failure


def test_a_nanosecond_less_for_a_message_is_refuted():
    claims = pair()
    claims["messages"][0]["ddl"] -= 1
    assert check(claims).failure == (
        "message p/x/s: ddl: up to 60 us, more than the claimed 59.999 us (lemma path-latency)"
    )


def test_claiming_nothing_is_confirmed_but_not_claiming_something_upon_it():
    claims = pair()
    for stage in claims["stages"][1:]:
        stage["response"] = stage["latency"] = None
    claims["messages"][0]["ddl"] = None
    claims["assumptions"] += ["no-overflow", "no-keys", "reader-locks"]  # any number may wait
    claims["chains"]["c"] = dict.fromkeys(claims["chains"]["c"], None) | {"path": ["p", "x", "s"]}
    assert check(claims).ok
    resting = copy.deepcopy(claims)
    resting["stages"][3]["latency"] = 2**50
    assert check(resting).failure == "job s: is fed by something unbounded (lemma unbounded-work)"
    claims["chains"]["c"]["latency"] = 2**50  # a closed window needs no claim
    assert check(claims).ok
    claims["chains"]["c"]["latency"] = 1
    assert "more than the claimed 1 ns" in check(claims).failure


@pytest.mark.parametrize("kind", ["stages", "messages"])
def test_everything_is_claimed_once(kind):
    claims = pair()
    claims[kind].append(claims[kind][0])
    assert check(claims).failure.endswith("is claimed twice")
    claims[kind] = claims[kind][1:-1]
    assert check(claims).failure.endswith("is not claimed")
    other = pair()
    other[kind].append(copy.deepcopy(other[kind][-1]))
    if kind == "stages":
        other[kind][-1]["stage"] = ["job", "nobody"]
    else:
        other[kind][-1]["subscriber"] = "nobody"
    assert not check(other).ok


def test_exactly_the_chains_of_the_system():
    assert check(pair(chains={})).failure == "chain 'c': is not claimed"
    claims = pair()
    claims["chains"]["d"] = claims["chains"]["c"]
    assert check(claims).failure == "chain 'd': the system has no such chain"
    claims = pair()
    claims["chains"]["c"]["path"] = ["p"]
    assert check(claims).failure == "chain 'c': the path is not that of the system"


def test_every_path_between_two_ends_is_claimed():
    claims = pair()
    claims["system"]["chains"]["c"] |= {"path": [], "ends": ["p", "s"]}
    claims["chains"] = {"c/1": claims["chains"]["c"]}
    assert check(sealed(claims)).ok
    claims["chains"]["c/2"] = claims["chains"]["c/1"]
    assert check(claims).failure == "chain 'c/2': this path is claimed twice"
    claims["chains"] = {"c/1": claims["chains"]["c/1"] | {"path": ["p"]}}
    assert check(claims).failure == "chain 'c/1': is no path between p and s"


def test_a_slower_system_needs_larger_claims():
    claims = pair()
    claims["system"]["threads"]["p"]["wcet"] += 1
    assert "its digest differs" in check(claims).failure
    assert check(sealed(claims)).failure.startswith("job p: unit 1 arriving at 0 ns finishes at ")


def test_a_window_that_nothing_waits_in_is_no_claim():
    claims = certificate(varied_system(1))
    assert check(claims).ok and not any("window" in stage for stage in claims["stages"])
    for number in range(len(claims["stages"])):
        tampered = copy.deepcopy(claims)
        tampered["stages"][number]["window"] = 10**9
        with pytest.raises(CertificateError, match="windows of these, are claimed"):
            check(tampered)


@pytest.mark.parametrize("block", range(5))
def test_certificates_of_random_systems_are_confirmed(block):
    each = draws(5, of=20)
    for seed in range(each * block, each * (block + 1)):
        verdict = check(certificate(varied_system(seed, (0.2, 1.0, 0.5)[seed % 3])))
        assert verdict.ok, (seed, verdict.failure)


@pytest.mark.parametrize("seed", range(draws(4, of=12)))
def test_least_bounds_are_refuted_when_lowered(seed):
    claims = certificate(varied_system(seed))
    assert check(claims).ok
    places = [(s, k) for s in claims["stages"] for k in ("response", "latency")]
    places += [(m, "ddl") for m in claims["messages"]]
    places += [(c, k) for c in claims["chains"].values() for k in c if k != "path"]
    numbers = [(place, key) for place, key in places if place[key] is not None]
    assert numbers
    for place, key in numbers:
        place[key] -= 1
        assert not check(claims).ok, (place, key)
        place[key] += 1


def test_of_another_system(tmp_path):
    file = tmp_path / "c.json"
    file.write_text(json.dumps(pair()))
    document = pair()["system"]
    assert check_file(str(file), document).ok
    document["topics"]["x"]["priority"] += 1
    verdict = check_file(str(file), document)
    assert (verdict.ok, verdict.confirmed) == (False, 0)
    assert "not of this system" in verdict.failure


def test_the_checker_shares_no_code_with_the_analysis():
    code = (
        "import sys, ddsrta.checker.yaml; print([m for m in sys.modules if m.startswith('ddsrta')])"
    )
    call = [sys.executable, "-c", code]
    loaded = subprocess.run(call, capture_output=True, text=True, check=True).stdout
    assert "ddsrta.checker.windows" in loaded
    for part in ("bounds", "models", "policies", "report", "kernel"):
        assert f"ddsrta.{part}" not in loaded and f"ddsrta_{part}" not in loaded


def test_a_job_delays_what_it_sent_but_counts_once():
    """Both end by 100 + 20 of the job's release, but the sample may come 1 ns after that."""
    claims = pair()
    claims["system"]["flow_controllers"]["F"]["core"] = "a/c"
    sample, message = claims["stages"][1], claims["messages"][0]
    sample["response"] = 120 * US - 1
    message["ddl"] = (120 + 10 + 30) * US - 1
    assert check(sealed(claims)).ok, check(claims).failure
    sample["response"] -= 1
    assert check(claims).failure.startswith("sample p/x in flow controller F: unit 1 arriving at ")


SPLIT = """
ddsrta: 1
machines: {m: {cores: {c: {partitions: {p: {budget: 5ns, period: 10ns},
                                        q: {budget: %dns, period: 10ns}}}}}}
threads:
  t: {core: m/c, partition: p, priority: 5, wcet: 5ns, period: 100ns}
  u: {core: m/c, partition: q, priority: 5, wcet: 5ns, period: 100ns}
"""
RESERVED = """
ddsrta: 1
machines: {m: {cores: [c]}}
threads:
  t: {core: m/c, reservation: {budget: 5ns, period: 10ns}, wcet: 5ns, period: 100ns}
  u: {core: m/c, reservation: {budget: %dns, period: 10ns}, wcet: 5ns, period: 100ns}
"""


@pytest.mark.parametrize(
    ("text", "response"),
    [(SPLIT, 15), (RESERVED, 10)],  # 2 (T - Q) + 5; behind the budget of the other, T · 5 / 10 + 5
)
def test_what_promises_more_than_the_core_is_no_supply(text, response):
    claims = certificate(loads(text % 5, "full.yaml"))
    assert check(claims).ok
    assert claims["stages"][0]["response"] == response
    more = certificate(loads(text % 6, "more.yaml"))
    assert check(more).ok
    for name in ("t", "u"):
        one = copy.deepcopy(more)
        (stage,) = (stage for stage in one["stages"] if stage["stage"] == ["job", name])
        stage |= {"response": 10**6, "latency": 10**6}
        assert "adds up to more than the core" in check(one).failure
