"""What an executor over several cores asks of a file."""

import pytest

import ddsrta
from ddsrta.checker.yaml.document import read_document
from ddsrta.models.document import to_document

TEXT = """
ddsrta: 1
machines: {m: {cores: {c0: {}, c1: {}, c2: {reservation: {budget: 1ms, period: 2ms}}}}, n: {cores: [d]}}
executors:
  e: {cores: [m/c0, m/c1], priority: 5, kind: multi_threaded, threads: 2}
callbacks:
  a: {executor: e, wcet: 1ms, timer: 1s, group: g}
  b: {executor: e, wcet: 1ms, timer: 1s, reentrant: true}
"""
THREAD = "threads:\n  t: {core: m/c1, priority: %d, wcet: 1ms, period: 1s}\n"


def test_one_thread_on_each_core():
    executor = ddsrta.loads(TEXT).executors["e"]
    assert executor.is_pool and executor.cores == ("m/c0", "m/c1") and executor.threads == 2
    assert ddsrta.loads(TEXT.replace(", threads: 2", "")) == ddsrta.loads(TEXT)


def test_the_document_has_cores_and_groups():
    document = to_document(ddsrta.loads(TEXT))["executors"]["e"]
    assert document["cores"] == ["m/c0", "m/c1"]
    assert document["groups"] == {"a": "g", "b": None}


REFUSED = {
    "threads: 3": (TEXT.replace("threads: 2", "threads: 3"), "3 threads on 2 cores"),
    "one twice": (TEXT.replace("m/c1]", "m/c0]"), "a core is listed twice"),
    "another kind": (TEXT.replace("kind: multi_threaded, threads: 2", "kind: events"), "has one thread"),
    "both": (TEXT.replace("cores: [m/c0", "core: m/c0, cores: [m/c0"), "either a core or several"),
    "neither": (TEXT.replace("cores: [m/c0, m/c1], ", ""), "'core' is missing"),
    "nothing": (TEXT.replace("[m/c0, m/c1]", "[]"), "the list is empty"),
    "unknown": (TEXT.replace("m/c1]", "m/c9]"), "there is no core 'm/c9'"),
    "a reservation on a core": (TEXT.replace("m/c1]", "m/c2]"), "has a reservation or partitions"),
    "its own reservation": (
        TEXT.replace("priority: 5", "reservation: {budget: 1ms, period: 2ms}"), "reservation",
    ),
    "another machine": (TEXT.replace("m/c1]", "n/d]"), "on another machine"),
    "a peer": (TEXT + THREAD % 5, "thread 't' has the priority of executor 'e' on m/c1"),
    "several topics": (
        TEXT.replace("machines", "topics: {x: {size: 1B}, y: {size: 1B}}\nmachines")
        + "  c: {executor: e, wcet: 1ms, reentrant: true, subscribes: {topics: [x, y], listener: L, delay: 1us, activation: and}}\n"
        + "listeners: {L: {core: m/c0, priority: 7}}\n" + (THREAD % 6).replace(
            "period: 1s", "period: 1s, publishes: [{topic: x, delay: 1us}, {topic: y, delay: 1us}]"
        ),
        "a reentrant callback waits for several topics",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_modelled_is_refused(what):
    text, message = REFUSED[what]
    with pytest.raises(ddsrta.InputError) as error:
        ddsrta.loads(text)
    assert message in str(error.value)
    assert all(one.position is not None for one in error.value.diagnostics)


def test_other_priorities_may_be_there():
    assert "t" in ddsrta.loads(TEXT + THREAD % 6).threads


IN_ONE_NODE = """
ddsrta: 1
machines: {m: {cores: [c, d]}}
executors: {e: {cores: [m/c, m/d], priority: 5, kind: multi_threaded, background: {wcet: 5ms, period: 1s}}}
nodes:
  n: {executor: e, callbacks: {z: {wcet: 1ms, timer: 50ms}, own: {wcet: 2ms, timer: 50ms, group: g}}}
"""


def test_services_of_the_one_node_of_a_pool_are_in_its_group():
    services = ", background: {wcet: 5ms, period: 1s}"
    as_callback = IN_ONE_NODE.replace(services, "").replace(
        "group: g}", "group: g}, b: {wcet: 5ms, arrival: {sporadic: 1s}}"
    )
    found = [ddsrta.analyze(ddsrta.loads(text)) for text in (IN_ONE_NODE, as_callback)]
    for result, name in zip(found, ("e/background", "n.b"), strict=True):
        bounds = {each: callback.wcrt for each, callback in result.callbacks.items()}
        assert bounds == {"n.z": 6_000_000, "n.own": 2_000_000, name: 6_000_000}
        assert result.check.status == "confirmed"
    assert read_document(IN_ONE_NODE, "s") == to_document(ddsrta.loads(IN_ONE_NODE))
