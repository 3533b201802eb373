"""Measures the three topics on real Fast DDS, and writes docs/measured.md from what was measured.

    python -m casestudies.measured run      # some minutes; root, two CPUs, Fast DDS
    python -m casestudies.measured look     # the same traces read anew, where they still are
    python -m casestudies.measured table    # the page anew, with the bounds as they are now

What a run leaves is in `three_topics/measured`: the systems with the delays measured in it, and of
each message what was measured. The page is made of these alone.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median_high
from typing import Any

from casestudies import measured_page
from casestudies.analyses import FOLDER
from casestudies.measured_jobs import jobs_of
from ddsrta.__main__ import main as ddsrta_main
from ddsrta.models.reader import load
from ddsrta.models.system import System
from ddsrta.validation.harness_file import HarnessFile
from ddsrta.validation.measured import Key, Measured, Series
from ddsrta.validation.reading import read_measured

DATA = FOLDER / "three_topics" / "measured"
PAGE = FOLDER.parent / "docs" / "measured.md"
POLICIES = {"conf1": "FIFO", "conf2": "HIGH_PRIORITY", "conf3": "ROUND_ROBIN", "conf4": ""}
JOBS, SAMPLES, OF_LARGE, BLOCKS = 17_000, 50_000, 5_000, 100
SIZES = "3kB,5kB,24kB,500kB,750kB,1500kB"
_LONGEST = 40  # of each message, kept one by one
_LOOKED_AT, _MOST = 8_000, 18_000  # of each message, to find the longest beside no stop
STOP = measured_page.STOP
_NEVER_RETURNS = "livelock"

_SYSTEM = """\
# {title}, as it is measured: on two CPUs, with the delays measured in the same run.
# Written by `python -m casestudies.measured run`.
ddsrta: 1
name: {title}
machines:
  node: {{cores: [c0, c1]}}
{delays}topics:
  theta1: {{size: 1kB, priority: -1}}
  theta2: {{size: 1kB, priority: 0}}
  theta3: {{size: 1kB, priority: 1}}
{controller}listeners:
  listener: {{core: node/c1, priority: 89, queue: 500}}
threads:
  publisher:
    core: node/c0
    priority: 88
    wcet: 1ms
    period: 2ms
    publishes:
{publishes}
  subscriber:
    core: node/c1
    priority: 86
    wcet: 150us
    subscribes: {{topics: [theta1, theta2, theta3], listener: listener}}
chains:
  theta1: {{path: [publisher, theta1, subscriber]}}
  theta2: {{path: [publisher, theta2, subscriber]}}
  theta3: {{path: [publisher, theta3, subscriber]}}
