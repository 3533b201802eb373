"""Rates, and δ that nobody has measured yet."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.checker import check
from ddsrta.models.arrivals import Periodic, Sporadic

TEXT = """\
ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {listener: {1kB: 2ms}, placeholder: true}
topics: {small: {size: 1kB}, large: {size: 1MB}}
listeners: {L: {core: m/b, priority: 9}}
threads:
  w: {core: m/a, priority: 5, wcet: 1us, period: 20ms, publishes: [{topic: small}, {topic: large}]}
  r: {core: m/b, priority: 5, wcet: 1us, subscribes: {topics: [small, large], listener: L}}
"""


def test_what_has_no_row_costs_the_placeholder_and_never_less_than_the_last_row() -> None:
    system = ddsrta.loads(TEXT)
    small, large = system.threads["w"].publishes
    assert system.sending_cost(small).worst == 303_000
    assert system.sending_cost(large).worst == 3_300_000
    reads = system.threads["r"].subscribes
    assert reads is not None
    assert system.listening_cost(reads, "small").worst == 2_000_000
    assert system.listening_cost(reads, "large").worst == 3_300_000
    slow = ddsrta.loads(TEXT.replace("{1kB: 2ms}", "{1kB: 9ms}"))
    assert slow.listening_cost(reads, "large").worst == 9_000_000


def test_a_result_says_that_it_rests_on_placeholders() -> None:
    result = ddsrta.analyze(ddsrta.loads(TEXT))
    said = {each.rule: each.message for each in result.assumptions}
    assert "nobody measured" in said["placeholder-delays"]
    assert result.check is not None and result.check.status == "confirmed"


def test_the_checker_does_not_take_placeholders_that_are_not_said_to_be_assumed() -> None:
    claims = dict(ddsrta.analyze(ddsrta.loads(TEXT)).certificate or {})
    claims["assumptions"] = [rule for rule in claims["assumptions"] if rule != "placeholder-delays"]
    assert "placeholder-delays" in str(check(claims).failure)


def test_where_all_is_measured_nothing_rests_on_placeholders() -> None:
    full = "{listener: {1MB: 2ms}, publisher: {1MB: 1ms}, placeholder: true}"
    result = ddsrta.analyze(
        ddsrta.loads(TEXT.replace("{listener: {1kB: 2ms}, placeholder: true}", full))
    )
    assert "placeholder-delays" not in {each.rule for each in result.assumptions}


def test_a_table_that_lacks_rows_is_one_error_however_many_topics_ask() -> None:
    with pytest.raises(ddsrta.InputError) as wrong:
        ddsrta.loads(TEXT.replace(", placeholder: true", ""))
    assert [each.message for each in wrong.value.diagnostics] == [
        "delays.publisher has no row for 1 MB or more (topics 'small', 'large')",
        "delays.listener has no row for 1 MB or more (topic 'large')",
    ]


@pytest.mark.parametrize(
    ("said", "arrival"),
    [
        ("period: 50 Hz", Periodic(20_000_000)),
        ("period: 2.5kHz", Periodic(400_000)),
        ("period: 30Hz", Periodic(33_333_333, rounded=True)),
        (
            "arrival: {period: 0.3 Hz, jitter: 1ms}",
            Periodic(3_333_333_333, 1_000_000, rounded=True),
        ),
        ("arrival: {sporadic: 30 Hz}", Sporadic(33_333_333)),
    ],
)
def test_a_rate_is_the_period_of_whole_nanoseconds_that_is_no_longer(said, arrival) -> None:
    system = ddsrta.loads(TEXT.replace("period: 20ms", said))
    assert system.threads["w"].arrival == arrival
    result = ddsrta.analyze(system)
    assert result.check is not None and result.check.status == "confirmed"
    rests = "rounded-rates" in {each.rule for each in result.assumptions}
    assert rests == getattr(arrival, "rounded", False)


def test_the_checker_does_not_take_a_rounded_rate_that_is_not_said_to_be_assumed() -> None:
    system = ddsrta.loads(TEXT.replace("period: 20ms", "period: 30 Hz"))
    claims = dict(ddsrta.analyze(system).certificate or {})
    claims["assumptions"] = [rule for rule in claims["assumptions"] if rule != "rounded-rates"]
    assert "rounded-rates" in str(check(claims).failure)


@pytest.mark.parametrize("rate", ["0 Hz", "2000000 kHz", "0.0000001 Hz", "-5 Hz", "5 hz", "30 fps"])
def test_a_rate_that_makes_no_period_is_refused_by_both_readers(rate) -> None:
    from ddsrta.checker.reading import CertificateError
    from ddsrta.checker.yaml.document import read_document

    text = TEXT.replace("period: 20ms", f"period: {rate}")
    with pytest.raises(ddsrta.InputError):
        ddsrta.loads(text)
    with pytest.raises(CertificateError):
        read_document(text, "t.yaml")
