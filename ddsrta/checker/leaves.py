"""What a result may say of a thing: a figure no better than the confirmed one, or what is so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ddsrta.checker.reading import shown
from ddsrta.checker.sums import RefutedError


class Leaf(NamedTuple):
    """Says of a value what is wrong with it, or nothing."""

    wrong: Callable[[object], str | None]


class Named(NamedTuple):
    """Things by their names: these, all of them, and no other."""

    things: Mapping[str, Any]


def at_least(confirmed: float | None) -> Leaf:
    """A bound: null claims nothing, less claims too much."""

    def wrong(value: object) -> str | None:
        if value is None:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool):
            return f"is {shown(value)}, no number"
        if confirmed is None:
            return f"is {shown(value)}, and nothing is confirmed"
        return None if value >= confirmed else f"is less than the confirmed {confirmed}"

    return Leaf(wrong)


def at_most(confirmed: int | None) -> Leaf:
    """What is better where it is more."""

    def wrong(value: object) -> str | None:
        if value is None:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool):
            return f"is {shown(value)}, no number"
        if confirmed is None:
            return f"is {shown(value)}, and nothing is confirmed"
        return None if value <= confirmed else f"is more than the confirmed {confirmed}"

    return Leaf(wrong)


def same(so: object) -> Leaf:
    """What the system says."""

    def wrong(value: object) -> str | None:
        alike = value == so and isinstance(value, bool) == isinstance(so, bool)
        return None if alike else f"is {shown(value)}, not {shown(so)}"

    return Leaf(wrong)


def met(confirmed: bool | None) -> Leaf:
    """Whether something is met: no more than what is confirmed, or nothing."""

    def wrong(value: object) -> str | None:
        if value is confirmed or value is None or (confirmed and value is False):
            return None
        return f"is {shown(value)}, not {shown(confirmed)}"

    return Leaf(wrong)


def no_better(confirmed: str, words: tuple[str, ...]) -> Leaf:
    """One of some words, each worse than the one before."""

    def wrong(value: object) -> str | None:
        if not isinstance(value, str) or value not in words:
            return f"is {shown(value)}, none of {', '.join(words)}"
        better = words.index(value) < words.index(confirmed)
        return f"is {shown(value)}, and {confirmed} is confirmed" if better else None

    return Leaf(wrong)


def includes(needed: list[Any]) -> Leaf:
    """A list of what may happen: all that cannot be excluded is in it, for whatever reason."""

    def wrong(value: object) -> str | None:
        if not isinstance(value, list):
            return f"is {shown(value)}, no list"
        given = [_without_reason(item) for item in value]
        missing = next((item for item in needed if item not in given), None)
        if missing is None:
            return None
        words = missing.values() if isinstance(missing, dict) else missing
        return f"lacks {', '.join(map(str, words))}"

    return Leaf(wrong)


def _without_reason(item: object) -> object:
    if not isinstance(item, dict):
        return item
    return {key: value for key, value in item.items() if key != "because"}


def _says_nothing(value: object) -> str | None:
    return None if value is None or isinstance(value, str) else f"is {shown(value)}, no text"


TEXT = Leaf(_says_nothing)  # for people: no figure


def compare(expected: Any, value: object, where: str = "") -> Iterator[str]:
    """Raises RefutedError at the first leaf that says too much; yields what is not known."""
    if isinstance(expected, Leaf):
        if (reason := expected.wrong(value)) is not None:
            raise RefutedError(f"{where} {reason}")
        return
    if isinstance(expected, list):
        if not isinstance(value, list) or len(value) != len(expected):
            raise RefutedError(f"{where} has not {len(expected)} entries")
        for number, each in enumerate(expected):
            yield from compare(each, value[number], f"{where}.{number}")
        return
    things = expected.things if isinstance(expected, Named) else expected
    if not isinstance(value, dict):
        raise RefutedError(f"{where or 'the result'} is {shown(value)}, no mapping")
    for key, each in things.items():
        here = f"{where}.{key}" if where else key
        if key not in value:
            raise RefutedError(f"{here} is missing")
        yield from compare(each, value[key], here)
    for key in value:
        if key not in things:
            here = f"{where}.{shown(key)}" if where else shown(key)
            if isinstance(expected, Named):
                raise RefutedError(f"{here}: the system has none such")
            yield here
