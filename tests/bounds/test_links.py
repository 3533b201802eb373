"""Messages on shared links: known answers, what is refused, and that the checker agrees."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import ddsrta
from ddsrta.bounds.order.sets import order_sets
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain
from ddsrta.checker import check_result
from ddsrta.checker import links as checker
from ddsrta.checker.policies import PRIORITY_KEYS
from ddsrta.models.document import to_document
from ddsrta.models.media import Frame
from ddsrta.policies.links import LINKS, PRIORITIES
from ddsrta.policies.links.reference import reference
from ddsrta.report.baseline import result_from_dict
from ddsrta.report.html import result_html
from ddsrta.report.terminal import result_text

US, MS = 1_000, 1_000_000


def bus(frames: str, rate: str = "125 kbit/s", more: str = "") -> str:
    lines = "".join(f"      {line}\n" for line in frames.split("\n"))
    link = f"links:\n  bus:\n    kind: can\n    rate: {rate}\n{more}    frames:\n{lines}"
    return f"ddsrta: 1\nmachines: {{}}\n{link}"


def responses(text: str, link: str = "bus") -> list[int | None]:
    """Of all that a link sends, in the order of the file."""
    result = ddsrta.analyze(ddsrta.loads(text))
    assert result.check.status == "confirmed" and not result.check.without
    return [message.wcrt for message in result.links[link].messages.values()]


DAVIS = """A: {size: 7B, period: 2.5ms, can_id: 1}
B: {size: 7B, period: 3.5ms, can_id: 2}
C: {size: 7B, period: 3.5ms, can_id: 3}"""


def test_the_second_instance_of_the_least_urgent_message_is_the_slowest():
    """R. I. Davis, A. Burns, R. J. Bril, J. J. Lukkien, "Controller Area Network (CAN)
    schedulability analysis: Refuted, revisited and revised", Real-Time Systems 35 (2007): the
    older analysis gave 3 ms for C, which is that of its first instance."""
    assert responses(bus(DAVIS)) == [2 * MS, 3 * MS, 3.5 * MS]


@pytest.mark.parametrize(
    ("size", "standard", "extended"), [(8, 135, 160), (0, 55, 80), (1, 65, 90)]
)
def test_bits_of_a_frame(size, standard, extended):
    """The same paper: (55 + 10 s) bits with 11-bit identifiers, (80 + 10 s) with 29 bits."""
    for name, bits in (("standard", standard), ("extended", extended)):
        settings = {"rate": 1_000_000, "identifiers": name}
        assert LINKS["can"].load(settings, size, True).worst == bits * US
        link = checker.Link("can", 1_000_000, name == "extended", {}, {})
        assert link.on(size, 0, True).worst == bits * US


@pytest.mark.parametrize(
    ("size", "name", "least", "most"),
    [
        (64, "standard", 579, 712),
        (64, "extended", 598, 736),
        (16, "standard", 190, 227),
        (0, "extended", 81, 91),
    ],
)
def test_bits_of_a_frame_of_can_fd(size, name, least, most):
    """For 64 bytes V. Mailhol, "can: length: refactor frame lengths definition to add size in bits",
    Linux 2023; the others by hand from ISO 11898-1:2015. Beside them are two bits for what is
    acknowledged late, and at least a bit less between frames."""
    fd = {"rate": 1_000_000, "data_rate": 1_000_000, "identifiers": name}
    load = LINKS["can_fd"].load(fd, size, True)
    assert (load.best, load.worst) == ((least - 1) * US, (most + 2) * US)
    link = checker.Link("can_fd", 1_000_000, name == "extended", fd, {})
    assert link.on(size, 0, True)[2:4] == (load.worst, load.best)


@pytest.mark.parametrize("rates", [(500_000, 2_000_000), (333_000, 4_999_999)])
@pytest.mark.parametrize("name", ["standard", "extended"])
def test_both_rates_of_can_fd_and_its_sizes(rates, name):
    """64 bytes at 0.5 and 2 Mbit/s: 36 bits of 2 us, 678 of 0.5 us."""
    fd = {"rate": rates[0], "data_rate": rates[1], "identifiers": name}
    link = checker.Link("can_fd", rates[0], name == "extended", fd, {})
    for size in range(65):
        load = LINKS["can_fd"].load(fd, size, True)
        assert link.on(size, 0, True)[2:4] == (load.worst, load.best)
        padded = min(s for s in (*range(9), 12, 16, 20, 24, 32, 48, 64) if s >= size)
        assert load == LINKS["can_fd"].load(fd, padded, True)
    if fd["rate"] == 500_000 and name == "standard":
        assert load.worst == 411 * US and load.best == 329.5 * US


def test_a_bus_of_can_fd():
    """411 us each: A waits for one that has begun, B for C and A, C for A and B."""
    frames = """A: {size: 64B, period: 1ms, can_id: 1}
