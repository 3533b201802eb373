"""Results made by hand: one in time, one late, one unbounded, one with hostile names."""

from __future__ import annotations

from ddsrta.base.diagnostics import Position
from ddsrta.base.units import Duration
from ddsrta.bounds.result import (
    CallbackResult,
    ChainResult,
    CoreResult,
    Finding,
    HopResult,
    MessageResult,
    QueueResult,
    Result,
    ThreadResult,
)

HOSTILE = "<b onmouseover=\"x('&')\">\x1b[31m\n::error::\u202e]]>%"


def ns(value: int | None) -> Duration | None:
    return None if value is None else Duration(value)


def chain(latency: int | None, deadline: int | None = None, **changes) -> ChainResult:
    constraint = changes.get("constraint", "latency")
    figure = changes.get(constraint, latency)
    if deadline is None:
        met = slack = None
    else:
        met = figure is not None and figure <= deadline
        slack = None if figure is None else deadline - figure
    fields = {
        "path": ("P", "theta1", "S"),
        "latency": ns(latency),
        "trigger_latency": ns(latency),
        "data_age": None,
        "reaction_time": None,
        "constraint": "latency",
        "deadline": ns(deadline),
        "met": met,
        "slack": ns(slack),
        "unbounded_because": None if figure is not None else "core ecu1/c0 is overloaded",
    }
    return ChainResult(**{**fields, **changes})


def message(ddl: int | None = 2_204_000, **changes) -> MessageResult:
    fields = {
        "publisher": "P",
        "topic": "theta1",
        "subscriber": "S",
        "mode": "async",
        "ddl": ns(ddl),
        "publisher_wcrt": None,
        "flow_controller": ns(187_000),
        "network": Duration(0),
        "listener": ns(2_017_000),
        "unbounded_because": None if ddl is not None else "core ecu1/c0 is overloaded",
    }
    return MessageResult(**{**fields, **changes})


def result(**changes) -> Result:
    fields = {
        "system": "three topics",
        "profile": "busy-window",
        "verdict": "met",
        "threads": {"P": ThreadResult(Duration(1_372_000), "ecu1/c0")},
        "messages": (message(),),
        "chains": {"control": chain(5_000_000, 20_000_000)},
        "cores": {"ecu1/c0": CoreResult(0.593)},
        "queues": {"F1": QueueResult(3)},
        "warnings": (),
    }
    return Result(**{**fields, **changes})


def late() -> Result:
    """One of three deadlines missed, with findings of every severity."""
    return result(
        verdict="missed",
        chains={
            "control": chain(5_000_001, 20_000_000),
            "steer": chain(25_000_000, 20_000_000, path=("P", "theta2", "T")),
            "age": chain(
                None,
                30_000_000,
                constraint="data_age",
                data_age=Duration(29_999_999),
                reaction_time=Duration(31_000_000),
                unbounded_because=None,
            ),
            "free": chain(1_000_000, hops=(HopResult("job P", "ecu1/c0", ns(7), ns(9)),)),
        },
        queues={"F1": QueueResult(3, 2, {"P/theta1": 3}), "L1": QueueResult(2, 8)},
        warnings=(
            Finding("queue-overflow", "error", "F1 may overflow", Position("s.yaml", 12, 3)),
            Finding("history", "warning", "theta1 keeps fewer samples", Position("s.yaml", 7, 1)),
            Finding("unused", "note", "topic theta9 is never used"),
        ),
    )


def overloaded() -> Result:
    """A deadline without a bound."""
    return result(
        verdict="unbounded",
        threads={"P": ThreadResult(None, "ecu1/c0", "core ecu1/c0 is overloaded")},
        messages=(message(None, flow_controller=None),),
        chains={
            "control": chain(None, 20_000_000, hops=(HopResult("job P", "ecu1/c0", None, None),)),
            "other": chain(3_000_000, 4_000_000),
        },
        cores={"ecu1/c0": CoreResult(1.2)},
        queues={"F1": QueueResult(None, 4)},
    )


def hostile() -> Result:
    """Names that try to break out of whatever they are shown in."""
    return result(
        system=HOSTILE,
        verdict="missed",
        threads={HOSTILE: ThreadResult(Duration(1), HOSTILE)},
        callbacks={HOSTILE: CallbackResult(Duration(1), HOSTILE, HOSTILE, "rounds")},
        messages=(message(publisher=HOSTILE, topic=HOSTILE, subscriber=HOSTILE),),
        chains={HOSTILE: chain(5, 4, path=(HOSTILE, HOSTILE, HOSTILE))},
        cores={HOSTILE: CoreResult(0.5)},
        queues={HOSTILE: QueueResult(1, 1, {HOSTILE: 1})},
        warnings=(Finding(HOSTILE, "error", HOSTILE, Position(f"a,b:{HOSTILE}.yaml", 1, 2)),),
    )
