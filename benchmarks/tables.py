"""The figures as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

PEERS = {
    "plain": "ddsrta, plain busy windows",
    "kernel": "ddsrta, all refinements",
    "interpreted": "interpreted, plain busy windows",
    "rust": "response-time-analysis 0.3.2 (Rust)",
    "rust_local": "the same, adding up local response times",
    "pyrta": "pyRTA (Python)",
}


# Table 5 of the base paper, on its machine: quoted, not measured here. Chains: Cython, Python.
PAPER_SECONDS = {
    5: (0.89, 7.12),
    6: (0.94, 8.46),
    10: (1.08, 8.64),
    15: (1.24, 11.16),
    21: (1.46, 11.68),
    24: (1.58, 14.22),
}


LARGE = {"hops": "in one chain", "pairs": "in pairs", "fan": "behind one publisher"}
SHAPES = {"": "", "apart": "apart", "chain": "in one chain"}  # of the systems that are checked


def milliseconds(time: int) -> str:
    """Three significant digits."""
    return f"{time / 1e6:.3g} ms" if time < 1e9 else f"{time / 1e9:.3g} s"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, the columns aligned."""
    rows = [head, *rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def report(found: dict[str, Any]) -> str:
    """All tables, with a line for everything that was left out."""
    return "\n\n".join(
        [
            f"{found['machine']}.",
            *_peers(found["peers"]),
            "With all refinements:",
            _sizes(found["sizes"]),
            "Plain busy windows:",
            _sizes(found["plain"]),
            *_reference(found["reference"]),
            _candidates(found["candidates"]),
            *_simulator(found["simulator"]),
            _checking(found["checking"]),
            _large(found["large"]),
            _cold(found["cold"]),
        ]
    )


def _peers(found: dict[str, Any]) -> list[str]:
    rows = []
    for key, name in PEERS.items():
        if f"{key}_ns" in found:
            time = found[f"{key}_ns"]
            ratio = f"{time / found['plain_ns']:.3g}"
            windows = f"{found[f'{key}_windows']:,}"
            rows.append([name, milliseconds(time), ratio, windows, _bounds(found, key)])
    head = [f"Analysis of {found['tasks']:,} tasks", "time", "ratio", "windows", "bounds"]
    texts = [table(head, rows)]
    if not found["compiled"]:
        texts.append("The kernel was not compiled: what is called so above is interpreted.")
    for name, reason in found["missing"].items():
        texts.append(f"Left out: {PEERS[name]}; {reason}.")
    return texts


def _bounds(found: dict[str, Any], key: str) -> str:
    if key == "plain":
        return ""
    if f"{key}_equal" in found:
        return "the same" if found[f"{key}_equal"] else "DIFFERENT"
    return f"{found[f'{key}_above']} higher, {found[f'{key}_below']} lower"


def _sizes(found: list[dict[str, Any]]) -> str:
    rows = []
    for one in found:
        tasks = one["tasks"]
        rows.append(
            [
                f"{tasks:,}",
                milliseconds(one["solve_ns"]),
                f"{one['solve_ns'] / tasks:.0f} ns",
                f"{one['compile_ns'] / tasks / 1000:.1f} us",
                f"{one['windows'] / tasks:.2f}",
                f"{one['peak_bytes'] / 2**20:.0f} MiB",
            ]
        )
    head = ["tasks", "solve", "a task", "compile, a task", "windows, a task", "peak memory"]
    return table(head, rows)


def _reference(found: dict[str, Any]) -> list[str]:
    """The configurations, with what the paper says that its own analysis takes."""
    rows = []
    pairs = zip(
        found["kernel"]["configurations"], found["interpreted"]["configurations"], strict=True
    )
    for kernel, slow in pairs:
        rows.append(
            [
                str(kernel["chains"]),
                str(kernel["entities"]),
                milliseconds(kernel["solve_ns"]),
                milliseconds(slow["solve_ns"]),
                milliseconds(kernel["verdict_ns"]),
                milliseconds(kernel["whole_ns"]),
                milliseconds(kernel["checked_ns"]),
                *(f"{seconds} s" for seconds in PAPER_SECONDS[kernel["chains"]]),
            ]
        )
    head = [
        *("Autoware reference system: chains", "entities", "analysis", "interpreted"),
        *("model to verdict", "model to result", "checked", "paper, Cython", "paper, Python"),
    ]
    growth = ", ".join(
        f"{name} {_growth([one['solve_ns'] for one in found[key]['configurations']])}"
        for key, name in (("kernel", "compiled"), ("interpreted", "interpreted"))
    )
    ends = PAPER_SECONDS[min(PAPER_SECONDS)], PAPER_SECONDS[max(PAPER_SECONDS)]
    paper = ", ".join(
        f"{name} {_growth(both)}"
        for name, both in zip(("Cython", "Python"), zip(*ends, strict=True), strict=True)
    )
    return [
        table(head, rows),
        "The paper's times are from its machine. The analysis of the largest takes so many times "
        f"as long as that of the smallest: {growth}; in the paper: {paper}.",
    ]


def _candidates(found: dict[str, Any]) -> str:
    """Candidates one by one, and by evaluators."""
    whole = found["each_ns"]
    rows = [["analyze, one by one", milliseconds(whole), "1", "", ""]]
    for key in ("one", "all"):
        one = found[key]
        name = f"an evaluator on {one['threads']} processor{'s' * (one['threads'] > 1)}"
        ratio, same = (
            f"1/{whole / one['each_ns']:.3g}",
            "the same" if found["equal"] else "DIFFERENT",
        )
        rows.append([name, milliseconds(one["each_ns"]), ratio, f"{one['rate']:,}", same])
    head = ["Candidates of the reference system, 24 chains", "processor time of each", "ratio"]
    return table([*head, "candidates/s", "figures"], rows)


def _growth(times: Sequence[float]) -> str:
    """From the smallest configuration to the largest; also where that takes less."""
    return f"{times[-1] / times[0]:.2g}"


def _simulator(found: dict[str, Any]) -> list[str]:
    rows = []
    for key, name in (("compiled", "compiled"), ("interpreted", "interpreted")):
        one = found[key]
        rows.append(
            [
                name,
                f"{one['simulated_s']:,} s",
                f"{one['events']:,}",
                f"{1000 / one['event_ns']:.3g} million",
                f"{one['event_ns'] / found['compiled']['event_ns']:.3g}",
                f"{one['peak_bytes'] / 2**20:.0f} MiB",
            ]
        )
    head = ["Simulation", "simulated", "events", "events/s", "ratio", "peak memory"]
    texts = [table(head, rows)]
    if not found["compiled"]["compiled"]:
        texts.append("The compiled engine is missing: what is called so above is interpreted.")
    return texts


def _checking(found: list[dict[str, Any]]) -> str:
    rows = [
        [
            " ".join(filter(None, [f"{one['tasks']:,}", SHAPES[one["shape"]]])),
            milliseconds(one["whole_ns"]),
            milliseconds(one["check_ns"]),
            f"{one['check_ns'] / one['whole_ns']:.2g}",
            f"{one['work'] / one['tasks']:.0f}",
            one["status"],
        ]
        for one in found
    ]
    head = ["Checking: tasks", "model to result", "check", "ratio", "work, a task", "status"]
    return table(head, rows)


def _large(found: list[dict[str, Any]]) -> str:
    rows = [
        [
            f"{one['tasks']:,} {LARGE[one['shape']]}",
            milliseconds(one["whole_ns"]),
            milliseconds(one["check_ns"]),
            f"{one['work'] / one['tasks']:,.0f}",
            f"{one['whole_bytes'] / 2**20:.0f} MiB",
            f"{one['peak_bytes'] / 2**20:.0f} MiB",
            one["status"],
        ]
        for one in found
    ]
    head = ["Ten cores: threads", "model to result", "check", "work, a thread"]
    return table([*head, "memory before the check", "with it", "status"], rows)


def _cold(found: dict[str, Any]) -> str:
    rows = [
        [name, *(map(milliseconds, times) if times else ("fails", "fails"))]
        for name, times in found.items()
    ]
    return table(["Cold start", "wall time", "processor time"], rows)
