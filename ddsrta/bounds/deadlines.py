"""What became of each deadline: the list that check, JUnit, SARIF and annotations share."""

from __future__ import annotations

from typing import Literal

from ddsrta.base.diagnostics import Position
from ddsrta.base.frozen import frozen
from ddsrta.base.units import Duration
from ddsrta.bounds.result import ChainResult, Finding, Result
from ddsrta.bounds.unbounded import CALLED_OFF
from ddsrta.models.system import Constraint

State = Literal["met", "missed", "unbounded", "unfinished"]
Outcome = State | Literal["unsure"]
NOT_FINISHED = "not finished"  # of what a time limit ended
MOST = 20  # parts without a bound that are told one by one
WORDS: dict[Constraint, str] = {
    "latency": "latency",
    "trigger_latency": "trigger latency",
    "data_age": "data age",
    "reaction_time": "reaction time",
}


@frozen
class Deadline:
    """One deadline: the figure that it limits, and how that went."""

    chain: str
    constraint: Constraint
    figure: Duration | None
    deadline: Duration
    state: State
    because: str | None
    position: Position | None
    label: str | None = None

    @property
    def called(self) -> str:
        """Its chain, with what tells its path apart from others between the same ends."""
        return called(self.chain, self.label)

    @property
    def what(self) -> str:
        """The constrained figure in words."""
        return WORDS[self.constraint]

    @property
    def sentence(self) -> str:
        """The outcome in a sentence, with exact figures."""
        if self.state == "unfinished":
            so_far = f", {self.figure} so far" if self.figure is not None else ""
            return f"{self.what} is {NOT_FINISHED}{so_far}, the deadline is {self.deadline}"
        if self.figure is None:
            reason = f": {self.because}" if self.because else ""
            return f"{self.what} is unbounded, the deadline is {self.deadline}{reason}"
        if self.state == "missed":
            late = Duration(self.figure - self.deadline)
            return f"{self.what} {self.figure} is above the deadline {self.deadline} by {late}"
        slack = Duration(self.deadline - self.figure)
        return f"{self.what} {self.figure} is within the deadline {self.deadline}, slack {slack}"


def called(name: str, label: str | None) -> str:
    """A chain by its name, with what tells its path apart from others between the same ends.

    >>> called("brake/2", "camera → brake via fusion"), called("brake", None)
    ('brake/2 (camera → brake via fusion)', 'brake')
    """
    return f"{name} ({label})" if label else name


def verdict_word(result: Result) -> str:
    """The verdict as it is said: nothing is MET where nothing was asked for, and nothing UNBOUNDED
    because a time limit ended the analysis.

    >>> verdict_word(Result("toy", "busy-window", "met", {}, (), {}, {}, {}, ()))
    'BOUNDED'
    """
    asked = result.orders or any(chain.deadline is not None for chain in result.chains.values())
    if result.is_ended and result.verdict == "unbounded":
        return NOT_FINISHED.upper()
    word = "bounded" if result.verdict == "met" and not asked else result.verdict
    return word.upper()


def figure_of(chain: ChainResult) -> Duration | None:
    """The figure that the chain's constraint is about."""
    figure: Duration | None = getattr(chain, chain.constraint)
    return figure


def state_of(chain: ChainResult) -> State | None:
    """What became of the chain's deadline; None where it has none."""
    if chain.deadline is None:
        return None
    if chain.met is None:
        return "unfinished"
    if figure_of(chain) is None:
        return "unbounded"
    return "met" if chain.met else "missed"


def is_called_off(chain: ChainResult) -> bool:
    """Whether it has no bound because a time limit ended the analysis."""
    because = chain.unbounded_because
    return because is not None and CALLED_OFF.made(because)


def outcome_of(chain: ChainResult, result: Result) -> Outcome | None:
    """The same beside what else was found: next to an error no deadline is simply met."""
    state = state_of(chain)
    return "unsure" if state == "met" and result.errors else state


