"""Messages that jobs may leave out (lemma thinned-stream, note left-out): known answers by hand."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.base.diagnostics import InputError
from ddsrta.bounds.solve import solve
from ddsrta.simulation import Run, program_of
from ddsrta.simulation.choices import worst_choices

TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b, c, f]}}
topics: {x: {size: 1B}, y: {size: 1B}, z: {size: 1B}}
flow_controllers: {F: {core: m/f, priority: 9}}
listeners: {L: {core: m/b, priority: 80}}
threads:
  source: {core: m/a, priority: 5, wcet: 10ns, period: 100ns, publishes: [{topic: x, delay: 5ns, jobs: 1 of 3}]}
  reader: {core: m/b, priority: 5, wcet: 40ns, subscribes: {topics: [x], listener: L, delay: 1ns}}
  low: {core: m/b, priority: 4, wcet: 70ns, period: 1us}
"""
PART = "jobs: 1 of 3"


def analyzed(text):
    result = ddsrta.analyze(ddsrta.loads(text))
    assert (result.check.status, result.check.without) == ("confirmed", ())
    return result


@pytest.mark.parametrize(
    ("jobs", "low"), [("1 of 3", 111), ("2 of 3", 152), ("1 of 1", 152), ("1 of 2", 111)]
)
def test_what_is_less_urgent_is_preempted_as_often_as_messages_come(jobs, low):
    text = TEXT.replace("1 of 3", jobs)
    assert analyzed(text).threads["low"].wcrt == low
    program = program_of(ddsrta.loads(text))
    run = Run(program, worst_choices(program))
    run.advance(100_000)
    (number,) = (
        i for i, each in enumerate(program.measures) if each == ("response", ("job", "low"))
    )
    assert 111 <= run.worst[number] <= low


def test_the_least_distances_of_what_comes_are_those_of_the_jobs_that_may_send():
    solution = solve(ddsrta.loads(TEXT.replace("1 of 3", "2 of 5")))
    counts = [solution.count(("job", "reader"), length) for length in (50, 150, 450, 550, 1000)]
    assert counts == [1, 2, 2, 3, 5]  # of 1, 2, 5, 6 and 11 jobs


def test_a_filter_behind_a_filter_multiplies():
    text = TEXT.replace(
        "L, delay: 1ns}}", "L, delay: 1ns}, publishes: [{topic: y, delay: 1ns, jobs: 1 of 2}]}"
    )
    text += "  last: {core: m/c, priority: 5, wcet: 1ns, subscribes: {topics: [y], listener: L, delay: 1ns}}\n"
    solution = solve(ddsrta.loads(text))
    assert [solution.count(("job", "last"), length) for length in (500, 600, 1300)] == [1, 2, 3]


def test_what_may_be_left_out_makes_no_job_longer_at_the_least():
    text = TEXT.replace(PART, f"earliest: 10ns, {PART}").replace(
        "jobs: 1 of 3}]", "jobs: 1 of 3}, {topic: z, delay: 3ns}]"
    )
    text += "  last: {core: m/c, priority: 5, wcet: 1ns, subscribes: {topics: [z], listener: L, delay: 1ns}}\n"
    solution = solve(ddsrta.loads(text))
    stages, number = solution.compiled.stages, solution.number(("message", "source", "z", "last"))
    assert stages[number].inputs[0].least < 10  # not behind 'earliest' of x, nor its sending
    assert solution.response(("job", "source")) == 18  # though that may take its time


def test_nothing_bounds_when_the_next_one_comes():
    chains = "chains: {r: {path: [source, x, reader], constraint: reaction_time, deadline: 1s}}\n"
    chain = analyzed(TEXT + chains).chains["r"]
    assert chain.reaction_time is None and chain.latency == 56
    assert (
        chain.unbounded_because.partition(";")[0]
        == "nothing bounds how many jobs of source in a row leave 'x' out"
    )
    register = TEXT.replace("wcet: 40ns,", "wcet: 40ns, period: 200ns,") + chains
    assert analyzed(register).chains["r"].data_age is None
    behind = register.replace("[source, x, reader]", "[low]").replace("reaction_time", "data_age")
    assert analyzed(behind).chains["r"].data_age is not None


