"""A campaign as a page of Markdown."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass

import ddsrta_kernel
import ddsrta_simulator
from tests.soundness.attack import MOST_EVENTS
from tests.soundness.batch import MODEST
from tests.soundness.generator import MOST_PATHS
from tests.soundness.tally import Tally, quantile, reached


@dataclass(frozen=True)
class Campaign:
    """A finished campaign."""

    facts: dict  # the plan
    tally: Tally
    wall: float  # seconds
    jobs: int


def table(head, rows) -> str:
    """A Markdown table; all columns but the first to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(map(str, cells)) + " |" for cells in lines)


def written(text: str, section: str, new: str) -> str:
    """A page with what is between the marks of a section replaced."""
    begin, end = f"<!-- {section} -->", f"<!-- end of {section} -->"
    if begin not in text or end not in text:
        raise ValueError(f"no {begin} … {end} in the page")
    before, rest = text.split(begin, 1)
    return f"{before}{begin}\n{new.strip()}\n{end}{rest.split(end, 1)[1]}"


def summary(done: Campaign) -> str:
    """What was attacked, what fell, and how tight the rest is."""
    return "\n\n".join([_facts(done), _violations(done.tally), tightness(done.tally)]) + "\n"


def _facts(done):
    tally, facts = done.tally, done.facts
    last = facts["first"] + facts["systems"] - 1
    rows = [
        ["systems", f"{tally.systems:,}"],
        ["seeds", f"{facts['first']} … {last}" + (f", {facts['kind']}" if facts["kind"] else "")],
        ["profile", f"`{facts['profile']}`"],
        ["runs", f"{tally.runs:,}"],
        ["messages delivered", f"{tally.messages:,}"],
        ["events", f"{tally.events:,}"],
        ["bounds compared", f"{tally.compared:,}"],
        ["bounds of what no run came to", f"{tally.unseen:,}"],
        ["unbounded", f"{tally.unbounded:,}"],
        [f"systems capped at {MOST_EVENTS:,} events", f"{tally.capped:,}"],
        [f"systems with more than {MOST_PATHS} paths, the rest left out", f"{tally.cut:,}"],
        ["**violations**", f"**{len(tally.violations):,}**"],
        ["wall time", f"{done.wall / 60:.1f} min, {done.jobs} processes"],
        ["processor time a system", f"{1000 * tally.seconds / max(1, tally.systems):.1f} ms"],
        ["slowest system", _slowest(tally)],
        ["analysis", f"`{facts['analysis']}` (digest of analysis and kernel)"],
        ["machine", machine()],
    ]
    return table(["campaign", ""], rows)


def _slowest(tally):
    if not tally.slowest:
        return "none"
    seconds, seed = tally.slowest[0]
    return f"{seconds:.1f} s, seed {seed:.0f}"


def machine() -> str:
    """Where it ran."""
    compiled = ddsrta_kernel.COMPILED and ddsrta_simulator.COMPILED
    return (
        f"Python {platform.python_version()}, {os.cpu_count()} processors, {platform.system()} "
        f"{platform.machine()}, {'compiled' if compiled else 'in plain Python'}"
    )


def _violations(tally):
    if not tally.violations:
        return "No run was worse than its bound."
    rows = [
        [v["seed"], v["kind"], f"`{v['of']}`", v["seen"], v["bound"], v["file"] or ""]
        for v in sorted(tally.violations, key=lambda v: (v["seed"], v["kind"]))[:50]
    ]
    return table(["seed", "what", "of", "seen", "bound", "shrunk"], rows)


def tightness(tally: Tally) -> str:
    """Bound / worst run of each kind."""
    rows = [
        [kind, f"{sum(counts.values()):,}", f"{quantile(counts, 0.5):.2f}",
         f"{quantile(counts, 0.9):.2f}", f"{reached(counts):.0%}"]
        for kind, counts in sorted(tally.ratios.items())
    ]  # fmt: skip
    head = ["bound / worst run", "bounds", "median", "p90", "reached"]
    return f"Systems with a load of at most {MODEST:.0%}:\n\n" + table(head, rows)
