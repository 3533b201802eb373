"""What an evaluator says of a candidate is what `analyze` says of it."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.examples import two_threads
from ddsrta.exploration.evaluation import Evaluator, Measure, Refused

MEASURES = (
    Measure("latency", "control loop"),
    Measure("ddl", "sensor → speed → control"),
    Measure("wcrt", "sensor"),
    Measure("backlog", "F"),
    Measure("verdict", "met"),
)


def test_all_kinds_of_measures() -> None:
    result = ddsrta.analyze(two_threads(), check=False)
    with Evaluator(two_threads(), [("threads", "sensor", "wcet")], MEASURES) as evaluate:
        (same,) = evaluate([["1ms"]])
    assert same == (
        result.chains["control loop"].latency,
        result.messages[0].ddl,
        result.threads["sensor"].wcrt,
        result.queues["F"].backlog,
        1,
    )


@pytest.mark.parametrize("value", ["-1ms", "soon", "1kB"])
def test_what_cannot_be_is_refused(value: str) -> None:
    with Evaluator(two_threads(), [("threads", "sensor", "wcet")], MEASURES) as evaluate:
        first, refused, last = evaluate([["1ms"], [value], ["1ms"]])
    assert isinstance(refused, Refused) and refused.reason
    assert first == last and not isinstance(first, Refused)


def test_what_no_result_has_is_told_at_once() -> None:
    with pytest.raises(LookupError):
        Evaluator(two_threads(), [], [Measure("latency", "nowhere")])
    with pytest.raises(LookupError):
        Evaluator(two_threads(), [], [Measure("beauty", "control loop")])
