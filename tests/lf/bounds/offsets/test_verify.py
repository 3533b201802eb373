"""Given offsets: which messages can be tardy, who would notice, who waits without end."""

from __future__ import annotations

from ddsrta.lf.bounds.offsets.judge import Report, judge
from ddsrta.lf.program.examples import TWO_FEDERATES
from ddsrta.lf.program.reader import loads
from tests.lf.federations import MS, US, text


def report(source: str, *changes: tuple[str, str]) -> Report:
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    return judge(loads(source, "f.yaml"))


def with_maxwait(wait: str) -> tuple[str, str]:
    return ("    inputs: [in]\n", f"    inputs: [in]\n    maxwait: {wait}\n")


def rules(found: Report) -> list[str]:
    return [finding.rule for finding in found.findings]


def test_a_given_offset_is_compared_with_what_is_needed() -> None:
    for wait, outcome, slack, verdict in (
        ("2 ms", "met", 350 * US, "met"),
        ("1650us", "met", 0, "met"),
        ("1649us", "violated", -US, "missed"),
        ("0", "violated", -1650 * US, "missed"),
    ):
        found = report(TWO_FEDERATES, with_maxwait(wait))
        (check,) = found.checks
        assert (check.outcome, check.slack, found.verdict) == (outcome, slack, verdict)
        assert [link.connection.name for link in check.path] == ["source.out → sink.in"]


def test_a_tardy_message_without_a_handler_is_an_error() -> None:
    handled = report(TWO_FEDERATES, with_maxwait("0"))
    assert rules(handled) == ["tardy", "after-tardy", "short-wait"]
    silent = report(TWO_FEDERATES, with_maxwait("0"), (", tardy: true", ""))
    assert rules(silent) == ["tardy-unnoticed", "after-tardy", "short-wait"]
    assert "consume of sink without a tardy handler" in silent.findings[0].message
    assert str(silent.findings[0].position) == "f.yaml:24:5"


def test_the_senders_own_wait_counts_not_the_one_it_needs() -> None:
    """b waits 10 ms though it needs 1: c gets its messages that much later."""
    names = {"a": "1ms", "b": "1ms", "c": "1ms"}
    ways, ticks = [("a", "b"), ("b", "c")], ["b", "c"]
    plain = judge(loads(text(names, ways, sources=ticks, more={"c": "maxwait: 5ms"})))
    assert plain.checks[0].need == 2 * MS
    more = {"b": "maxwait: 10ms", "c": "maxwait: 5ms"}
    patient = judge(loads(text(names, ways, sources=ticks, more=more)))
    assert [(c.need, c.outcome) for c in patient.checks] == [(MS, "met"), (11 * MS, "violated")]
    more = {"b": "maxwait: 0", "c": "maxwait: 5ms"}
    hasty = judge(loads(text(names, ways, sources=ticks, more=more)))
    assert [(c.need, c.outcome) for c in hasty.checks] == [
        (MS, "violated"),
        (2 * MS + 50 * US, "met"),
    ]


def test_a_late_message_that_is_not_tardy_makes_its_receiver_late() -> None:
    """b does not wait, but its tag begins when a's message is there: c has it 1 ms later."""
    names = {"a": "1ms", "b": "1ms", "c": "1ms"}
    more = {"b": "maxwait: 0", "c": "maxwait: 1500us"}
    ways = [("a", "b"), ("b", "c")]
    found = judge(loads(text(names, ways, sources=["b", "c"], more=more)))
    assert [(c.need, c.outcome) for c in found.checks] == [
        (MS, "violated"),
        (2 * MS + 50 * US, "violated"),
    ]
    alone = judge(loads(text(names, ways, more=more)))
    assert [(c.need, c.outcome) for c in alone.checks] == [(MS, "alone"), (2 * MS, "alone")]
    assert [link.connection.name for link in found.checks[1].path] == [
        "a.out → b.from_a",
        "b.out → c.from_b",
    ]


def test_messages_of_two_microsteps_with_after_share_a_tag() -> None:
    """`later` gives the source a second microstep, and `after` takes it off: both messages get one
    tag, and the second is tardy however long the sink waits."""
    action = ("    timers: {tick: {period: 5ms}}\n",
              "    timers: {tick: {period: 5ms}}\n    actions: {later: }\n")  # fmt: skip
    again = ("effects: [out], wcet: 500us}",
             "effects: [out, later], wcet: 500us}\n"
             "      again: {triggers: [later], effects: [out], wcet: 500us}")  # fmt: skip
    after = ("to: sink.in}", "to: sink.in, after: 1ms}")
    for waits in ((), (with_maxwait("1 s"),), (with_maxwait("forever"),)):
        found = report(TWO_FEDERATES, action, again, after, *waits)
        assert "same-tag" in rules(found)
        assert found.verdict == "missed"
        assert [check.outcome for check in found.checks] == ["shared"] * len(waits)
    assert "same-tag" not in rules(report(TWO_FEDERATES, action, again))
    assert "same-tag" not in rules(report(TWO_FEDERATES, after))


def test_absent_after_helps_only_where_no_later_tag_comes_first() -> None:
    """maxwait + absent_after suffice for messages of the tag itself. The sink ticks each 5 ms with
    the source: its next tag is 5 ms later, and 4 ms missing are less. A tick 3 ms later is not."""
    wait = with_maxwait("0")
    absent = ("to: sink.in}", "to: sink.in, absent_after: 4 ms}")
    late = ("delay: 1ms", "delay: 3350us")  # 4 ms in all
    assert report(TWO_FEDERATES, wait, absent, late).checks[0].outcome == "spaced"
    later = ("{own: {period: 5ms}}", "{own: {period: 5ms, offset: 3ms}}")
    assert report(TWO_FEDERATES, wait, absent, late, later).checks[0].outcome == "violated"
    short = ("to: sink.in}", "to: sink.in, absent_after: 3999us}")
    assert report(TWO_FEDERATES, wait, short, late).checks[0].outcome == "violated"


