"""What lowers bounds beyond the plain busy window; each can be left out, to see its worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

from ddsrta.base.frozen import frozen
from ddsrta.models.bandwidth import limited
from ddsrta.models.system import System

LARGE = 400  # stages: a system that has no more is through with each of its passes at once


@frozen
class Refinements:
    """Which refinements of docs/theory are used.

    >>> [name for name, _ in Refinements.steps()][:2]
    ['baseline', 'chain windows']
    """

    chain_windows: bool = True  # lemma joined-work: one event's work on a core runs once
    # lemma one-opener: of all less urgent stages of a core, one released what opened a window
    one_opener: bool = True
    # lemma phase-window: stages of one base event do not all come at their worst times
    in_step: bool = True
    # lemma program-order: messages of one job leave in the order of the file
    program_order: bool = True
    # lemma ahead-in-step: what an event brings later is not ahead of what it brings first
    ahead_in_step: bool = True
    spacing: bool = True  # lemma output-spacing: a thread serves one unit after the other
    # lemma known-offsets: sources of one machine with known offsets share a base
    offsets: bool = True
    copies: bool = True  # lemma copy-order: copies of one message leave in a declared order
    costless_sends: bool = True  # lemma costless-sends: what takes no time has left at once
    tandem: bool = True  # lemma tandem-window: a burst on two threads in tandem is paid once
    # lemma copies-in-tandem: likewise copies, of the one unit that is paid on both
    copies_in_tandem: bool = True
    # lemma held-back: what a thread sends after a unit is not before it on the next thread
    held_back: bool = True
    # lemma silent-senders: nor what less urgent threads of its core send
    silent_senders: bool = True
    # lemma kept-open: what a unit brings to more urgent threads of its core keeps its window open
    kept_open: bool = True
    # lemma effects-behind-joins: what waits for a unit comes after it, also behind an AND
    effects: bool = True
    # lemma end-to-end-window: along a path, what a core does meanwhile counts once
    end_to_end_windows: bool = True
    # lemma meetings-in-order: events of another chain meet a path only in order
    meetings_in_order: bool = True
    # lemma latest-by-path: a stage is done no later than the path to it takes
    latest_by_paths: bool = True
    idle_limits: bool = True  # lemma idle-limit: a limit that is never reached costs nothing
    # lemma deadline-servers: a thread of SCHED_DEADLINE has its budget by its deadlines
    deadline_servers: bool = True
    # lemma fresh-budgets: and begins with all of it, where it had nothing to do
    fresh_budgets: bool = True
    # lemma reserved-work: and takes no more of its core than its stages have to do
    reserved_work: bool = True
    # lemma rounds-in-turn: one round of a message comes after the other
    rounds_in_turn: bool = True
    # lemma circle-cut: where messages go round, all else holds of the circles cut open
    cut_circles: bool = True
    # lemma offset-windows: of one clock, more urgent threads of other periods come at known times
    offset_windows: bool = True
    # lemma turns-in-order: where messages are taken in any order, turns are in theirs
    turns_in_order: bool = True
    bursts_once: bool = True  # lemma bursts-once: what waits for earlier events does so only once
    # lemma token-buckets: bursts, curves and what several bring have a pace, too
    token_buckets: bool = True
    # lemmas last-token and due-at-joins: by number, a join waits for the latest way to it alone
    last_tokens: bool = True
    # lemma closed-window: all that is done since nothing was there is a bound of each of it
    closed_windows: bool = True
    # lemma lock-windows: likewise where threads wait for locks, with all that share these
    lock_windows: bool = True
    # lemma limit-windows: likewise where flow controllers sleep for their limits of bytes
    limit_windows: bool = True
    # lemma limit-gaps: likewise where they have budgets, by how often they wake
    limit_gaps: bool = True
    # lemma sharing-window: what shares locks, by what arrives since none of it was pending
    sharing_windows: bool = True
    # lemma fork-overlap: likewise, less what two cores do at the same time behind a fork
    fork_overlaps: bool = True
    # lemma ways-apart: likewise, with what comes over a way, and no time on the way
    ways_apart: bool = True
    # lemma pending-window: what is pending when a unit arrives, and what comes while it waits
    pending_windows: bool = True
    # lemma one-at-a-time: an event has work at one of the stages of its way on a thread at a time
    one_at_a_time: bool = True
    pending_pools: bool = True  # lemma pending-in-pools: likewise callbacks of pools
    # lemma closed-counts: what is pending was released since nothing was there
    closed_counts: bool = True
    counts_before: bool = True  # lemma counts-before: less what the unit in question brings
    # lemma clocked-counts: and what one clock releases is so at its offsets
    clocked_counts: bool = True
    # lemma side-by-side: threads of a pool that work at the same time leave the less to do
    side_by_side: bool = True
    # lemma done-before: what was done before a callback of a pool came is not left
    done_before: bool = True
    # lemma released-here: what releases a unit on its own core says what that was not at
    releasing: bool = True
    # lemma event-alone: what is done before the next event comes waits for its own event only
    events_alone: bool = True
    # lemma joint-outputs: what a flow controller sends comes one by one, whatever its topics
    joint_outputs: bool = True
    # lemmas reserved-rest and early-in-tandem: what leaves early does not wait for the rest
    leaving_early: bool = True
    # lemma slowest-input: a join by number comes no more often than its slowest input
    slowest_inputs: bool = True
    # lemma slowest-release: likewise in closed windows, by what is released
    slowest_releases: bool = True
    # lemma room-age: a full queue of a synchronizer drops its oldest message
    room_ages: bool = True
    # lemma fair-share: of SCHED_OTHER each thread has a part of its core by its weight
    fair_shares: bool = True
    # lemma equal-stamps: messages of one stamp are a set of approximate_time at once
    equal_stamps: bool = True
    # lemma set-counts: no more sets than messages of each topic can make
    set_counts: bool = True
    # lemma closed-sets: closed windows count what sets release, too
    closed_sets: bool = True

    @classmethod
    def all(cls) -> Refinements:
        """Everything: what is used unless something else is asked for."""
        return cls()

    @classmethod
    def none(cls) -> Refinements:
        """The plain busy windows of lemma busy-window."""
        return cls(**{field.name: False for field in fields(cls)})

    def of(self, system: System) -> Refinements:
        """Those that hold for a system: where threads wait for locks of Fast DDS, and samples share
        datagrams, or a flow controller sleeps, one unit does not follow another as the rest take it
        to (note lost-refinements); nor where messages go round, if circles are not cut open."""
        kept: tuple[str, ...] = ("program_order", "offsets", "idle_limits", "deadline_servers")
        if system.fastdds is None and not limited(system):
            if self.cut_circles or not system.circles:
                return self
            kept = (*kept, "spacing", "copies", "closed_windows", "rounds_in_turn")
        elif limited(system):
            closed = "closed_windows", "lock_windows", "limit_windows", "limit_gaps"
            kept = (*kept, *closed, "sharing_windows")
        else:
            more = () if system.circles else ("ways_apart",)
            more = (*more, "limit_gaps") if system.resets else more
            kept = (*kept, "lock_windows", "sharing_windows", *more)
        return replace(self, **{f.name: False for f in fields(self) if f.name not in kept})

    def in_time(self, stages: int, is_over: Callable[[], bool] | None) -> Refinements:
        """Those that there is time for: of a large system the tables of most take longer than all
        that says that it has no bound yet."""
        if stages <= LARGE or is_over is None or not is_over():
            return self
        return Refinements.none()

    @property
    def of_arrivals(self) -> tuple[bool, bool, bool, bool]:
        """Those of windows from an arrival on, and of tokens that come last."""
        return self.pending_windows, self.pending_pools, self.releasing, self.last_tokens

    @property
    def of_tandems(self) -> tuple[bool, bool, bool, bool]:
        """Those that say what is known of two threads in tandem."""
        return self.tandem, self.leaving_early, self.kept_open, self.silent_senders

    def shares(self, system: System) -> bool:
        """Whether stages may have windows of what shares locks or limits with them."""
        sleeps = system.fastdds is not None or limited(system)
        return self.sharing_windows and sleeps and self.closes(system)

    def closes(self, system: System) -> bool:
        """Whether stages of a system may have closed windows."""
        closed = self.lock_windows if system.fastdds else self.closed_windows
        return closed and (self.limit_windows or not limited(system))

    @classmethod
    def steps(cls) -> list[tuple[str, Refinements]]:
        """The baseline, then each refinement added to those before it."""
        chosen = cls.none()
        steps = [("baseline", chosen)]
        for field in fields(cls):
            chosen = replace(chosen, **{field.name: True})
            steps.append((field.name.replace("_", " "), chosen))
        return steps
