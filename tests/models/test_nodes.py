"""Nodes: a grouping of callbacks, which says the same as each of them alone."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.checker import CertificateError
from ddsrta.checker.yaml.document import read_document
from ddsrta.models.document import to_document

HEAD = """\
ddsrta: 1
machines: {pi: {cores: [c0, c1]}}
delays: {listener: {1kB: 20us}, publisher: {1kB: 30us}}
topics: {scan: {size: 1kB}, cmd: {size: 1kB}}
listeners: {L: {core: pi/c0, priority: 90}, M: {core: pi/c1, priority: 90}}
services: {map: {request: 1kB, reply: 1kB}}
executors:
  one: {core: pi/c0, priority: 50}
  pool: {cores: [pi/c0, pi/c1], priority: 40, kind: multi_threaded}
"""
NODES = """\
nodes:
  lidar:
    executor: one
    callbacks:
      tick: {wcet: 1ms, timer: 10 Hz, publishes: [{topic: scan}], calls: [map]}
  base.nav:
    executor: pool
    listener: L
    callbacks:
      scan: {wcet: 1ms, subscribes: {topics: [scan]}, publishes: [{topic: cmd}]}
      cmd: {wcet: 1ms, subscribes: {topics: [cmd], listener: M}, group: own}
      map: {wcet: 1ms, serves: {service: map}, reentrant: true}
      reply: {executor: one, wcet: 1ms, receives: {service: map}}
      slow: {wcet: 1ms, timer: 1s, follows: {threads: [base.nav.scan]}}
"""
ALONE = """\
callbacks:
  lidar.tick: {executor: one, wcet: 1ms, timer: 100ms, publishes: [{topic: scan}], calls: [map]}
  base.nav.scan:
    {executor: pool, wcet: 1ms, subscribes: {topics: [scan], listener: L}, group: base.nav,
     publishes: [{topic: cmd}]}
  base.nav.cmd:
    {executor: pool, wcet: 1ms, subscribes: {topics: [cmd], listener: M}, group: base.nav/own}
  base.nav.map: {executor: pool, wcet: 1ms, serves: {service: map, listener: L}, reentrant: true}
  base.nav.reply: {executor: one, wcet: 1ms, receives: {service: map, listener: L}}
  base.nav.slow:
    {executor: pool, wcet: 1ms, timer: 1s, follows: {threads: [base.nav.scan]}, group: base.nav}
"""
CALLS = "calls: [map]", "calls: [{service: map}]"


def text(part: str) -> str:
    return (HEAD + part).replace(*CALLS)


@pytest.mark.parametrize(
    "read", [lambda t: to_document(ddsrta.loads(t)), lambda t: read_document(t, "n.yaml")]
)
def test_callbacks_of_a_node_are_callbacks_that_say_all_of_it(read) -> None:
    assert read(text(NODES)) == read(text(ALONE))


def test_both_readers_take_a_node_alike_and_the_result_speaks_of_its_callbacks() -> None:
    result = ddsrta.analyze(ddsrta.loads(text(NODES)))
    assert result.check is not None and result.check.status == "confirmed"
    assert "base.nav.cmd" in result.callbacks


def test_callbacks_of_two_nodes_do_not_exclude_each_other_as_those_of_one_do() -> None:
    system = ddsrta.loads(text(NODES))
    groups = {name: thread.group for name, thread in system.threads.items()}
    assert groups["base.nav.scan"] == groups["base.nav.slow"] != groups["base.nav.cmd"]
    assert groups["lidar.tick"] != groups["base.nav.scan"]


def test_a_callback_of_a_node_has_its_place_in_the_file_and_can_be_changed_there() -> None:
    system = ddsrta.loads(text(NODES))
    place = system.where("threads", "base.nav.cmd", "wcet")
    assert place is not None and "cmd: {wcet" in text(NODES).splitlines()[place.line - 1]
    path = ("nodes", "base.nav", "callbacks", "cmd")
    assert system.replace(*path, wcet="3ms").threads["base.nav.cmd"].wcet == 3_000_000


def test_a_name_that_a_callback_has_too_is_refused() -> None:
    twice = text(NODES) + "callbacks: {lidar.tick: {executor: one, wcet: 1ms, timer: 1s}}\n"
    with pytest.raises(ddsrta.InputError, match=r"'lidar\.tick' is defined twice"):
        ddsrta.loads(twice)


POOL = """ddsrta: 1
machines: {m: {cores: [a, b]}}
executors: {E: {cores: [m/a, m/b], priority: 5, kind: multi_threaded, release: iron}}
nodes:
  n: {executor: E, callbacks: {one: {timer: 100ms, wcet: 10ms}}}
callbacks:
  other: {executor: E, timer: 100ms, wcet: 10ms, group: GROUP}
  z: {executor: E, timer: 100ms, wcet: 1ms, group: g}
"""


@pytest.mark.parametrize("group", ["n", "n/h", "n/x"])
def test_a_group_that_has_the_name_of_one_of_a_node_is_refused(group: str) -> None:
    """Two groups that are taken for one are in one thread at a time: 1 ms was confirmed of z, which
    waits for 10 where both threads are at them."""
    with pytest.raises(ddsrta.InputError, match="has the name of a group of node 'n'"):
        ddsrta.loads(POOL.replace("GROUP", group))
    with pytest.raises(CertificateError, match="the name of a group of a node"):
        read_document(POOL.replace("GROUP", group), "s")


@pytest.mark.parametrize("group", ["h", "m/n"])
def test_a_group_of_its_own_beside_those_of_nodes(group: str) -> None:
    result = ddsrta.analyze(ddsrta.loads(POOL.replace("GROUP", group)))
    assert result.callbacks["z"].wcrt == 11_000_000
    assert result.check.status == "confirmed"


def test_two_nodes_whose_callbacks_have_one_name_are_refused() -> None:
    body = "{executor: one, callbacks: {%s: {wcet: 1ms, timer: 1s}}}"
    both = f"nodes:\n  a.b: {body % 'c'}\n  a: {body % 'b.c'}\n"
    with pytest.raises(ddsrta.InputError, match=r"'a\.b\.c' is defined twice"):
        ddsrta.loads(text(both))


def test_repairs_move_callbacks_of_nodes() -> None:
    late = text(NODES).replace("scan: {wcet: 1ms", "scan: {executor: one, wcet: 1ms")
    late += "chains: {go: {from: lidar.tick, to: base.nav.cmd, deadline: 3800us}}\n"
    found = ddsrta.improve(ddsrta.loads(late), candidates=200)
    said = [change for repair in found.repairs for change in repair.says]
    assert any(change.path[:3] == ("nodes", "base.nav", "callbacks") for change in said)
    assert any(change.text.startswith("base.nav.") for change in said)
