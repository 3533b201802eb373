"""The tables of the three topics, and the paper's statements about them as code."""

from __future__ import annotations

from casestudies.analyses import analysed, in_us, message, profiles
from casestudies.statements import Statement, ordered, statement_table, table

STUDY = "three_topics"
TOPICS = ("theta1", "theta2", "theta3")
FIFO, HIGH_PRIORITY, ROUND_ROBIN, SYNC = (
    "conf1_fifo",
    "conf2_high_priority",
    "conf3_round_robin",
    "conf4_sync",
)
ASYNC = (FIFO, HIGH_PRIORITY, ROUND_ROBIN)
SAFE = "conf1_safe"
PRINTED_FIFO_BOUND = 5_446_000  # the only bound that the paper prints


def ddls(configuration: str, profile: str) -> list[int]:
    """The delivery bounds of the three topics, the most urgent first."""
    result = analysed(STUDY, configuration, profile)
    return [ordered(message(result, topic).ddl) for topic in TOPICS]


def latencies(configuration: str, profile: str) -> list[int]:
    """The end-to-end bounds of the three chains."""
    chains = analysed(STUDY, configuration, profile).chains
    return [ordered(chains[topic].latency) for topic in TOPICS]


def _shown(bounds: list[int]) -> str:
    return " / ".join(in_us(bound) for bound in bounds)


def _lowest_async(bounds_of: object, profile: str) -> list[int]:
    return [min(column) for column in zip(*(bounds_of(c, profile) for c in ASYNC), strict=True)]


def _below(left: list[int], right: list[int]) -> bool:
    return all(a < b for a, b in zip(left, right, strict=True))


def _favours_urgent(bounds: list[int]) -> bool:
    return bounds[0] < bounds[1] < bounds[2]


STATEMENTS = (
    Statement(
        "one FIFO bound",
        "FIFO: one bound for all topics",
        lambda profile: _shown(ddls(FIFO, profile)),
        lambda profile: len(set(ddls(FIFO, profile))) == 1,
    ),
    Statement(
        "5446",
        "FIFO: that bound is 5446 µs",
        lambda profile: _shown(ddls(FIFO, profile)[:1]),
        lambda profile: ddls(FIFO, profile)[0] == PRINTED_FIFO_BOUND,
    ),
    Statement(
        "high priority orders",
        "HIGH_PRIORITY: the more urgent the topic, the lower its bound",
        lambda profile: _shown(ddls(HIGH_PRIORITY, profile)),
        lambda profile: _favours_urgent(ddls(HIGH_PRIORITY, profile)),
    ),
    Statement(
        "high priority ends at FIFO",
        "HIGH_PRIORITY: the least urgent topic has the bound of FIFO",
        lambda profile: in_us(ddls(HIGH_PRIORITY, profile)[2]),
        lambda profile: ddls(HIGH_PRIORITY, profile)[2] == ddls(FIFO, profile)[2],
    ),
    Statement(
        "round robin favours",
        "ROUND_ROBIN: more urgent topics have lower bounds",
        lambda profile: _shown(ddls(ROUND_ROBIN, profile)),
        lambda profile: _favours_urgent(ddls(ROUND_ROBIN, profile)),
    ),
    Statement(
        "sync below async",
        "synchronous: bounds smaller than those of every asynchronous policy",
        lambda profile: _shown(ddls(SYNC, profile)),
        lambda profile: _below(ddls(SYNC, profile), _lowest_async(ddls, profile)),
    ),
    Statement(
        "sync end to end",
        "6.3 reads 6.2 as: end to end, synchronous is never above asynchronous",
        lambda profile: (
            f"{_shown(latencies(SYNC, profile))}; lowest asynchronous "
            f"{_shown(_lowest_async(latencies, profile))}"
        ),
        lambda profile: all(
            a <= b
            for a, b in zip(
                latencies(SYNC, profile), _lowest_async(latencies, profile), strict=True
            )
        ),
    ),
    Statement(
        "measured",
        "measured latencies are below the bounds, by 5.2 to 14.5 %",
        lambda _: "–",
        lambda _: None,
    ),
)


def _bounds() -> str:
    rows = []
    for configuration in (*ASYNC, SYNC, SAFE):
        for profile in profiles():
            result = analysed(STUDY, configuration, profile)
            parts = message(result, "theta1")
            rows.append(
                [
                    configuration,
                    f"`{profile}`",
                    *map(in_us, ddls(configuration, profile)),
                    in_us(result.threads["publisher"].wcrt),
                    "–" if configuration == SYNC else in_us(parts.flow_controller),
                    in_us(parts.listener),
                    in_us(max(latencies(configuration, profile))),
                ]
            )
    head = ["system", "profile", "DDL θ1", "DDL θ2", "DDL θ3", "publisher"]
    return table([*head, "controller (θ1)", "listener (θ1)", "end to end (largest)"], rows)


TABLES = {
    "bounds": _bounds,
    "statements": lambda: statement_table("the paper", STATEMENTS, profiles()),
}
