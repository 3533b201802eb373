"""The analysed systems of the case studies, each analysed once, and how figures are printed."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

import ddsrta
from ddsrta.bounds.result import MessageResult, Result
from ddsrta.models.system import System

FOLDER = Path(__file__).parent
DEFAULT = "busy-window"
PUBLISHED = "published"
PROFILES = (DEFAULT, PUBLISHED)
FEDERATIONS = ("xronos_federations",)
DEFAULT_ONLY = ("irobot", "move_base", "explored")


def systems() -> list[Path]:
    """Every system of every case study: those written out, and the variants that are made of them
    (`variants.py` of a study), which have the path that they would be written to."""
    written = (file for file in FOLDER.glob("*/*.yaml") if file.parent.name not in FEDERATIONS)
    made = (
        file.with_name(f"{name}.yaml")
        for file in FOLDER.glob("*/variants.py")
        for name in import_module(f"casestudies.{file.parent.name}.variants").VARIANTS
    )
    return sorted((*written, *made))


def loaded(study: str, name: str) -> System:
    """A system of a study, or a variant."""
    file = FOLDER / study / f"{name}.yaml"
    if file.exists():
        return ddsrta.load(file)
    return ddsrta.loads(import_module(f"casestudies.{study}.variants").text(name), str(file))


def profiles(study: str) -> tuple[str, ...]:
    """The profiles that apply to a study: the published one is for executors of one thread, and
    takes long where there are hundreds of callbacks."""
    return (DEFAULT,) if study in DEFAULT_ONLY else PROFILES


@cache
def analysed(study: str, name: str, profile: str = DEFAULT) -> Result:
    """The result of one system under one profile."""
    return ddsrta.analyze(loaded(study, name), profile=profile)


def message(result: Result, topic: str) -> MessageResult:
    """The message of a topic that one thread publishes and one thread reads."""
    (found,) = [m for m in result.messages if m.topic == topic]
    return found


def in_us(time: int | None) -> str:
    """Microseconds to the nanosecond, or 'unbounded'.

    >>> in_us(1_372_001), in_us(None)
    ('1372.001', 'unbounded')
    """
    return "unbounded" if time is None else f"{time // 1000}.{time % 1000:03d}"


def in_ms(time: int | None) -> str:
    """Milliseconds to the microsecond, rounded up: what is printed never undercuts the bound.

    >>> in_ms(1_372_001)
    '1.373'
    """
    if time is None:
        return "unbounded"
    micros = -(-time // 1000)
    return f"{micros // 1000}.{micros % 1000:03d}"


def in_exact_ms(time: int) -> str:
    """Milliseconds with all their digits.

    >>> in_exact_ms(599_680), in_exact_ms(33_000_000)
    ('0.59968', '33')
    """
    return f"{time // 10**6}.{time % 10**6:06d}".rstrip("0").rstrip(".")
