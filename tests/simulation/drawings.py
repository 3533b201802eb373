"""Schedules as drawings: one row per thread, one column per time unit.

`#` executes (or sends, or reads), `=` has begun and does not run, `.` waits to begin, blank: nothing
to do. Where a thread has several units at once the drawing shows the one that has begun.
"""

from __future__ import annotations

import ddsrta
from ddsrta.models.arrivals import Curve, Periodic
from ddsrta.simulation import Run, program_of, worst_choices
from ddsrta_simulator.program import ARRIVED, COMPLETED, PREEMPTED, RUNS

HEAD = """ddsrta: 1
delays: {flow_controller: {1B: 10ns}, listener: {1B: 1ns}, publisher: {1B: 10ns}}
"""
MACHINES = "machines: {m: {cores: [c0, c1, c2, c3, c4]}, n: {cores: [c0]}}\n"
NETWORK = "network: [{from: m, to: n, delay: 20ns, best: 5ns}, {from: n, to: m, delay: 1ns}]\n"
LONG = 10**9


class Scene:
    """A system whose sources are released when the test says."""

    def __init__(self, text, releases=None, machines=None):
        head = HEAD + (machines or MACHINES + NETWORK)
        self.system = ddsrta.loads(head + text)
        self.releases = releases or {}
        for name, thread in self.system.threads.items():
            if thread.arrival is not None:
                self.system = self._released(name, self.releases.get(name, [0]))
        self.program = program_of(self.system)
        self.choices = worst_choices(self.program)
        for number, name in enumerate(self.program.sources):
            times = self.releases.get(name, [0])
            self.choices.source_moment[number] = times[0] if times else LONG
        self.run = None

    def _released(self, name, times):
        """Released at these times, and then no more: the distances between them must not shrink."""
        distances = tuple(time - times[0] for time in times)
        arrival = Curve(distances, 1, LONG) if len(times) > 1 else Periodic(LONG)
        return self.system.altered("threads", name, arrival=arrival)

    def decide(self, what, **entries):
        """Change the entry of a decision: habit, turn."""
        number = self.program.decisions.index(what)
        for entry, value in entries.items():
            getattr(self.choices, f"decision_{entry}")[number] = value
        return self

    def reserve(self, **entries):
        """Change an entry of all supplies: phase, habit."""
        for entry, value in entries.items():
            values = getattr(self.choices, f"supply_{entry}")
            for number in range(len(values)):
                values[number] = value
        return self

    def trace(self, horizon):
        """The rows of the trace up to the horizon."""
        self.run = Run(self.program, self.choices, trace=10**6)
        self.run.advance(horizon)
        rows = self.run.take_trace()
        return [tuple(rows[i : i + 5]) for i in range(0, len(rows), 5)]

    def seen(self, kind):
        """What was seen of the measures of a kind."""
        found = zip(self.program.measures, self.run.worst, strict=True)
        return {
            measure.of: value for measure, value in found if measure.kind == kind and value >= 0
        }

    def drawn(self, horizon):
        """The schedule as rows: name and what it does at each time."""
        servers = self.program.servers
        rows = [[" "] * horizon for _ in servers]
        waiting = [0] * len(servers)
        state = [""] * len(servers)
        last = 0
        for time, kind, what, _, _ in [*self.trace(horizon), (horizon, -1, 0, 0, 0)]:
            for number, row in enumerate(rows):
                mark = state[number] or ("." if waiting[number] else " ")
                row[last:time] = [mark] * (time - last)
            last = time
            if kind not in (ARRIVED, RUNS, PREEMPTED, COMPLETED):
                continue
            server = self.program.stage_server[what]
            waiting[server] += {ARRIVED: 1, COMPLETED: -1}.get(kind, 0)
            if kind != ARRIVED:
                state[server] = {RUNS: "#", PREEMPTED: "=", COMPLETED: ""}[kind]
        return {name: "".join(row) for name, row in zip(servers, rows, strict=True)}


def check(scene, drawing):
    """The schedule is as drawn: lines `name |....|`, a column each time unit."""
    lines = [line.split("|") for line in drawing.strip("\n").splitlines() if "|" in line]
    horizon = len(lines[0][1])
    drawn = scene.drawn(horizon)
    expected = {name.strip(): row for name, row, *_ in lines}
    found = {name: drawn[name] for name in expected}
    assert found == expected, "\n" + "\n".join(f"{n:<6}|{row}|" for n, row in found.items())
