"""Results are compared with their evidence, figure by figure."""

import copy
import json

import pytest

import ddsrta
from ddsrta.__main__ import main
from ddsrta.checker import NothingError, check_result
from ddsrta.checker import result as room
from ddsrta.checker.check import check_read
from ddsrta.models.reader import loads
from tests.checker.varied import varied_system
from tests.soundness.draw import drawn

LATE = """\
ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {flow_controller: {1kB: 3us}, listener: {1kB: 6us}}
topics: {x: {size: 1kB, history: 1}}
flow_controllers: {F: {core: m/b, priority: 9, queue: 7}}
listeners: {L: {core: m/b, priority: 8}}
threads:
  p: {core: m/a, priority: 9, wcet: 1us, period: 100us,
      publishes: [{topic: x, mode: async, flow_controller: F}]}
  s: {core: m/a, priority: 1, wcet: 10us, subscribes: {topics: [x], listener: L}}
chains: {c: {path: [p, x, s], deadline: 9us}, d: {path: [p, x, s], deadline: 90us}}
"""
MORE_IS_BETTER = ("slack", "period")
UNBOUNDED = ("wcrt", "ddl", "latency", "backlog", "gap", "slack")  # they may be null
FOR_PEOPLE = ("line", "column", "later", "ddsrta")


def result_of(system):
    """As it is read back from a file."""
    return json.loads(json.dumps(ddsrta.analyze(system).to_dict()))


@pytest.fixture
def trusting(monkeypatch):
    """The evidence was confirmed once: what is left is the result."""
    known = {}

    def remembered(evidence, work=None, before=None, is_over=None):
        assert before is is_over is None
        key = json.dumps(evidence)
        if key not in known:
            known[key] = check_read(evidence, work)
        return known[key]

    monkeypatch.setattr(room, "check_read", remembered)


def leaves(document, where=()):
    """Each number, truth and verdict, and each bound that there is not."""
    items = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in items:
        if isinstance(value, dict | list):
            yield from leaves(value, (*where, key))
        elif isinstance(value, bool | int | float) or key in (*UNBOUNDED, "verdict"):
            yield (*where, key), value


def better(key, value):
    """What flatters; None where nothing does."""
    if key == "verdict":
        return None if value == "met" else "met"
    if isinstance(value, bool):
        return None if value else True
    if value is None:
        return 5
    if key in MORE_IS_BETTER:
        return value + 1
    return value - (1 if isinstance(value, int) else value / 100) if value else None


def changed(document, where, value):
    """A copy in which one leaf is another."""
    found = copy.copy(document)
    found[where[0]] = value if len(where) == 1 else changed(found[where[0]], where[1:], value)
    return found


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", ["varied", "synchronized", "ros2", "late"])
def test_no_leaf_can_be_made_better(kind, seed, trusting):
    systems = {"varied": lambda: varied_system(seed, 0.4), "late": lambda: loads(LATE, "late.yaml")}
    given = result_of(systems.get(kind, lambda: drawn(seed, kind))())
    assert check_result(given).ok
    shown = {k: v for k, v in given.items() if k not in ("evidence", "warnings", "assumptions")}
    tampered = 0
    for where, value in leaves(shown):
        flattering = better(where[-1], value)
        if flattering is None or where[-1] in FOR_PEOPLE:
            continue
        verdict = check_result(changed(given, where, flattering))
        assert verdict.status == "refuted", (where, value, flattering)
        tampered += 1
    assert tampered > 20


@pytest.mark.parametrize("seed", range(4))
def test_worse_figures_hold(seed, trusting):
    given = result_of(varied_system(seed, 0.4))
    for thread in given["threads"].values():
        thread["wcrt"] = None if thread["wcrt"] is None else thread["wcrt"] + 1
    for message in given["messages"]:
        message["ddl"] = None
    given["verdict"] = "unbounded"
    assert check_result(given).ok


def test_nothing_that_there_is_can_be_left_out(trusting):
    given = result_of(loads(LATE, "late.yaml"))
    for key in ("threads", "chains", "queues", "cores"):
        less = copy.deepcopy(given)
        del less[key][next(iter(less[key]))]
        assert "is missing" in check_result(less).failure
    less = copy.deepcopy(given)
    del less["messages"][0]
    assert check_result(less).status == "refuted"
    more = copy.deepcopy(given)
    more["threads"]["other"] = more["threads"]["p"]
    assert "the system has none such" in check_result(more).failure


def test_what_the_checker_does_not_know_is_said(trusting):
    given = result_of(loads(LATE, "late.yaml"))
    given["threads"]["p"]["least"] = 3
    verdict = check_result(given)
    assert (verdict.status, verdict.failure) == (
        "undecided",
        "threads.p.'least': the checker does not know what that is",
    )


def test_orders_that_are_not_wanted_are_refuted(trusting):
    given = result_of(loads(LATE, "late.yaml"))
    given["orders"] = {"o": {"met": True}}
    verdict = check_result(given)
    assert (verdict.status, verdict.failure) == (
        "refuted",
        "orders.'o': the system has none such",
    )


