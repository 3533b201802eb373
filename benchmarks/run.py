"""What ddsrta costs, next to what users would otherwise take, in one run on one machine.

Usage: `python benchmarks/run.py [--short] [--json] [--write]`. `--write` puts the tables into
docs/benchmarks.md. Times are medians; every ratio is between two figures of the same run.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter_ns
from typing import Any

import peers
from systems import COMPARED, generate, to_json, to_lines, to_yaml
from tables import report

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"
BEGIN, END = "<!-- figures: python benchmarks/run.py --write -->\n", "<!-- end of figures -->"
COLD = 36  # threads in the comparison of cold starts


def compare(folder: Path, seconds: float, short: bool) -> dict[str, Any]:
    """The kernel, compiled and interpreted, and the peers: whether their bounds are the same."""
    path, lines = folder / "system.json", folder / "tasks.txt"
    path.write_text(to_json(generate(COMPARED)), encoding="utf-8")
    lines.write_text(to_lines(generate(COMPARED)), encoding="utf-8")
    ours = ("ours.py", str(COMPARED), str(seconds), "--bounds")
    kernel, plain = peers.python(*ours), peers.python(*ours, "--plain")
    slow = peers.python(*ours, "--plain", DDSRTA_KERNEL="interpreted")
    found: dict[str, Any] = {"tasks": COMPARED, "missing": {}, "compiled": kernel["compiled"]}
    for name, one in (("kernel", kernel), ("plain", plain), ("interpreted", slow)):
        found[f"{name}_ns"], found[f"{name}_windows"] = one["solve_ns"], one["windows"]
    found["interpreted_equal"] = slow["bounds"] == plain["bounds"]
    _count(found, "kernel", plain["bounds"], kernel["bounds"])
    known = peers.kept(lines) if short else None
    rust = known or peers.rust(lines, seconds, "short" if short else "release")
    for name, peer in (("rust", rust), ("pyrta", peers.pyrta(path, seconds))):
        if peer.output is None:
            found["missing"][name] = peer.missing
            continue
        measured = peer.output.get("source", peer.output)
        _time(found, name, measured)
        found[f"{name}_equal"] = measured["latency"] == plain["bounds"]
        if "local" in peer.output:
            local = peer.output["local"]
            _time(found, f"{name}_local", local)
            _count(found, f"{name}_local", plain["bounds"], local["latency"])
    return found


def reference(seconds: float) -> dict[str, Any]:
    """The Autoware reference system in six sizes, with the kernel compiled and interpreted."""
    return {
        "kernel": peers.python("reference_system.py", str(seconds)),
        "interpreted": peers.python(
            "reference_system.py", str(seconds), DDSRTA_KERNEL="interpreted"
        ),
    }


def simulator(seconds: int) -> dict[str, Any]:
    """The engine compiled, and interpreted, for a hundredth of the time."""
    return {
        "compiled": peers.python("simulator.py", str(seconds)),
        "interpreted": peers.python(
            "simulator.py", str(seconds // 100 + 10), DDSRTA_SIMULATOR="interpreted"
        ),
    }


def _time(found: dict[str, Any], name: str, measured: dict[str, Any]) -> None:
    """How long a peer took, and for how many windows, unless its bounds were kept."""
    if "time_ns" in measured:
        found[f"{name}_ns"], found[f"{name}_windows"] = measured["time_ns"], measured["analysed"]


def _count(found: dict[str, Any], name: str, plain: list[int], other: list[int]) -> None:
    """How many bounds are above and below the plain ones."""
    pairs = list(zip(plain, other, strict=True))
    found[f"{name}_above"] = sum(ours < theirs for ours, theirs in pairs)
    found[f"{name}_below"] = sum(ours > theirs for ours, theirs in pairs)


def cold(folder: Path, runs: int) -> dict[str, Any]:
    """Wall time and processor time of whole commands, each in a new process."""
    path = folder / "system.yaml"
    path.write_text(to_yaml(generate(COLD)), encoding="utf-8")
    commands = {
        f"ddsrta analyze, {COLD} threads": ["-m", "ddsrta", "analyze", str(path)],
        "ddsrta --help": ["-m", "ddsrta", "--help"],
        "python, nothing else": ["-c", "pass"],
    }
    return {name: times(command, runs) for name, command in commands.items()}


def times(arguments: list[str], runs: int) -> list[int] | None:
    """The medians of some runs of Python with these arguments; None where it fails."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # what is installed has its bytecode
    found = []
    for _ in range(runs):
        begin, used = perf_counter_ns(), _used()
        done = subprocess.run(
            [sys.executable, *arguments], env=environment, capture_output=True, check=False
        )
        found.append((perf_counter_ns() - begin, _used() - used))
        if done.returncode:
            return None
    return [int(median(each)) for each in zip(*found, strict=True)]


def _used() -> int:
    """The processor time of all processes that ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return int((children.ru_utime + children.ru_stime) * 1e9)


def measure(short: bool) -> dict[str, Any]:
    """Everything, in the order of the report."""
    seconds = 0.2 if short else 2.0
    sizes = (500, 5_000) if short else (1_000, 10_000, 100_000)
    most = 300 if short else 1_000  # of what is checked
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return {
            "machine": f"Python {platform.python_version()}, {os.cpu_count()} processors, "
            f"{platform.system()} {platform.machine()}",
            "peers": compare(folder, seconds, short),
            "sizes": [peers.python("ours.py", str(size), str(seconds)) for size in sizes],
            "reference": reference(0.001 if short else seconds / 2),
            "candidates": peers.python("candidates.py", "100" if short else "5000"),
            "simulator": simulator(360 if short else 36_000),
            "plain": [peers.python("ours.py", str(n), str(seconds), "--plain") for n in sizes],
            "checking": [
                peers.python("checking.py", str(n), str(seconds / 2), *shape)
                for n, *shape in dict.fromkeys(
                    ((36,), (300,), (most,), (most, "apart"), (most, "chain"))
                )
            ],
            "large": [
                peers.python("large.py", str(each * n), shape)
                for shape, each in (("hops", 1), ("pairs", 2), ("fan", 1))
                for n in ((500,) if short else (1_000, 10_000))
            ],
            "cold": cold(folder, 3 if short else 15),
        }


def write(text: str) -> None:
    """Replaces the figures between the two markers of the page."""
    page = DOCUMENT.read_text(encoding="utf-8")
    head, rest = page.split(BEGIN)
    _, tail = rest.split(END)
    DOCUMENT.write_text(f"{head}{BEGIN}\n{text}\n{END}{tail}", encoding="utf-8")


def main() -> None:
    """Measures, prints, and writes the page if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="smaller sizes and fewer runs, for CI")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    parser.add_argument("--write", action="store_true", help="update docs/benchmarks.md")
    options = parser.parse_args()
    found = measure(options.short)
    text = report(found)
    print(json.dumps(found, indent=1) if options.json else text)
    if options.write:
        write(text)


if __name__ == "__main__":
    main()