B: {size: 64B, period: 9ms, can_id: 2}
C: {size: 50B, period: 9ms, can_id: 3}"""
    text = bus(frames, "500 kbit/s", "    data_rate: 2 Mbit/s\n").replace(
        "kind: can", "kind: can_fd"
    )
    assert responses(text) == [822 * US, 1233 * US, 1233 * US]


def test_a_more_urgent_frame_within_a_bit_may_still_win():
    """B can start 1 ms after A. An A that is queued 7 us later wins yet, one 9 us later does not."""
    frames = "A: {size: 7B, period: 1007us, can_id: 1}\nB: {size: 7B, period: 1s, can_id: 2}"
    assert responses(bus(frames)) == [2 * MS, 3 * MS]
    assert responses(bus(frames.replace("1007us", "1009us"))) == [2 * MS, 2 * MS]


def test_an_overloaded_link_is_unbounded_for_what_is_not_more_urgent():
    text = bus(DAVIS.replace("C: {size: 7B, period: 3.5ms", "C: {size: 7B, period: 3.1ms"))
    assert responses(text) == [2 * MS, 3 * MS, None]
    result = ddsrta.analyze(ddsrta.loads(text))
    because = result.links["bus"].messages["C"].unbounded_because
    assert (
        because
        == "link bus is loaded 101 % by what is at least as urgent as frame C; move work elsewhere, or make it rarer"
    )
    assert result.verdict == "unbounded" and result.links["bus"].utilization > 1
    (found,) = result.warnings
    assert (found.rule, found.severity, found.position.line) == ("link-load", "error", 4)
    said = "loaded 100.8 %, taken by A (40.0 %), C (32.3 %), B (28.6 %): the least urgent"
    assert said in found.message


def test_a_bus_that_is_faster_than_any_there_is_gets_a_warning():
    text = bus("A: {size: 7B, period: 9ms, can_id: 1}", "1 Mbit/s")
    assert not ddsrta.analyze(ddsrta.loads(text)).warnings
    for kind in ("can", "can_fd"):
        fast = text.replace("1 Mbit/s", "2 Mbit/s").replace("kind: can", f"kind: {kind}")
        (found,) = ddsrta.analyze(ddsrta.loads(fast)).warnings
        assert (found.rule, found.severity, found.position.line) == ("link-rate", "warning", 6)
        assert f"sends 2 Mbit/s, and no {kind} bus arbitrates above 1 Mbit/s" in found.message


def test_of_an_overloaded_link_what_takes_most_is_named():
    frames = "\n".join(f"f{i}: {{size: {i}B, period: {2 + i}ms, can_id: {i}}}" for i in range(8))
    (found,) = ddsrta.analyze(ddsrta.loads(bus(frames))).warnings
    assert (
        "of which most is taken by f0 (22.0 %), f1 (17.3 %), f2 (15.0 %):" in found.message
        and "f4" not in found.message
    )


PORT = """ddsrta: 1
machines: {}
links:
  port:
    kind: ethernet
    rate: 100 Mbit/s
    best_effort: 0B
    frames:
      high: {size: 46B, period: 1ms, pcp: 7}
      same: {size: 1000B, period: 1ms, pcp: 5}
      also: {size: 1000B, period: 1ms, pcp: 5}
      low: {size: 1500B, period: 1ms, pcp: 1}
