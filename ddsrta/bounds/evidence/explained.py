"""Explanations of a result that was checked: of what is named, or of what is late."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ddsrta.base.diagnostics import Diagnostic, InputError, did_you_mean, expect
from ddsrta.base.frozen import frozen
from ddsrta.base.shown import document, page, text
from ddsrta.bounds.analyze import watch_of
from ddsrta.bounds.deadlines import worst_first
from ddsrta.bounds.evidence.checked import Checked, analyze_checked
from ddsrta.bounds.paths.concrete import named_paths
from ddsrta.bounds.present import message_keys
from ddsrta.bounds.result import Result
from ddsrta.bounds.terms.explain import explain_path
from ddsrta.bounds.terms.explanation import Explanation
from ddsrta.bounds.terms.things import explain_message, explain_thread
from ddsrta.models.system import System
from ddsrta.models.threads import JOINED
from ddsrta.models.validate import refuse_invalid

ARROW = " → "
MOST = 20  # late chains that are explained at once


@frozen
class Explained:
    """What was asked for: one bound by its name or, where none was named, those of the chains that
    are late, the worst first, or of the tightest; `left` more are late."""

    result: Result
    explanations: tuple[Explanation, ...]
    named: bool
    left: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: times in integer nanoseconds."""
        return document(self)

    def __str__(self) -> str:
        return text(self)

    def _repr_html_(self) -> str:
        return page(self)


def explain(system: System, name: str | None = None, time_limit: float | None = None) -> Explained:
    """Where the time of a bound goes: of a chain, a thread, a callback, a node, or a message, which
    is a topic or 'PUBLISHER -> TOPIC -> SUBSCRIBER'. Of several of a name, the largest. A
    `time_limit` is that of `analyze`.

    >>> from ddsrta.examples import two_threads
    >>> (one,) = explain(two_threads(), "sensor -> speed -> control").explanations
    >>> one.bound, [stage.total for stage in one.stages]
    (1285999, [1061999, 224000])
    >>> explain(two_threads()).explanations[0].chain
    'control loop'
    """
    refuse_invalid(system)
    is_fine = isinstance(name, str | None)
    expect("name", name, is_fine, "the name of a chain, thread or message")
    wanted = None if name is None else _named(system, name)
    checked = analyze_checked(system, watch=watch_of(time_limit))
    if wanted is not None:
        found = [_standing(one, checked.result) for one in _made(checked, wanted)]
        return Explained(checked.result, (max(found, key=_how_long),), True)
    order = worst_first(checked.result)
    late = [
        n for n, chain in order if not (chain.is_bounded and (chain.met or chain.deadline is None))
    ]
    shown = late[:MOST] or [n for n, _ in order[:1]]
    found = [_standing(one, checked.result) for one in explain_chains(checked, shown)]
    return Explained(checked.result, tuple(found), False, max(0, len(late) - MOST))


def explain_chains(checked: Checked, names: list[str]) -> list[Explanation]:
    """Those of these names, in their order."""
    paths = {path.name: path for path in named_paths(checked.solution.system)[0]}
    return [explain_path(checked.solution, paths[name]) for name in names]


@frozen
class _Wanted:
    """What a name stands for: chains, a thread or those of a node, or messages."""

    chains: tuple[str, ...] = ()
    threads: tuple[str, ...] = ()
    messages: tuple[tuple[str, ...], ...] = ()


def _named(system: System, name: str) -> _Wanted:
    """Raises InputError where it stands for nothing."""
    paths = named_paths(system)[0]
    chains = [path.name for path in paths if path.name == name]
    chains = chains or [path.name for path in paths if path.chain.name == name]
    if chains:
        return _Wanted(tuple(chains))
    threads = [name] if name in system.threads else _of_node(system, name)
    if threads:
        return _Wanted(threads=tuple(threads))
    messages = list(_messages(system))
    parts = tuple(part.strip() for part in name.replace("->", "→").split("→"))
    found = [each for each in messages if parts in (each, each[1:2])]
    if found:
        return _Wanted(messages=tuple(found))
    nodes = (each.rpartition(JOINED)[0] for each in system.threads)
    names = [*system.chains, *(path.name for path in paths), *filter(None, nodes), *system.threads]
    names += [ARROW.join(each) for each in messages]
    advice = did_you_mean(name, dict.fromkeys(names))
    raise InputError(
        [Diagnostic(None, f"there is no chain, node, callback, thread or message '{name}'", advice)]
    )


def _of_node(system: System, name: str) -> list[str]:
    """The callbacks of a node; that of the longest bound is explained."""
    return [each for each in system.threads if each.startswith(f"{name}{JOINED}")]


def _messages(system: System) -> Iterator[tuple[str, ...]]:
    """Those that go through middleware."""
    for reader in system.threads.values():
        for topic in dict.fromkeys(reader.subscribes.topics if reader.subscribes else ()):
            for writer in system.writers(topic):
                if system.is_heard(writer, reader):
                    yield writer.name, topic, reader.name


def _made(checked: Checked, wanted: _Wanted) -> list[Explanation]:
    solution = checked.solution
    if wanted.chains:
        return explain_chains(checked, list(wanted.chains))
    if wanted.threads:
        return [explain_thread(solution, each) for each in wanted.threads]
    keys = [
        keys for keys in message_keys(solution.compiled) if tuple(keys[-1][1:]) in wanted.messages
    ]
    return [explain_message(solution, each) for each in keys]


def _standing(explanation: Explanation, result: Result) -> Explanation:
    """Nothing of a bound that the checker refuses is explained."""
    if result.check is None or result.check.status != "refuted":
        return explanation
    chain = result.chains.get(explanation.chain)
    because = chain.unbounded_because if chain is not None else result.check.because
    return replace(explanation, bound=None, stages=(), reason=because)


def _how_long(explanation: Explanation) -> tuple[bool, int]:
    """Unbounded is longer than all numbers."""
    return explanation.bound is None, explanation.bound or 0
