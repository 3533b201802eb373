"""Which programs are explored: those of which each column that says anything is read in `moves`."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import pairwise

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.models.system import System
from ddsrta.simulation.finder import hops_of
from ddsrta_simulator import Program
from ddsrta_simulator.orders import ANY, ARRIVAL, DEADLINE, ROUNDS, TURNS, URGENCY
from ddsrta_simulator.program import ALL, ANCHORED, SYNC, TIMED

FIGURES = ("latency", "trigger_latency", "data_age", "reaction_time")  # of paths
ORDERS = (ARRIVAL, URGENCY, TURNS, ROUNDS, ANY, DEADLINE)
# What a run may decide is any in the exploration; what is measured otherwise changes no run.
_READ = """
    core_supply supply_core supply_period server_supply server_priority server_order server_queue
    server_pending server_turns server_poll server_late server_pick server_pool queue_due
    queue_weight queue_turn queue_late stage_server stage_queue stage_response stage_pending
    thread_activation thread_caller thread_inline thread_best thread_worst thread_decision
    thread_point thread_taken thread_step thread_hop thread_link thread_end thread_origins
    thread_disparity thread_gap thread_room step_publication publication_thread publication_mode
    publication_earliest publication_best publication_worst publication_decision
    publication_readers publication_stage publication_stream publication_direct publication_first
    publication_bytes direct_hop stream_hop stream_stage stream_ddl net_best net_worst net_decision
    net_loose read_best read_worst read_decision stream_transfer link_hop link_best link_worst
    link_decision link_loose hop_target hop_reader hop_queue hop_wait hop_copy copy_from copy_to
    end_origin end_first end_latency end_trigger end_data_age end_reaction source_thread
    source_model source_period source_gap source_most source_leader source_offset source_span
    source_early
