"""Stages are done no later than a path to them takes (lemma latest-by-path)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.flows import Flow
from ddsrta_kernel.paths import way_finish
from ddsrta_kernel.problem import CONTINUES, LOOSE, MOST_BACK, UNBOUNDED
from ddsrta_kernel.structs import System
from ddsrta_kernel.whole import is_modest, supplies_of


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


def lay_back(s: System, f: Flow, number: Int, count: Int) -> Int:
    """The units of so many stages of that way, and behind them how early each is left; returns how
    long what lies between them takes."""
    p = s.problem
    at = number
    early: Int = 0
    ways: Int = 0
    for back in range(count):
        here = count - 1 - back
        f.ahead[here] = p.stage_unit[at]
        f.ahead[count + here] = early
        if here:
            edge = p.input_start[at]
            early = p.input_link[edge] - p.input_worst[edge]
            ways += p.input_link[edge]
            at = p.input_source[edge]
    return ways


def latest_of(s: System, f: Flow, number: Int, count: Int) -> Int:
    """When a stage is done at the latest, after the event of its base: by its latency, or by the
    windows of so many stages before it, or fewer."""
    latest = s.latency[s.problem.stage_unit[number]]
    while count > 1:
        ways = lay_back(s, f, number, count)
        if supplies_of(s, f, count) == count:
            return latest
        before = s.place[f.ahead[0]].before
        if is_modest(s, f):
            beside = s.problem.beside
            finish = way_finish(s, f.ahead, count, beside, f.behind, ways, latest - before)
            if finish >= 0:
                latest = before + finish
        count = min(count - 1, MOST_BACK)
    return latest


def lower_latest(s: System, f: Flow) -> Bool:
    """New ceilings of latencies by windows of whole paths; whether there are any."""
    p = s.problem
    lower: Bool = False
    for number in range(p.stages):
        unit = p.stage_unit[number]
        count = length_back(s, number)
        if count < 2 or s.latency[unit] >= UNBOUNDED:
            continue
        latest = latest_of(s, f, number, count)
        if latest < s.latency[unit]:
            p.latest[unit] = min(p.latest[unit], latest)
            f.whole[number] = 1
            lower = True
    return lower