def is_unbounded(chain: ChainResult, key: str) -> bool:
    """Whether a figure that a chain lacks has no bound, or else makes no sense for its path."""
    if getattr(chain, key) is not None:
        return False
    if chain.trigger_latency is not None and key == "latency":
        return True
    sampled = chain.data_age is not None or chain.reaction_time is not None
    of_events = key.endswith("latency")
    if sampled and chain.latency is None:
        return not of_events and chain.unbounded_because is not None
    asked = key == chain.constraint or (of_events and chain.constraint.endswith("latency"))
    return asked and chain.unbounded_because is not None


def open_chains(result: Result) -> list[str]:
    """Chains that have neither a deadline nor a bound.

    >>> from ddsrta import analyze
    >>> from ddsrta.examples import two_threads
    >>> open_chains(analyze(two_threads()))
    []
    """
    chains = result.chains.items()
    return [n for n, chain in chains if chain.deadline is None and not chain.is_bounded]


def deadlines(result: Result) -> list[Deadline]:
    """Every deadline of a result, in its order."""
    found = []
    for name, chain in result.chains.items():
        state = state_of(chain)
        if chain.deadline is not None and state is not None:
            found.append(
                Deadline(
                    name,
                    chain.constraint,
                    figure_of(chain),
                    chain.deadline,
                    state,
                    chain.unbounded_because,
                    chain_position(result, name),
                    chain.label,
                )
            )
    return found


def worst_first(result: Result) -> list[tuple[str, ChainResult]]:
    """Chains: without a bound, then late, then those with the least slack beside their deadlines;
    then those without a deadline, the longest first.

    >>> from ddsrta import analyze
    >>> from ddsrta.examples import two_threads
    >>> [name for name, _ in worst_first(analyze(two_threads()))]
    ['control loop']
    """
    return sorted(result.chains.items(), key=lambda each: _rank(each[1]))


def _rank(chain: ChainResult) -> tuple[int, float]:
    figure = figure_of(chain)
    if chain.deadline is None:
        least = -float("inf") if figure is None else -figure
        return (2, least) if chain.is_bounded else (0, 0)
    return (0, 0) if figure is None else (1, (chain.deadline - figure) / max(1, chain.deadline))


def chain_position(result: Result, name: str) -> Position | None:
    """Where a chain was written; the paths 'a/1', 'a/2' … between two ends are those of chain a."""
    system = result.model
    if system is None:
        return None
    if name not in system.chains:
        name = name.rpartition("/")[0]
    return system.where("chains", name, "deadline")


def unbounded_findings(result: Result) -> list[Finding]:
    """What has no bound and no deadline either, as findings at their places: it fails the check."""
    if result.verdict != "unbounded":
        return []
    parts, found = unbounded_parts(result), []
    for name, why in parts[:MOST]:
        message = f"{name} has no bound{f': {why}' if why else ''}"
        found.append(Finding("unbounded", "error", message, _place(result, name)))
    if len(parts) > MOST:
        more = f"{len(parts) - MOST} more threads, callbacks, messages and chains have no bound"
        found.append(Finding("unbounded", "error", more))
    return found


def _place(result: Result, name: str) -> Position | None:
    """Where something without a bound was written."""
    kind, _, thing = name.partition(" ")
    if kind == "chain":
        return chain_position(result, thing)
    thread = thing.split(" → ")[0]
    return result.model.where("threads", thread) if result.model else None


def unbounded_parts(result: Result) -> list[tuple[str, str]]:
    """Threads, callbacks, messages, and chains without a deadline that have no bound, with the
    reasons."""
    parts = [
        (f"thread {name}", thread.unbounded_because or "")
        for name, thread in result.threads.items()
        if thread.wcrt is None
    ]
    parts += [
        (f"callback {name}", callback.unbounded_because or "")
        for name, callback in result.callbacks.items()
        if callback.wcrt is None
    ]
    parts += [
        (f"message {m.publisher} → {m.topic} → {m.subscriber}", m.unbounded_because or "")
        for m in result.messages
        if m.ddl is None
    ]
    parts += [
        (f"chain {name}", result.chains[name].unbounded_because or "")
        for name in open_chains(result)
    ]
    return parts