def test_absent_after_counts_from_the_tag_of_the_message() -> None:
    """1.65 + 3.35 - 1 ms are needed, and `after` is not taken off: 4 ms are enough."""
    for absent, outcome in (("4 ms", "spaced"), ("3999us", "violated")):
        changes = (
            with_maxwait("0"),
            ("to: sink.in}", f"to: sink.in, absent_after: {absent}, after: 1ms}}"),
            ("delay: 1ms", "delay: 4350us"),
            ("own: {period: 5ms}", "own: {period: 5ms}, other: {period: 5ms, offset: 1ms}"),
        )
        (check,) = report(TWO_FEDERATES, *changes).checks
        assert (check.need, check.outcome) == (4 * MS, outcome)


def test_forever_is_no_wait_where_each_tag_surely_has_its_messages() -> None:
    sure = (("effects: [out], wcet", "effects: [out], always: true, wcet"),)
    found = report(TWO_FEDERATES, with_maxwait("forever"), *sure)
    assert (found.waits.values["sink"], found.verdict) == (1650 * US, "met")


def test_forever_with_a_sparse_sender_and_a_timer_never_ends() -> None:
    for changes in (
        (),  # the source may leave out its message
        (("effects: [out]", "effects: [out], always: true"), ("{own: {period: 5ms}}", "{own: {period: 4ms}}")),
        (("effects: [out]", "effects: [out], always: true"), ("to: sink.in}", "to: sink.in, after: 5ms}")),
    ):  # fmt: skip
        found = report(TWO_FEDERATES, with_maxwait("forever"), *changes)
        assert found.checks[0].outcome == "met"  # nothing is tardy, but
        assert (found.waits.values["sink"], found.verdict) == (None, "unbounded")
        assert rules(found) == ["endless-wait"]
        assert "nothing need come over source.out → sink.in" in found.findings[0].message


def test_who_follows_an_endless_wait_has_no_bound() -> None:
    names = {"a": "1ms", "b": "1ms", "c": "1ms"}
    more = {"b": "maxwait: forever", "c": "maxwait: 1s"}
    found = judge(loads(text(names, [("a", "b"), ("b", "c")], sources=["b", "c"], more=more)))
    (_, check) = found.checks
    assert (check.need, check.outcome) == (None, "unbounded")


def test_a_deadline_shorter_than_the_wait_is_an_error() -> None:
    found = report(TWO_FEDERATES, with_maxwait("11ms"))
    assert "deadline-below-wait" in rules(found)
    assert (found.starts[0].met, found.verdict) == (False, "missed")
    close = report(TWO_FEDERATES, with_maxwait("10ms"))
    assert (close.starts[0].latest, close.starts[0].met) == (10 * MS, True)


def test_a_start_counts_what_runs_before() -> None:
    first = "      first: {triggers: [own], wcet: 3ms}\n      consume:"
    found = report(TWO_FEDERATES, ("      consume:", first))
    assert found.starts[0].latest == 1650 * US + 3 * MS


def test_more_workers_than_cores_are_pointed_out() -> None:
    found = report(TWO_FEDERATES, ("    inputs: [in]\n", "    inputs: [in]\n    workers: 3\n"))
    assert rules(found) == ["more-workers-than-cores"]


def test_latency_of_a_chain() -> None:
    """1.65 ms wait, 0.2 ms to consume; `after` adds to the tag and is taken off the wait. Where that
    is 0, the runtime waits 50 us for absence."""
    chain = report(TWO_FEDERATES).chains["control"]
    assert (chain.latency, chain.met) == (1850 * US, True)
    for after, latency in (("1ms", 1850 * US), ("7ms", 7250 * US)):
        found = report(TWO_FEDERATES, ("to: sink.in}", f"to: sink.in, after: {after}}}"))
        assert found.chains["control"].latency == latency
    late = report(TWO_FEDERATES, ("latency: 10ms", "latency: 1849us"))
    assert (late.chains["control"].met, late.verdict) == (False, "missed")


def test_a_chain_over_a_loop_or_a_physical_connection_has_no_latency() -> None:
    found = report(
        TWO_FEDERATES, ("to: sink.in}", "to: sink.in, physical: true, min_spacing: 5ms}")
    )
    assert "gives a new tag" in str(found.chains["control"].because)
    loop = text(
        {"a": "1ms", "b": "1ms"},
        [("a", "b"), ("b", "a", "after: 100ms")],
        sources=["a"],
        chains="chains: {loop: {from: a.r, to: b.r}, none: {from: b.r, to: b.r}}\n",
    )
    chains = judge(loads(loop)).chains
    assert "round any number of times: a.r, b.r" in str(chains["loop"].because)


def test_what_a_program_of_two_federates_showed() -> None:
    """Seen with Lingua Franca v0.13: a source busy for 500 us each 5 ms, and a sink whose messages
    were tardy with 200 us (394 of 401), not with 2 ms (but for a source 2.5 ms late), not with
    forever, and not without any wait where `after` was 5 ms."""
    near = ("delay: 1ms", "delay: 100us")
    for wait, after, outcome in (
        ("200us", "0 ms", "violated"),
        ("2ms", "0 ms", "met"),
        ("forever", "0 ms", "met"),
        ("0", "5ms", "met"),
    ):
        later = ("to: sink.in}", f"to: sink.in, after: {after}}}")
        assert report(TWO_FEDERATES, near, with_maxwait(wait), later).checks[0].outcome == outcome
