"""Stages are done no later than a path to them takes (lemma latest-by-path)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.flows import Flow
from ddsrta_kernel.meetings import line_up, meet
from ddsrta_kernel.paths import begin_path, finish_of, may_meet, visit
from ddsrta_kernel.problem import CONTINUES, LOOSE, MOST_BACK, MOST_OF_PATH, UNBOUNDED
from ddsrta_kernel.shadow import address
from ddsrta_kernel.structs import System


def goes_back(s: System, number: Int) -> Bool:
    """Whether a stage has one input, which continues its stream."""
    p = s.problem
    first = p.input_start[number]
    only: Bool = p.input_start[number + 1] == first + 1
    return only and p.stage_bits[number] & CONTINUES != 0 and not p.input_bits[first] & LOOSE


def length_back(s: System, number: Int) -> Int:
    """How many stages there are from where the stream of a stage begins to it; 0: not one way."""
    p = s.problem
    count: Int = 1
    at = number
    while goes_back(s, at):
        at = p.input_source[p.input_start[at]]
        count += 1
    inputs = p.input_start[at + 1] - p.input_start[at]
    return 0 if inputs and p.stage_bits[at] & CONTINUES else count


def comes_again(s: System, f: Flow, number: Int, count: Int) -> Bool:
    """Whether that way comes to a supply twice."""
    p = s.problem
    f.ends[s.place[p.stage_unit[number]].supply] = number
    at = number
    for _ in range(count - 1):
        at = p.input_source[p.input_start[at]]
        f.ends[s.place[p.stage_unit[at]].supply] = at
    at = number
    for _ in range(count - 1):
        if f.ends[s.place[p.stage_unit[at]].supply] != at:
            return True
        at = p.input_source[p.input_start[at]]
    return False


def latest_of(s: System, f: Flow, number: Int, count: Int) -> Int:
    """When a stage is done at the latest, after the event of its base: by its latency, or by the
    windows of so many stages before it, or fewer."""
    v = address(s.visits[0])
    p = s.problem
    latest = s.latency[p.stage_unit[number]]
    at = number
    early: Int = 0
    ways: Int = 0
    begin_path(s)
    for size in range(1, count + 1):
        unit = p.stage_unit[at]
        before = s.place[unit].before
        visit(s, unit, early, p.beside)
        v.meets = may_meet(s)
        if v.meets and s.counted[unit]:
            meet(s, unit, f.behind)
        near: Bool = size <= MOST_BACK or size == count
        if near and v.count > v.comes and v.around <= MOST_OF_PATH:
            finish = finish_of(s, unit, ways, latest - before)
            if finish >= 0:
                latest = before + finish
        if size < count:
            edge = p.input_start[at]
            early = p.input_link[edge] - p.input_worst[edge]
            ways += p.input_link[edge]
            at = p.input_source[edge]
    return latest


def lower_latest(s: System, f: Flow) -> Bool:
    """New ceilings of latencies by windows of whole paths; whether there are any."""
    p = s.problem
    lower: Bool = False
    line_up(s, f.behind)
    for number in range(p.stages):
        unit = p.stage_unit[number]
        count = length_back(s, number)
        if s.latency[unit] >= UNBOUNDED or not comes_again(s, f, number, count):
            continue
        latest = latest_of(s, f, number, count)
        if latest < s.latency[unit]:
            p.latest[unit] = min(p.latest[unit], latest)
            f.whole[number] = 1
            lower = True
    return lower
