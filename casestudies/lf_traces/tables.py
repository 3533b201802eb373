"""The tables: observed lags beside the formula, fed with the same percentile of its terms."""

from __future__ import annotations

from functools import cache

from casestudies.analyses import in_ms, in_us
from casestudies.lf_traces.feeding import LARGEST, decentralized, formula, seen
from casestudies.lf_traces.programs import CENTRALIZED, ENCLAVES, WAITS, enclaves, run
from casestudies.statements import table
from ddsrta.base.units import parse_duration
from ddsrta.lf.bounds.enclaves.judge import judge_enclaves
from ddsrta.lf.bounds.offsets.judge import Report, judge

PERCENTS = (50, 99, LARGEST)


@cache
def formulas(program: str, percent: int) -> dict[str, int | None]:
    """The formula of each federate, fed with a percentile of every term."""
    return formula(program, run(program), percent)


def above(program: str, federate: str, percent: int) -> list[tuple[int, int]]:
    """The tags that began later than the formula says: their times and their lags."""
    most = formulas(program, percent)[federate]
    if most is None:
        return []
    tags = run(program).federates[federate].by_tag
    return [(time, lag) for time, _, lag in tags if lag > most]


def _lags() -> str:
    rows = []
    for program in CENTRALIZED:
        for name, federate in run(program).federates.items():
            figures = [in_us(seen(federate.lags, percent)) for percent in PERCENTS]
            bounds = [in_us(formulas(program, percent)[name]) for percent in PERCENTS]
            pairs = [f"{figure} / {bound}" for figure, bound in zip(figures, bounds, strict=True)]
            counts = [str(len(above(program, name, percent))) for percent in (99, LARGEST)]
            rows.append([program, name, *pairs, *counts, str(len(federate.by_tag))])
    head = ["program", "federate", "median", "99th percentile", "largest"]
    return table([*head, "above the 99th", "above the largest", "tags"], rows)


def _late() -> str:
    rows = []
    for program, connections in CENTRALIZED.items():
        for name in run(program).federates:
            late = above(program, name, 99)
            if not late:
                continue
            time, lag = max(late, key=lambda tag: tag[1])
            bound = formulas(program, 99)[name]
            because = _because(program, name, time, connections)
            rows.append([program, name, str(time // 1000), in_us(lag), in_us(bound), because])
    return table(["program", "federate", "tag, us", "lag, us", "formula, us", "because"], rows)


def _because(program: str, name: str, time: int, connections: tuple[str, ...]) -> str:
    """The one upstream that was late at the tag itself, or nobody."""
    for connection in connections:
        ends, _, after = connection.partition(" after: ")
        source, target = (end.partition(".")[0] for end in ends.split(" → "))
        if target != name:
            continue
        earlier = time - (parse_duration(after) if after else 0)
        lag = dict(above(program, source, 99)).get(earlier)
        if lag is not None:
            return f"{source} was {in_us(lag)} us late"
    if all(f".{name}" not in f".{connection.split(' → ')[1]}" for connection in connections):
        return "it waits for nobody: the machine"
    return "between them, or its own waking: the machine"


@cache
def fed(percent: int) -> Report:
    """What the decentralized program would need."""
    return judge(decentralized(run("Dec"), percent))


def _tardy() -> str:
    rows = []
    for number, (name, wait) in enumerate(WAITS.items()):
        needed = [in_us(fed(percent).offsets.offsets[name].value) for percent in PERCENTS]
        enough = [fed(percent).checks[number].outcome == "met" for percent in PERCENTS]
        words = ["enough" if verdict else "too little" for verdict in enough]
        pairs = [f"{figure}: {word}" for figure, word in zip(needed, words, strict=True)]
        federate = run("Dec").federates[name]
        messages = federate.counts["receive_P2P_TAGGED_MSG"]
        rows.append([name, wait, *pairs, f"{federate.tardy} of {messages}"])
    return table(["federate", "`maxwait`", "median", "99th percentile", "largest", "tardy"], rows)


def _enclaves() -> str:
    rows = []
    for program, what in ENCLAVES.items():
        (lags,) = [
            reaction.lags
            for (reactor, number), reaction in run(program).federates["main"].reactions.items()
            if (reactor, number) == ("f", 0)
        ]
        figures = [in_ms(seen(lags, percent)) for percent in PERCENTS]
        found = judge_enclaves(enclaves(program)).rows
        (fast,) = [row for row in found if row.name in ("main.f", "main")]
        rows.append([program, what, *figures, in_ms(fast.done)])
    head = ["program", "", "median, ms", "99th percentile, ms", "largest, ms", "bound, ms"]
    return table(head, rows)


TABLES = {"lags": _lags, "late": _late, "tardy": _tardy, "enclaves": _enclaves}
