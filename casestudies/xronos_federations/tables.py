"""The tables: which offsets keep the order, and what aligns trajectories with motions."""

from __future__ import annotations

from collections.abc import Mapping

from casestudies.analyses import FOLDER, in_exact_ms, in_ms
from casestudies.statements import table
from ddsrta.lf.bounds.offsets.judge import Report, judge
from ddsrta.lf.bounds.offsets.whatif import what_if
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.reader import loads

STUDY = "xronos_federations"
MS = 10**6
SAFE = "never tardy"
# Periods of a sequence, and what the paper observed with decentralized coordination (III A, VII).
PERIODS = {
    "100 us": "no wrong order, with an offset of seconds",
    "1 ms": "none wrong, with an offset of 5 ms",
    "10 ms": "none wrong, with an offset of 5 ms",
    "30 ms": "none wrong, with an offset of 5 ms",
    "100 ms": "none wrong, with an offset of 5 ms",
}


def varied(name: str, changes: Mapping[str, str]) -> Federation:
    """A federation of this study, with some of its text replaced."""
    file = FOLDER / STUDY / f"{name}.yaml"
    text = file.read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return loads(text, str(file))


def ordered(period: str = "1ms", maxwait: str = "5ms") -> Report:
    """The gear and the motion with another period or another wait."""
    changes = {"period: 1ms": f"period: {period}", "maxwait: 5ms": f"maxwait: {maxwait}"}
    return judge(varied("order", changes))


def aligned(after: str = "") -> Federation:
    """The trajectory and the motion, with an `after` on what the planner sends."""
    old = "to: controller.trajectory, "
    return varied("alignment", {old: f"{old}after: {after}, " if after else old})


def least_after() -> int:
    """What `ddsrta lf stp --latency control=10ms` says is missing."""
    federation = aligned()
    answer = what_if(federation, federation.chains["control"], 10 * MS)
    (more,) = answer.more.values()
    return more


def _orders() -> str:
    rows = []
    for period, seen in PERIODS.items():
        report = ordered(period.replace(" ", ""))
        offset = report.offsets.offsets["behavior_planner"]
        rows.append([period, in_ms(offset.value), outcome(report), offset.because or "–", seen])
    head = ["period", "least offset, ms", "with 5 ms", "because", "the paper saw"]
    return table(head, rows)


def outcome(report: Report) -> str:
    """What can happen to the messages of the interface."""
    outcomes = {check.outcome for check in report.checks}
    return SAFE if outcomes == {"met"} else "can be tardy"


def _waits() -> str:
    least = ordered().offsets.offsets["behavior_planner"].value
    assert least is not None
    rows = []
    choices = {"none": 0, "1 ns less": least - 1, "the least": least, "the paper's": 5 * MS}
    for name, wait in choices.items():
        report = ordered(maxwait=f"{wait}ns")
        handled = report.chains["stop"].latency
        messages = outcome(report)
        rows.append(
            [name, in_exact_ms(wait), messages, in_ms(handled) if messages == SAFE else "–"]
        )
    return table(
        ["offset of the planner", "ms", "messages", "last motion handled within, ms"], rows
    )


def _alignment() -> str:
    choices = {
        "as it is": 0,
        "the least `after`": least_after(),
        "`after` of three motions": 99_999_999,
    }
    rows = []
    for name, after in choices.items():
        report = judge(aligned(f"{after}ns" if after else ""))
        offset = report.offsets.offsets["controller"].value
        latency = report.chains["control"]
        verdict = "met" if latency.met else "missed"
        rows.append([name, in_exact_ms(after), in_ms(offset), in_ms(latency.latency), verdict])
    head = ["connection of the planner", "`after`, ms", "offset of the controller, ms"]
    return table([*head, "motion handled within, ms", "10 ms"], rows)


TABLES = {"orders": _orders, "waits": _waits, "alignment": _alignment}