"""


def test_strict_priority_of_a_port():
    """46 bytes are 88 on the wire, 7.04 us; 1000 are 1042, 83.36 us; 1500 are 1542, 123.36 us."""
    high, same, low = 7_040, 83_360, 123_360
    assert responses(PORT, "port") == [
        low + high,
        low + high + 2 * same,
        low + high + 2 * same,
        high + 2 * same + low,
    ]
    assert responses(PORT.replace("best_effort: 0B", "best_effort: 1500B"), "port") == [
        low + high,
        low + high + 2 * same,
        low + high + 2 * same,
        low + high + 2 * same + low,
    ]


@pytest.mark.parametrize(
    ("size", "frames"), [(0, 1), (1344, 1), (1345, 2), (65_372, 45), (65_373, 46), (200_000, 138)]
)
def test_fragments_of_a_sample(size, frames):
    """1500 bytes hold 20 of IP and, in the first fragment, 8 of UDP and 128 of the middleware."""
    settings = LINKS["ethernet"].filled(
        {"rate": 10**9, "mtu": 1500, "tagged": True, "overhead": 128, "datagram": 65_500}
    )
    load = LINKS["ethernet"].load(settings, size, False)
    assert load.frames == frames
    said = {**{k: int(v) for k, v in settings.items()}}
    on = checker.Link("ethernet", 10**9, False, said, {}).on(size, 0)
    assert (on.frames, on.worst, on.best, on.longest) == load


SYSTEM = """ddsrta: 1
machines: {a: {cores: [c0]}, b: {cores: [c1]}}
links:
  can0:
    kind: can
    rate: 500 kbit/s
    frames:
      urgent: {size: 7B, period: 2.5ms, can_id: 1}
      other: {size: 8B, period: 3.5ms, can_id: 20}
network: [{from: a, to: b, link: can0, delay: 5us}]
delays: {publisher: {1kB: 2us}, flow_controller: {1kB: 62us}, listener: {1kB: 224us}}
topics: {speed: {size: 8B, can_id: 7}, load: {size: 8B, can_id: 8}}
flow_controllers: {F: {core: a/c0, priority: 80}}
listeners: {L: {core: b/c1, priority: 90}}
threads:
  sensor:
    core: a/c0
    priority: 85
    wcet: 1ms
    period: 10ms
    publishes: [{topic: speed, flow_controller: F}, {topic: load}]
  control: {core: b/c1, priority: 70, wcet: 2ms, subscribes: {topics: [speed], listener: L}}
  logger: {core: b/c1, priority: 60, wcet: 2ms, subscribes: {topics: [load], listener: L}}
chains:
  control: {path: [sensor, speed, control], deadline: 8ms}
  log: {path: [sensor, load, logger]}