SLASHES = """\
ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {publisher: {1kB: 1us}, listener: {1kB: 2us}}
topics: {b/c: {size: 1kB}, c: {size: 1kB}}
listeners: {L: {core: m/b, priority: 9}}
threads:
  a/b: {core: m/a, priority: 5, wcet: 1us, period: 100us, publishes: [{topic: c, mode: sync}]}
  a: {core: m/a, priority: 4, wcet: 50us, period: 100us, publishes: [{topic: b/c, mode: sync}]}
  d: {core: m/b, priority: 3, wcet: 2us, subscribes: {topics: [c, b/c], listener: L}}
"""


def test_messages_whose_names_look_alike_are_told_apart():
    """One of them could be left out once, and with both nothing was confirmed."""
    result = ddsrta.analyze(loads(SLASHES))
    assert result.check.status == "confirmed"
    document = json.loads(json.dumps(result.to_dict()))
    assert check_result(document).ok and len(document["messages"]) == 2
    for number in range(2):
        fewer = copy.deepcopy(document)
        del fewer["messages"][number]
        assert check_result(fewer).failure.endswith("is missing")


def test_facts_of_the_system_are_those_of_the_system(trusting):
    given = result_of(loads(LATE, "late.yaml"))
    for where, value in (
        (("queues", "F", "capacity"), 70),
        (("queues", "s < x", "capacity"), 9),
        (("chains", "c", "deadline"), 90_000),
        (("chains", "c", "constraint"), "data_age"),
        (("messages", 0, "mode"), "sync"),
        (("threads", "p", "core"), "m/b"),
        (("system",), "other"),
    ):
        assert check_result(changed(given, where, value)).status == "refuted", where


def test_the_digest_of_the_evidence_is_that_of_the_result():
    given = result_of(loads(LATE, "late.yaml"))
    given["check"]["certificate"] = "0" * 64
    assert "not the digest of the evidence" in check_result(given).failure


def test_evidence_that_does_not_hold_confirms_nothing():
    given = result_of(loads(LATE, "late.yaml"))
    given["evidence"]["stages"][0]["response"] -= 1
    assert check_result(given).status == "refuted"


def test_without_evidence_there_is_nothing_to_verify(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.yaml").write_text(LATE)
    main(["analyze", "s.yaml", "--profile", "published", "--format", "json", "--output", "r.json"])
    assert main(["verify", "r.json"]) == 1
    assert capsys.readouterr().out == (
        "nothing to verify: the profile 'published' has no certificates, and can be optimistic\n"
    )
    given = result_of(loads(LATE, "late.yaml"))
    del given["evidence"]
    with pytest.raises(NothingError, match="no evidence"):
        check_result(given)


def test_a_result_is_verified_by_its_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.yaml").write_text(LATE)
    assert main(["analyze", "s.yaml", "--format", "json", "--output", "r.json"]) == 1
    assert main(["verify", "r.json", "--system", "s.yaml"]) == 0
    out = capsys.readouterr().out
    assert "confirmed: " in out and "claimed: 1 of 2 deadlines met, 1 above it" in out
    (tmp_path / "s.yaml").write_text(LATE.replace("wcet: 10us", "wcet: 9us"))
    assert main(["verify", "r.json", "--system", "s.yaml"]) == 1
    assert "not of this system" in capsys.readouterr().out
    given = json.loads((tmp_path / "r.json").read_text())
    given["chains"]["c"]["met"] = True
    (tmp_path / "r.json").write_text(json.dumps(given))
    assert main(["verify", "r.json"]) == 1
    assert "refuted: chains.c.met is true, not false" in capsys.readouterr().out


def test_what_another_version_wrote_is_said_to_be_that(tmp_path, capsys):
    given = result_of(loads(LATE, "late.yaml"))
    for document, key in ((given, "ddsrta"), (given["evidence"], "ddsrta_certificate")):
        for version in (0, 2):
            other = {**document, key: version, "new": 1}
            path = tmp_path / "other.json"
            path.write_text(json.dumps(other))
            assert main(["verify", str(path)]) == 2
            said = capsys.readouterr().err
            assert (
                f"is of version {version} of the format, and this checker knows version 1; " in said
            )
            assert (
                "another version of ddsrta wrote it: analyse the system again with this one" in said
            )
    del given["evidence"]["queues"], given["evidence"]["stages"]
    path.write_text(json.dumps(given["evidence"]))
    assert main(["verify", str(path)]) == 2
    assert "do so again if another version of ddsrta wrote this" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "seed"), [("late", 0), ("ros2", 3), ("pools", 11), ("synchronized", 3)]
)
def test_stages_of_chains_are_those_of_the_system(kind, seed, trusting):
    given = result_of(loads(LATE, "late.yaml") if kind == "late" else drawn(seed, kind))
    assert check_result(given).ok
    hops = [
        (name, at) for name, chain in given["chains"].items() for at in range(len(chain["hops"]))
    ]
    assert hops
    for name, at in hops[:: max(1, len(hops) // 8)]:
        for key in ("stage", "where"):
            other = copy.deepcopy(given)
            other["chains"][name]["hops"][at][key] += "0"
            verdict = check_result(other)
            assert verdict.status == "refuted"
            assert f"chains.{name}.hops.{at}.{key} is " in str(verdict.failure)
