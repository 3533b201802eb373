"""pyCPA (compositional performance analysis): scripts for it, and its objects.

pyCPA is not on the package index. Nothing here needs it but `to_pycpa` and the scripts.
"""

from __future__ import annotations

import inspect
from pprint import pformat
from typing import TYPE_CHECKING, Any

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.base.text import shown
from ddsrta.formats.exported import Exported
from ddsrta.formats.tasks import pycpa_build
from ddsrta.formats.tasks.model import TaskSystem
from ddsrta.formats.tasks.of_system import tasks_of
from ddsrta.models.arrivals import Arrival, Burst, Periodic, Sporadic

if TYPE_CHECKING:
    from ddsrta.models.system import System

Data = dict[str, Any]
_HEAD = '''\
"""{name}: bounds of pyCPA beside those of ddsrta.

Times are in ns. Run it with: python {file}
{notes}"""
'''
_DELAY = "network delay to '{}': a task on a resource of its own"
_SPORADIC = "'{}' is sporadic: a period here, which its bounds do not need to last"


def export(system: System) -> Exported:
    """A script that builds the system, and prints bounds of both."""
    tasks = tasks_of(system)
    data = _data(tasks)
    data["ours"] = _ours(system, tasks)
    notes = (*tasks.notes, *_notes(tasks))
    said = "".join(f"    {shown(note)}\n" for note in notes)
    about = f"Not as in ddsrta:\n{said}" if notes else ""
    name, text = shown(system.name), inspect.getsource(pycpa_build)
    head = _HEAD.format(name=name, file="this_file.py", notes=about).replace("\\", "\\\\")
    code = text.partition("from __future__")[2]
    listed = pformat(data, sort_dicts=False, width=98)
    main = f"\n\nSYSTEM = {listed}\n\n\nif __name__ == '__main__':\n    for row in table(SYSTEM):\n"
    return Exported(
        f"{head}\nfrom __future__{code}{main}        print('%-60s %20s %20s' % row)\n", notes
    )


def to_pycpa(system: System) -> Any:
    """The system as a `pycpa.model.System`, in ns; needs pyCPA.

    Give it to `pycpa.analysis.analyze_system`.
    """
    from importlib import import_module

    model, schedulers, junctions = (
        import_module(f"pycpa.{name}") for name in ("model", "schedulers", "junctions")
    )
    return build(tasks_of(system), model, schedulers, junctions)


def build(tasks: TaskSystem, model: Any, schedulers: Any, junctions: Any) -> Any:
    """The same with modules of pyCPA, or what stands for them."""
    return pycpa_build.build(_data(tasks), model, schedulers, junctions)


def _data(tasks: TaskSystem) -> Data:
    """What `pycpa_build.build` takes."""
    problems = []
    rows = []
    for task in tasks.tasks.values():
        release = None
        if task.arrival is not None:
            release = _release(task.arrival)
            if release is None:
                message = f"pyCPA has no curve such as that of '{task.name}'"
                problems.append(Diagnostic(None, message, "give it a period or bursts"))
        delay = (task.delay.worst, task.delay.best)
        row = (task.name, task.core, int(task.priority), task.wcet, task.bcet)
        rows.append((*row, release, list(task.after), delay))
    if problems:
        raise InputError(problems)
    paths = {name: list(chain.path) for name, chain in tasks.chains.items()}
    return {"name": tasks.name, "resources": tasks.cores, "tasks": rows, "paths": paths}


def _release(arrival: Arrival) -> tuple[str, dict[str, int]] | None:
    match arrival:
        case Periodic(period, jitter, distance):
            return "PJdEventModel", {"P": period, "J": jitter, "dmin": distance}
        case Sporadic(distance, jitter):
            return "PJdEventModel", {"P": distance, "J": jitter, "dmin": 0}
        case Burst(count, distance, period):
            return "CTEventModel", {"c": count, "T": period, "dmin": distance}
    return None


def _notes(tasks: TaskSystem) -> list[str]:
    found = [_DELAY.format(task.name) for task in tasks.tasks.values() if task.delay.worst]
    sporadic = [task.name for task in tasks.tasks.values() if isinstance(task.arrival, Sporadic)]
    found += [f"deadline of chain '{n}'" for n, c in tasks.chains.items() if c.deadline is not None]
    return found + [_SPORADIC.format(name) for name in sporadic]


def _ours(system: System, tasks: TaskSystem) -> Data:
    """The bounds of ddsrta for the system itself, as text."""
    from ddsrta.bounds.analyze import analyze

    result = analyze(system)
    found = {name: one.wcrt for name, one in result.threads.items()}
    found |= {name: one.wcrt for name, one in result.callbacks.items()}
    chains = {name: result.chains[name].latency for name in tasks.chains if name in result.chains}
    return {
        "paths": {name: _time(chains.get(name)) for name in tasks.chains},
        "tasks": {name: _time(found[name]) for name in tasks.tasks if name in found},
    }


def _time(value: int | None) -> str:
    return "unbounded" if value is None else f"{value:,} ns"