AND = """
  other: {core: m/a, priority: 4, wcet: 1ns, period: 100ns, publishes: [{topic: y, delay: 1ns}]}
  both: {core: m/c, priority: 5, wcet: 1ns, subscribes: {topics: [x, y], listener: L, delay: 1ns, activation: and}}
"""


@pytest.mark.parametrize("more", ["", ", synchronize: latest", ", synchronize: approximate_time"])
def test_numbers_do_not_match_behind_what_is_left_out(more):
    with pytest.raises(InputError, match="waits for one of each, and jobs may leave out"):
        ddsrta.loads(TEXT + AND.replace("activation: and", f"activation: and{more}"))


def test_what_all_inputs_lack_alike_still_matches():
    text = TEXT.replace(
        "wcet: 40ns,", "wcet: 40ns, publishes: [{topic: y, delay: 1ns}, {topic: z, delay: 1ns}],"
    )
    both = AND.splitlines()[2].replace("[x, y]", "[y, z]")
    text += both + "\nchains: {c: {path: [source, x, reader, y, both]}}\n"
    assert analyzed(text).chains["c"].latency is not None


def test_orders_of_what_is_left_out_are_refused():
    two = TEXT.replace("jobs: 1 of 3}]", "jobs: 1 of 3}, {topic: y, delay: 5ns}]").replace(
        "[x]", "[x, y]"
    )
    with pytest.raises(InputError, match="may leave out are not modelled"):
        ddsrta.loads(two + "orders: {o: {subscriber: reader, topics: [x, y]}}\n")


@pytest.mark.parametrize(
    "said", ["0 of 3", "3 of 2", "1 of 3 jobs", "1", "-1 of 2", "1 of 1000001"]
)
def test_only_so_many_of_so_many_can_be_said(said):
    with pytest.raises(InputError, match="expected so many of so many jobs"):
        ddsrta.loads(TEXT.replace("1 of 3", said))


CHOOSE = TEXT.replace(
    "delay: 5ns, jobs: 1 of 3}", "delay: 5ns, one_of: g}, {topic: y, delay: 3ns, one_of: g}"
)
LAST = "  last: {core: m/c, priority: 5, wcet: 1ns, subscribes: {topics: [y], listener: L, delay: 1ns}}\n"


def test_of_alternatives_the_dearest_counts():
    result = analyzed(CHOOSE + LAST)
    assert result.threads["source"].wcrt == 15
    assert {m.topic: m.sent for m in result.messages} == {"x": 15, "y": 13}


def test_what_comes_behind_alternatives_is_behind_the_dearest():
    text = CHOOSE.replace("one_of: g}]", "one_of: g}, {topic: z, delay: 4ns}]") + LAST.replace(
        "[y]", "[y, z]"
    )
    result = analyzed(text)
    assert result.threads["source"].wcrt == 19
    assert {m.topic: m.sent for m in result.messages} == {"x": 15, "y": 13, "z": 19}


def test_alternatives_stand_together():
    text = CHOOSE.replace("{topic: y", "{topic: z, delay: 1ns}, {topic: y")
    with pytest.raises(InputError, match="do not stand one after the other"):
        ddsrta.loads(text)


def test_a_filter_keeps_what_it_lets_through_apart():
    text = TEXT.replace(PART, "min_separation: 350ns")
    assert analyzed(text).threads["low"].wcrt == 111
    solution = solve(ddsrta.loads(text))
    counts = [solution.count(("job", "reader"), length) for length in (1, 350, 360, 700, 710)]
    assert counts == [1, 1, 2, 2, 3]


def test_a_filter_takes_an_overload_away():
    text = TEXT.replace("wcet: 40ns", "wcet: 150ns").replace("  low:", "  #")
    assert analyzed(text.replace(PART, "jobs: 1 of 1")).threads["reader"].wcrt is None
    assert analyzed(text.replace(PART, "min_separation: 200ns")).threads["reader"].wcrt == 150


def test_several_messages_of_a_job_are_not_kept_apart():
    with pytest.raises(InputError, match="several messages of a job leave together"):
        ddsrta.loads(TEXT.replace(PART, "min_separation: 200ns, count: 2"))