"""


def test_a_message_over_a_link():
    """speed waits for `other` (135 bits: 270 us) and for one of 125 bits, and takes 270 us."""
    result = ddsrta.analyze(ddsrta.loads(SYSTEM))
    assert result.check.status == "confirmed" and not result.check.without
    sent = {name: message.wcrt for name, message in result.links["can0"].messages.items()}
    assert sent["sensor/speed/control"] == (270 + 250 + 270) * US
    assert sent["urgent"] == (270 + 250) * US
    speed, load = result.messages
    assert speed.network == sent["sensor/speed/control"] + 5 * US
    assert speed.ddl == speed.flow_controller + speed.network + 224 * US * 2
    assert load.network == sent["sensor/load/logger"] + 5 * US
    assert result.queues["can0"].backlog == 4
    for name, chain in result.chains.items():
        explained = explain(ddsrta.loads(SYSTEM), name)
        assert sum(stage.total for stage in explained.stages) == chain.latency
        assert "link can0" in [stage.where for stage in explained.stages]


def test_a_delay_that_is_the_response_gives_the_same_without_refinements():
    plain = Refinements.none()
    texts = SYSTEM, SYSTEM.replace("link: can0, delay: 5us", "delay: 795us")
    given, computed = (
        ddsrta.analyze(ddsrta.loads(text), refinements=plain).messages[0].ddl for text in texts
    )
    assert given == computed


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("rate: 500 kbit/s", "rate: 500", 6, "no unit"),
        ("kind: can\n", "kind: can_fd\n    data_rate: 1 kbit/s\n", 4, "below its 'rate'"),
        ("kind: can\n", "kind: can\n    data_rate: 1 Mbit/s\n", 6, "not for links of kind can"),
        ("rate: 500 kbit/s", "rate: 500 kbps", 6, "did you mean 'kbit/s'"),
        ("kind: can", "kind: bus", 5, "one of"),
        ("rate: 500 kbit/s", "rate: 500 kbit/s\n    mtu: 100B", 7, "'mtu' is not for links of"),
        ("can_id: 1}", "can_id: 1, pcp: 1}", 8, "'pcp' is not for links of kind can"),
        ("can_id: 1}", "can_id: 2048}", 8, "within 0 … 2047"),
        ("can_id: 1}", "can_id: 0x7FF}", 8, "expected a whole number, not '0x7FF'; write 2047"),
        ("can_id: 1}", "can_id: 7}", 12, "frame 'urgent' and 'speed' of sensor have one 'can_id'"),
        ("size: 7B", "size: 9B", 8, "a CAN frame holds 8 B"),
        ("speed: {size: 8B", "speed: {size: 20B", 12, "'speed' goes over link can0"),
        ("speed: {size: 8B, can_id: 7}", "speed: {size: 8B}", 12, "'can_id' of topic 'speed'"),
        ("link: can0, delay: 5us", "best: 5us", 10, "'delay' is missing"),
        ("link: can0, delay", "link: can1, delay", 10, "can1"),
        ("  can0:\n", "  F:\n", 4, "a thread has this name already"),
        (
            "chains:",
            "orders: {o: {subscriber: control, topics: [speed, load]}}\nchains:",
            24,
            "wanted orders are not modelled",
        ),
        ("topics: {s", "middleware: {fastdds: 2.9}\ntopics: {s", 12, "not modelled together"),
        ("priority: 80}", "priority: 80, limit: {bytes: 9kB, period: 1ms}}", 13, "'limit' of a"),
    ],
)
def test_what_is_refused_where_it_stands(old, new, line, message):
    text = SYSTEM.replace(old, new)
    if "F:" in new:
        text = text.replace("link: can0", "link: F")
    with pytest.raises(ddsrta.InputError) as caught:
        ddsrta.loads(text)
    first = caught.value.diagnostics[0]
    assert message in str(first) and first.position.line == line


def test_what_is_wrong_with_a_link_is_said_once_whatever_it_sends():
    text = bus("A: {size: 7B, period: 9ms, can_id: 1}", more="    data_rate: 1 kbit/s\n")
    with pytest.raises(ddsrta.InputError) as caught:
        ddsrta.loads(text.replace("kind: can", "kind: can_fd"))
    assert [each.position.line for each in caught.value.diagnostics] == [4]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rate": 0}, "'rate' is 0, not a whole number"),
        ({"rate": "500 kbit/s"}, "'rate' is '500 kbit/s', not a whole number"),
        ({"given": {"identifiers": "some"}}, "'identifiers' is 'some'"),
        ({"given": {"mtu": 100}}, "'mtu' is not for links of kind can"),
        ({"frames": {"a": Frame("a", -8, 9, settings={"can_id": 1})}}, "'size' of 'a' is -8"),
        ({"frames": {"a": Frame("a", 8, 9, -5, settings={"can_id": 1})}}, "'jitter' of 'a' is -5"),
        ({"frames": {"a": Frame("a", 8, 0, settings={"can_id": 1})}}, "'period' of 'a' is 0"),
        ({"frames": {"a": Frame("a", 8, 9)}}, "'can_id' is missing"),
    ],
)
def test_a_link_made_in_python_is_refused_as_one_of_a_file(changes, message):
    system = ddsrta.loads(bus("A: {size: 7B, period: 9ms, can_id: 1}"))
    with pytest.raises(ddsrta.InputError, match=message):
        ddsrta.analyze(system.altered("media", "bus", **changes))


def test_a_link_that_is_just_full_is_named_where_no_bound_was_found():
    frames = "A: {size: 7B, period: 2ms, can_id: 1}\nB: {size: 7B, period: 2ms, can_id: 2}"
    found = ddsrta.analyze(ddsrta.loads(bus(frames))).links["bus"].messages["B"]
    assert found.wcrt is None and "keep growing (link bus); " in found.unbounded_because


def test_what_knows_no_links_says_so():
    system = ddsrta.loads(SYSTEM)
    with pytest.raises(ddsrta.InputError, match="the published analysis knows no links"):
        ddsrta.analyze(system, profile="published")


def test_the_checker_has_a_list_of_its_own_and_it_is_the_same():
    assert tuple(LINKS) == checker.KINDS == tuple(checker.PRIORITIES)
    assert tuple(PRIORITIES) == PRIORITY_KEYS


def test_the_page_is_what_the_files_say():
    page = Path(__file__).parents[2] / "docs" / "reference" / "links.md"
    assert page.read_text(encoding="utf-8") == reference()


def test_less_than_a_bound_is_refuted():
    document = ddsrta.analyze(ddsrta.loads(SYSTEM)).to_dict()
    for stage in document["evidence"]["stages"]:
        if stage["stage"][0] in ("transfer", "frame"):
            stage["response"] -= 1
            assert check_result(document).status == "refuted"
            stage["response"] += 1
    for message in document["links"]["can0"]["messages"].values():
        message["wcrt"] -= 1
        assert check_result(document).status == "refuted"
        message["wcrt"] += 1
    document["links"]["can0"]["utilization"] /= 2
    assert check_result(document).status == "refuted"


def test_reports_show_links_and_read_them_back():
    result = ddsrta.analyze(ddsrta.loads(SYSTEM))
    assert "sensor/speed/control" in result_html(result)
    text = result_text(result)
    assert "can0 (can)" in text and "sensor/speed/control" in text
    assert result_from_dict(result.to_dict()).links == result.links


def test_documents_of_other_systems_are_as_they_were():
    system = ddsrta.loads(SYSTEM)
    plain = replace(
        system, media={}, links={k: replace(v, medium=None) for k, v in system.links.items()}
    )
    assert "media" not in to_document(plain) and "links" not in ddsrta.analyze(plain).to_dict()


def test_nothing_is_known_of_the_order_of_messages_over_a_link():
    """`first` leaves first, and waits for the bus where `second` is more urgent."""
    system = ddsrta.loads("""ddsrta: 1
machines: {m: {cores: [a, b]}, n: {cores: [c, d]}}
links: {bus: {kind: can, rate: 125 kbit/s}}
network: [{from: m, to: n, link: bus}]
delays: {flow_controller: {8B: 100us}, listener: {8B: 100us}}
topics: {first: {size: 8B, can_id: 9}, second: {size: 8B, can_id: 2}}
flow_controllers: {F: {core: m/b, priority: 5}}
listeners: {L: {core: n/c, priority: 5}}
threads:
  p: {core: m/a, priority: 1, wcet: 1ms, period: 100ms,
      publishes: [{topic: first, flow_controller: F}, {topic: second, flow_controller: F}]}
  s: {core: n/d, priority: 1, wcet: 1ms, subscribes: {topics: [first, second], listener: L}}
""")
    (found,) = order_sets(solve(system), "s")
    assert sorted(found.orders) == [("first", "second"), ("second", "first")]