"""
READ = set(_READ.split())
OTHERS = {
    "supply_budget": "reservations and partitions",
    "server_baton": "executors with several threads",
    "set_supply": "threads that move between cores",
    "publication_rounds": "messages that go round",
    "server_limit": "limits of bytes",
    "publication_send": "locks of Fast DDS",
    "thread_datagrams": "event threads of Fast DDS",
    "publication_batch": "datagrams of Fast DDS",
    "transfer_stream": "shared links",
    "source_b": "jitter, and bursts",
    "source_c": "least distances of releases (min_distance)",
    "source_pause": "sources that are not periodic",
    "server_weight": "threads of SCHED_OTHER (policy: other)",
    "publication_choice": "alternatives, of which a job sends one (one_of)",
    "publication_apart": "messages that a filter lets through (min_separation)",
    "publication_local": "readers whose work is done by who sends (intraprocess_delivery)",
    "publication_most": "messages that not every job sends (jobs)",
}
ELSE = "bounds of it: 'ddsrta analyze'; its runs: 'ddsrta simulate --attack'"
ADVICE = {  # what to change, where one may
    "server_weight": "give them the policy fifo and a priority",
    "set_supply": "pin them: 'core' for 'cores'",
    "publication_choice": "leave 'one_of' out: each job sends all of them then",
    "publication_apart": "leave 'min_separation' out: each job sends then",
    "publication_most": "leave 'jobs' out: each job sends then",
    "source_b": "leave it out: the worst case without it is no bound of the one with it",
    "source_c": "leave it out: of strict periods it says nothing",
    "source_pause": "give them a period: the worst case with it is no bound of the others",
}
_OF = {  # only these words are said, where both are found
    "source_c": "source_b",
    "publication_choice": "publication_most",
    "publication_apart": "publication_most",
    "publication_rounds": "publication_most",
}


MIXED = "threads that take messages of several publishers or topics in any order"
AS_THEY_COME = "say 'order: arrival' of them, where they take them as they arrive"


def check(program: Program, system: System) -> None:
    """Raises an InputError with all that is not explored."""
    found = dict(_refused(program))
    if any(system.mixes(thread) for thread in system.threads.values()):
        found[MIXED] = f"{AS_THEY_COME}; {ELSE}"
    if found:
        raise InputError(
            [
                Diagnostic(None, f"an exact worst case is not looked for with {one}", advice)
                for one, advice in found.items()
            ]
        )


def is_explored(program: Program, measure: int) -> bool:
    """But for what an inline callback sends by itself, which counts since a message came to one of
    its subscriptions; reactions to what time does not release; and registers of several writers,
    of which the engine keeps one value each."""
    kind, of = program.measures[measure]
    if kind == "ddl":
        thread = program.stages.index(("job", of[0]))
        is_sample = ("sample", *of[:2]) in program.stages
        return is_sample or not program.thread_inline[thread]
    if kind == "reaction_time" and not _is_released(program, of[0]):
        return False
    return kind in FIGURES and not any(_is_shared(program, hop) for hop in hops_of(program, of))


def is_latency(program: Program, measure: int) -> bool:
    """Whether a figure of a path is its latency: an age without registers (lemma register-chain),
    and a trigger latency without joins."""
    kind, of = program.measures[measure]
    activations = {program.thread_activation[program.hop_target[h]] for h in hops_of(program, of)}
    return (kind == "data_age" and TIMED not in activations) or (
        kind == "trigger_latency" and ALL not in activations
    )


def _is_released(program: Program, thread: str) -> bool:
    return program.stages.index(("job", thread)) in program.source_thread


def _is_shared(program: Program, hop: int) -> bool:
    """Whether it leads to a register that others write, too."""
    _, topic, target = program.hops[hop]
    alike = [one for one in program.hops if one[1:] == (topic, target)]
    timed = program.thread_activation[program.hop_target[hop]] == TIMED
    return timed and topic is not None and len(alike) > 1


def _refused(p: Program) -> Iterator[tuple[str, str]]:
    """What is not explored, and what to do."""
    found = [name for name in OTHERS if _says(p, name)]
    implied = {_OF.get(name) for name in found}
    for name in found:
        if name not in implied:
            yield OTHERS[name], "; ".join(filter(None, (ADVICE.get(name), ELSE)))
    yield from ((words, ELSE) for words in _others(p))


def _others(p: Program) -> Iterator[str]:
    if any(order not in ORDERS for order in p.server_order):
        yield "threads that watch timers, pools, and reserved limits"
    if any(activation > ALL for activation in p.thread_activation):
        yield "synchronizers"
    if any(model != ANCHORED for model in p.source_model):
        yield "sources that are not periodic"
    rest = [name for name in vars(p) if name not in READ and name not in OTHERS and _says(p, name)]
    if rest and not any(_says(p, name) for name in OTHERS):
        yield f"{', '.join(rest)} of the engine"
    places = list(zip(p.server_supply, p.server_priority, strict=True))
    for server, place in enumerate(places):
        if (other := places.index(place)) < server and _has_priority(p, other, server):
            yield f"the equal priorities of '{p.servers[other]}' and '{p.servers[server]}'"
    for publication, mode in enumerate(p.publication_mode):
        copies, direct = (
            len(range(*start[publication : publication + 2]))
            for start in (p.publication_stream, p.publication_direct)
        )
        if mode == SYNC and copies and direct:
            yield "messages that are sent synchronously and reach readers of their own process"
    if any(best < 1 for best in (*p.thread_best, *p.thread_worst, *p.read_best, *_sending(p))):
        yield "work that may take no time"
    begins = [first for first, last in pairwise(p.thread_step) if first < last]
    if any(p.publication_earliest[p.step_publication[first]] < 1 for first in begins):
        yield "messages that a job may send as it begins (earliest: 0)"
    if any(_sends_before(p, thread) for thread in range(len(p.thread_best))):
        yield "jobs that send by themselves, and whose 'bcet' is not above each 'earliest'"


def _has_priority(p: Program, *servers: int) -> bool:
    """Whether all of them do, and none is refused for how it is served."""
    return all(p.server_order[each] in ORDERS and not p.server_weight[each] for each in servers)


def _sends_before(p: Program, thread: int) -> bool:
    """Whether what a job sends by itself may count for a later `earliest`, which the least that it
    executes is held to."""
    steps = p.step_publication[slice(*p.thread_step[thread : thread + 2])]
    last = max((p.publication_earliest[one] for one in steps), default=0)
    by_itself = any(p.publication_mode[one] == SYNC for one in steps)
    return by_itself and p.thread_best[thread] == last > 1


def _sending(p: Program) -> Iterator[int]:
    for publication, best in enumerate(p.publication_best):
        if range(*p.publication_stream[publication : publication + 2]):
            yield best


def _says(program: Program, name: str) -> bool:
    """Whether a column has anything but 0 and none."""
    column = getattr(program, name)
    return isinstance(column, array) and any(value not in (0, -1) for value in column)
