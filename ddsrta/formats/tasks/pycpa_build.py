"""Makes a system of pyCPA out of plain data. This text is also the end of each script that
`ddsrta export pycpa` writes, so it needs nothing but pyCPA."""

from __future__ import annotations

from typing import Any


def build(data: dict[str, Any], model: Any, schedulers: Any, junctions: Any) -> Any:
    """The system, from resources by name, tasks in causal order, and paths; times are integers.

    pyCPA's smaller priority is the more urgent one: here each has its sign changed. A delay between
    two tasks is a task on a resource of its own. That may take no time at all: else two events that
    are under way together would leave it apart, which a delay does not see to.
    """
    system = model.System(data["name"])
    resources = {}
    for core in data["resources"]:
        resources[core] = system.bind_resource(model.Resource(core, schedulers.SPPScheduler()))
    tasks: dict[str, Any] = {}
    ways: dict[tuple[str, str], list[Any]] = {}  # what is between two tasks
    for name, core, priority, wcet, bcet, release, after, delay in data["tasks"]:
        task = model.Task(name, bcet, wcet, -priority)
        tasks[name] = resources[core].bind_task(task)
        if release is not None:
            kind, values = release
            task.in_event_model = getattr(model, kind)(**values)
        entry = task
        if len(after) > 1:
            entry = model.Junction("before " + name, junctions.ORJoin())
            system.bind_junction(entry)
            entry.link_dependent_task(task)
        for number, before in enumerate(after):
            last, way = tasks[before], [] if entry is task else [entry]
            if delay[0] > 0:
                called = f"to {name}" if len(after) == 1 else f"to {name} #{number + 1}"
                resource = system.bind_resource(model.Resource(called, schedulers.SPPScheduler()))
                link = resource.bind_task(model.Task(called, 0, delay[0], 0))
                last, way = last.link_dependent_task(link), [link, *way]
            last.link_dependent_task(entry)
            ways[before, name] = [*way, task]
    for name, (first, *rest) in data["paths"].items():
        path, here = [tasks[first]], first
        for after in rest:
            path, here = path + ways[here, after], after
        system.bind_path(model.Path(name, path))
    return system


def table(data: dict[str, Any]) -> list[tuple[str, str, str]]:
    """A row for each path and each task: its name, the bound of pyCPA, and that of ddsrta."""
    from pycpa import analysis, junctions, model, path_analysis, schedulers

    system = build(data, model, schedulers, junctions)
    try:
        results = analysis.analyze_system(system)
    except analysis.NotSchedulableException as reason:
        return [(f"pyCPA has no bounds: {reason}", "", "")]
    rows = [("path", "pyCPA", "ddsrta")]
    for path in sorted(system.paths, key=lambda path: list(data["paths"]).index(path.name)):
        latency = path_analysis.end_to_end_latency(path, results, 1)[1]
        rows.append((path.name, f"{latency:,} ns", data["ours"]["paths"][path.name]))
    rows.append(("task", "", ""))
    found = {task.name: result.wcrt for task, result in results.items()}
    for name, *_ in data["tasks"]:
        rows.append((name, f"{found[name]:,} ns", data["ours"]["tasks"].get(name, "-")))
    return rows
