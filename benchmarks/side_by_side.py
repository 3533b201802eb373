"""Bounds of chains by ddsrta and by its peers, side by side: `side_by_side.py SYSTEM.yaml…`.

Each peer gets the tasks that `ddsrta export` makes of a system, so a bound of it holds for the
system as well, and has its own reasons to be larger. Peers that are not at hand are left out: pyCPA
(from its repository), MAST (`mast_analysis`, on the PATH or named by MAST_ANALYSIS), pyRTA and the
Rust crate (which `make bench` installs). The last two iterate over chains of tasks with periods and
priorities that all differ on a core, and get no others.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import ddsrta
from benchmarks.peers import Peer, pyrta, rust
from casestudies.statements import table
from ddsrta.formats.draft import time_text
from ddsrta.formats.tasks import mast
from ddsrta.formats.tasks.model import TaskSystem
from ddsrta.formats.tasks.of_system import tasks_of
from ddsrta.formats.tasks.pycpa import to_pycpa
from ddsrta.models.arrivals import Periodic
from ddsrta.models.costs import NO_COST
from ddsrta.models.system import System

Bounds = dict[str, int | None]  # of chains, by name
TOOLS = ("holistic", "offset_based_slanted")
_FIGURE = re.compile(
    r"Event_Name\s*=> o_(\w+),.*?Worst_Global_Response_Times\s*=>\s*\(\(.*?"
    r"Time_Value\s*=> ([\d.E+]+)",
    re.S | re.I,
)


def of_pycpa(system: System, tasks: TaskSystem) -> Bounds | None:
    """pyCPA: the sum of local worst cases."""
    if find_spec("pycpa") is None:
        return None
    from pycpa import analysis, path_analysis

    made = to_pycpa(system)
    try:
        results = analysis.analyze_system(made)
    except analysis.NotSchedulableException:
        return dict.fromkeys(tasks.chains)
    return {
        path.name: int(path_analysis.end_to_end_latency(path, results, 1)[1]) for path in made.paths
    }


def of_mast(system: System, tasks: TaskSystem, tool: str) -> Bounds | None:
    """One of MAST's analyses; it counts from when a source would be released without jitter."""
    program = os.environ.get("MAST_ANALYSIS") or shutil.which("mast_analysis")
    if program is None:
        return None
    try:
        writer = mast.model(tasks)
    except ddsrta.InputError:  # what starts a task has several sources, for example
        return None
    with tempfile.TemporaryDirectory() as folder:
        model, results = Path(folder, "model.txt"), Path(folder, "results.txt")
        model.write_text(writer.text)
        call = [program, tool, str(model), str(results)]
        # it leaves a listing where it runs
        subprocess.run(call, cwd=folder, capture_output=True, check=False, timeout=600)
        text = results.read_text() if results.exists() else ""
    found = {name.lower(): float(value) for name, value in _FIGURE.findall(text)}
    if not found:  # this one has no forks, for example
        return None
    bounds: Bounds = {}
    for name, chain in tasks.chains.items():
        value = found.get(writer.words[chain.path[-1]], 1e100)
        bounds[name] = None if value > 1e18 else int(value)
    return bounds


def of_rta(tasks: TaskSystem, peer: Any) -> Bounds | None:
    """pyRTA or the Rust crate, for the systems that their iteration knows."""
    listed = list(tasks.tasks.values())
    number = {task.name: index for index, task in enumerate(listed)}
    core = {name: index for index, name in enumerate(tasks.cores)}
    after = [before for task in listed for before in task.after]
    plain = len(set(after)) == len(after) and all(
        len(task.after) < 2
        and task.delay == NO_COST
        and (task.arrival is None or task.arrival == Periodic(getattr(task.arrival, "period", 1)))
        for task in listed
    )
    if not plain or len({(task.core, task.priority) for task in listed}) < len(listed):
        return None
    periods: dict[str, int] = {}
    rows = []
    for task in listed:
        period = getattr(task.arrival, "period", 0) or periods[task.after[0]]
        periods[task.name] = period
        rows.append(
            {
                "core": core[task.core],
                "priority": int(task.priority),
                "wcet": task.wcet,
                "bcet": task.bcet,
                "period": period,
                "after": number[task.after[0]] if task.after else -1,
            }
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tasks.json")
        path.write_text(json.dumps({"tasks": rows}))
        found: Peer = peer(path, 0.0)
    if found.output is None:
        return None
    latency = found.output.get("source", found.output)["latency"]
    return {name: latency[number[chain.path[-1]]] for name, chain in tasks.chains.items()}


def compare(path: str) -> list[list[str]]:
    """A row for each chain of a system."""
    system = ddsrta.load(path)
    tasks = tasks_of(system)
    chains = ddsrta.analyze(system).chains
    columns = [
        {name: chains[name].latency for name in tasks.chains},
        of_pycpa(system, tasks),
        *(of_mast(system, tasks, tool) for tool in TOOLS),
        of_rta(tasks, pyrta),
        of_rta(tasks, rust),
    ]
    return [
        [f"{system.name}: {name}", *(_shown(column, name) for column in columns)]
        for name in tasks.chains
    ]


def _shown(column: Bounds | None, name: str) -> str:
    if column is None:
        return "–"
    value = column[name]
    return "unbounded" if value is None else time_text(int(value))


def main(paths: list[str]) -> int:
    """Print the table; what MAST or a peer cannot say of a system is a dash."""
    head = ["chain", "ddsrta", "pyCPA", *(f"MAST {tool}" for tool in TOOLS), "pyRTA", "Rust crate"]
    print(table(head, [row for path in paths for row in compare(path)]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