"""


_FLAT = re.compile(r"[{\[][^{}\[\]]*[}\]]")


def _in_a_line(found: re.Match[str]) -> str:
    """What has no parts stands in a line."""
    return " ".join(found[0].split())


def system_text(name: str, delays: str, urgent: bool = False) -> str:
    """A configuration on two CPUs; `urgent`: its controller above the publisher, as published."""
    policy = POLICIES[name]
    title = f"three topics, Conf. {name[-1]}" + (f", {policy}" if policy else ", synchronous")
    controller = ""
    mode = "mode: sync"
    if policy:
        place = f"core: node/c0, priority: {89 if urgent else 87}, policy: {policy}, queue: 500"
        controller = f"flow_controllers:\n  controller: {{{place}}}\n"
        mode = "mode: async, flow_controller: controller"
    lines = [f"      - {{topic: theta{i}, {mode}}}" for i in (1, 2, 3)]
    return _SYSTEM.format(
        title=title, delays=delays, controller=controller, publishes="\n".join(lines)
    )


def run(scratch: Path) -> None:
    """Measure delays, then every configuration; leave the results in DATA."""
    DATA.mkdir(exist_ok=True)
    _delays(scratch / "small", "1kB", SAMPLES)
    _delays(scratch / "large", SIZES, OF_LARGE)
    for name in ("small", "large"):
        shutil.copy(scratch / name / "fastdds.yaml", DATA / f"delays_{name}.yaml")
    used = usual(scratch / "small")
    delays = "delays:\n" + "".join(f"  {s}: {{1kB: {t // 1000}us}}\n" for s, t in used.items())
    for name in POLICIES:
        (DATA / f"{name}.yaml").write_text(system_text(name, delays), encoding="utf-8")
        trace = scratch / f"{name}.trace"
        _check(_application(DATA / f"{name}.yaml", trace, str(JOBS)), name)
    for name in filter(POLICIES.get, POLICIES):
        file, trace = scratch / f"{name}_urgent.yaml", scratch / f"{name}_urgent.trace"
        file.write_text(system_text(name, delays, urgent=True), encoding="utf-8")
        _application(file, trace, "500", "--watchdog", "1s")
        _write(f"{name}_{_NEVER_RETURNS}", _head(trace))


def look(scratch: Path) -> None:
    """Read the traces of a run."""
    used = usual(scratch / "small")
    for name in POLICIES:
        seen = _seen(DATA / f"{name}.yaml", scratch / f"{name}.trace")
        _write(name, {"blocks": BLOCKS, "used": used} | seen)


def usual(place: Path) -> dict[str, int]:
    """δ of 1 kB for the bounds: the median of the longest of each block of samples, in whole µs."""
    found: dict[str, int] = {}
    for mode in ("async", "sync"):
        samples: dict[str, list[int]] = {}
        for line in (place / f"fastdds-{mode}-1000.csv").read_text().splitlines():
            if not line.startswith(("#", "stage,")):
                stage, _, _, delay, *_ = line.split(",")
                samples.setdefault(stage, []).append(int(delay))
        for stage, times in samples.items():
            each = len(times) // BLOCKS
            longest = (max(times[i * each : (i + 1) * each]) for i in range(BLOCKS))
            value = -(-median_high(longest) // 1000) * 1000
            found[stage] = max(value, found.get(stage, 0))
    return found


def _delays(place: Path, sizes: str, samples: int) -> None:
    call = ["--middleware", "fastdds", "--output", str(place)]
    status = ddsrta_main(["measure", "delays", *call, "--sizes", sizes, "--samples", str(samples)])
    _check(status, "delays")


def _application(file: Path, trace: Path, jobs: str, *more: str) -> int:
    call = ["--middleware", "fastdds", "--output", str(trace), "--spare", "100us", "--jobs", jobs]
    return ddsrta_main(["measure", "application", str(file), *call, "--duration", "10000s", *more])


def _check(status: int, what: str) -> None:
    if status:
        raise SystemExit(f"{what}: ended with {status}; nothing was written of it")


def _head(trace: Path) -> dict[str, Any]:
    """What the trace says of the run, whole or not."""
    file = HarnessFile(str(trace))
    next(file.events(), None)
    return {"said": file.head.said, "warnings": file.head.warnings}


def _seen(file: Path, trace: Path) -> dict[str, Any]:
    """Of each message, response and chain the longest, with what the trace shows of their time."""
    system = load(file)
    first = _read(trace, system, {})
    limits = {key: _limit(series) for key, series in first.series.items()}
    second = _read(trace, system, limits)
    own = jobs_of(trace, "publisher")
    return {**_head(trace), "publisher": own, "rows": list(_rows(second))}


def _read(trace: Path, system: System, limits: dict[Key, int]) -> Measured:
    paths = {name: chain.path for name, chain in system.chains.items()}
    return read_measured(str(trace), system, paths, limits.get)


def _limit(series: Series) -> int:
    """A value that only a few of the longest exceed."""
    above = 0
    for least, end, count in reversed(list(series.histogram())):
        if above + count > _MOST:
            return least - 1 if not above else end - 1
        above += count
        if above > _LOOKED_AT:
            return least - 1
    return 0


def _rows(measured: Measured) -> Iterator[dict[str, Any]]:
    for key, series in measured.series.items():
        if key.figure == "trigger_latency":
            continue
        limit = series.above.bound if series.above else series.most
        verdicts = series.above.verdicts if series.above else []
        calm = [
            one.late.value for one in verdicts if one.found.unused < STOP and not one.found.over
        ]
        longest = sorted(verdicts, key=lambda one: -one.late.value)[:_LONGEST]
        yield {
            "kind": key.kind,
            "name": list(key.name),
            "figure": key.figure,
            "count": series.count,
            "max": series.most,
            "p50": int(series.percentile(50)),
            "p99": int(series.percentile(99)),
            "p999": int(series.percentile(999, 1000)),
            "undisturbed": max(calm, default=limit),
            "calm": len(calm),
            "longest": [
                {"value": one.late.value, "at": one.late.begin, **one.found._asdict()}
                for one in longest
            ],
        }


def _write(name: str, document: dict[str, Any]) -> None:
    text = _FLAT.sub(_in_a_line, json.dumps(document, indent=1)) + "\n"
    (DATA / f"{name}.json").write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Measure or not, then write the page."""
    what = arguments[0] if arguments else ""
    if what not in ("run", "look", "table"):
        print(__doc__)
        return 2
    scratch = Path(arguments[1] if len(arguments) > 1 else "build/measured")
    if what == "run":
        scratch.mkdir(parents=True, exist_ok=True)
        run(scratch)
    if what != "table":
        look(scratch)
    PAGE.write_text(measured_page.text(DATA, POLICIES), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
