"""Copies in a declared order (lemma copy-order): every figure here was worked out by hand."""

from __future__ import annotations

from itertools import permutations

import pytest

import ddsrta
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.stages import unfold
from ddsrta.bounds.terms.explain import explain
from ddsrta.models.system import Reservation
from tests.bounds.one_image import ASYNC, SYNC, one_image

US = 1000


def order_of(system):
    (writer,) = system.writers("image")
    return [reader.name for reader in system.receivers(writer, "image")]


def sent(system, **kwargs):
    messages = ddsrta.analyze(system, **kwargs).messages
    return {m.subscriber: m.sent / US for m in messages if m.topic == "image"}


def edge(system, reader):
    """The way of the image to a reader."""
    stages = {stage.key: stage for stage in unfold(system)}
    return stages["message", "camera", "image", reader].inputs[0]


# The sample takes 3 copies of 100 us. The camera's job takes 1 ms, its copies, and 100 us for the
# state, which leaves after them.
LEAVES = {
    ("unknown", ASYNC): {"a": 300, "b": 300, "c": 300},
    ("connection", ASYNC): {"a": 100, "b": 200, "c": 300},
    ("priority", ASYNC): {"a": 300, "b": 100, "c": 200},
    ("unknown", SYNC): {"a": 1300, "b": 1300, "c": 1300},
    ("connection", SYNC): {"a": 1100, "b": 1200, "c": 1300},
    ("priority", SYNC): {"a": 1300, "b": 1100, "c": 1200},
}


@pytest.mark.parametrize(("copies", "mode"), LEAVES)
def test_each_copy_leaves_at_its_place(copies, mode):
    assert sent(one_image(copies, mode)) == LEAVES[copies, mode]


@pytest.mark.parametrize(("copies", "mode"), LEAVES)
def test_delivery_adds_the_network_and_the_listener(copies, mode):
    # c also reads the state, from the same listener, and has a figure of its own below
    result = ddsrta.analyze(one_image(copies, mode))
    found = {m.subscriber: m.ddl / US for m in result.messages if m.topic == "image"}
    leaves = LEAVES[copies, mode]
    assert found["a"] == leaves["a"] + 10
    assert found["b"] == leaves["b"] + 50 + 10
    assert found["c"] >= leaves["c"] + 10


def test_a_chain_gains_what_its_message_gains():
    unknown = ddsrta.analyze(one_image("unknown", SYNC)).chains
    declared = ddsrta.analyze(one_image("priority", SYNC)).chains
    assert unknown["to b"].latency - declared["to b"].latency == 200 * US
    assert unknown["to a"].latency == declared["to a"].latency


def test_of_several_messages_the_last_one_counts():
    # two messages of three copies: the last copy to each reader is number 4, 5 and 6
    assert sent(one_image("connection", SYNC, 2)) == {"a": 1400, "b": 1500, "c": 1600}
    # each sample for itself, and the second may wait for the first
    assert sent(one_image("connection", ASYNC, 2)) == {"a": 400, "b": 500, "c": 600}


def test_the_earliest_arrivals_and_the_spacing_follow_the_place():
    # async: i copies of 40 us at least; two copies to b are 3 copies apart; the network varies by 30
    b = edge(one_image("connection", ASYNC), "b")
    assert (b.worst, b.least, b.link) == ((50 - 100) * US, (2 * 40 + 20) * US, 50 * US)
    assert b.spacing == (120 * US, 30 * US, 1)
    # in an unknown order the last of the one may be the first of the next
    b = edge(one_image("unknown", ASYNC), "b")
    assert (b.worst, b.least) == (50 * US, (40 + 20) * US)
    assert b.spacing == (120 * US, (80 + 30) * US, 1)
    # sync: a job takes 300 + 4 * 40 us at least, and 100 us of the state and a copy come after b's;
    # before the image it may begin to send after 1 ns
    b = edge(one_image("connection", SYNC, 2), "b")
    assert (b.worst, b.least) == ((50 - 100 - 100) * US, (2 * 40 + 20) * US + 1)
    shortest = (300 + 7 * 40) * US
    assert b.spacing == (shortest, shortest - (120 * US + 1) + 30 * US, 2)


def test_without_the_refinement_the_order_does_not_count():
    for mode in (ASYNC, SYNC):
        some = Refinements(copies=False)
        assert sent(one_image("priority", mode), refinements=some) == LEAVES["unknown", mode]


@pytest.mark.parametrize("mode", [ASYNC, SYNC])
def test_another_order_of_the_file_permutes_the_bounds(mode):
    system = one_image("connection", mode)
    places = sorted(sent(system).values())
    others = {k: v for k, v in system.threads.items() if k not in "abc"}
    for order in permutations("abc"):
        threads = {**others, **{name: system.threads[name] for name in order}}
        permuted = ddsrta.System(
            **{
                name: threads if name == "threads" else getattr(system, name)
                for name in system.__dataclass_fields__
                if name not in ("is_valid", "tree", "written")
            }
        )
        assert [sent(permuted)[name] for name in order] == places


def test_equal_priorities_keep_the_order_of_the_file_and_reservations_come_first():
    system = one_image("priority", ASYNC)
    names = order_of(system)
    assert names == ["b", "c", "a"]
    equal = system.altered("threads", "b", priority=20)
    assert order_of(equal) == ["b", "c", "a"]
    equal = system.altered("threads", "a", priority=30)
    assert order_of(equal) == ["a", "b", "c"]
    reserved = system.altered("threads", "a", reservation=Reservation(1, 100), priority=0)
    assert order_of(reserved) == ["a", "b", "c"]


@pytest.mark.parametrize("mode", [ASYNC, SYNC])
def test_the_explanation_adds_up_and_names_the_copies(mode):
    explanation = explain(one_image("priority", mode), "to b")
    assert sum(stage.total for stage in explanation.stages) == explanation.bound
    early = [t for stage in explanation.stages for t in stage.terms if t.label.startswith("sent b")]
    async_terms = [
        ("sent before the job ends", -100 * US),
        ("sent before the last copy", -200 * US),
    ]
    sync_terms = [("sent before the job ends", -300 * US)]  # two copies and the state
    assert [(t.label, t.time) for t in early] == (async_terms if mode == ASYNC else sync_terms)


def test_the_published_analysis_knows_no_order():
    found = sent(one_image("priority", ASYNC), profile="published")
    assert found == dict.fromkeys("abc", 300.001)  # its bounds of samples have 1 ns more
    found = sent(one_image("priority", SYNC), profile="published")
    assert found == dict.fromkeys("abc", 1400)


def test_a_copy_without_a_bound_has_none():
    system = one_image("priority", ASYNC).replace("threads", "camera", wcet=20_000 * US)
    result = ddsrta.analyze(system)
    assert all(m.sent is None for m in result.messages if m.ddl is None)
    assert result.to_dict()["messages"][0]["sent"] is None
