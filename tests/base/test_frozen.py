"""Frozen classes behave as frozen dataclasses do, and none of those is compiled at a start."""

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace
from pathlib import Path

import pytest

from ddsrta.base.frozen import frozen
from ddsrta.models.system import Topic

ROOT = Path(__file__).resolve().parents[2] / "ddsrta"


def classes(decorator):
    """The same class and a class that inherits from it."""

    @decorator
    class Place:
        """With every kind of field."""

        name: str
        number: int = 3
        inside: dict = field(default_factory=dict)
        note: str = field(default="", compare=False)
        secret: str = field(default="s", repr=False)
        twice: int = field(default=0, init=False)

        def __post_init__(self):
            object.__setattr__(self, "twice", 2 * self.number)

    @decorator
    class Inner(Place):
        """With a field more."""

        depth: int = 1

    return Place, Inner


OURS, THEIRS = classes(frozen), classes(dataclass(frozen=True))


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (("a",), {}),
        ((), {"name": "a"}),
        (("a", 4), {"inside": {"b": 1}, "note": "n"}),
        (("a", 4, {}, "n", "t"), {}),
        ((), {}),
        ((), {"number": 1}),
        (("a",), {"name": "b"}),
        (("a",), {"colour": 1}),
        (("a",), {"twice": 1}),
        (("a", 4, {}, "n", "t", 6, 7, 8), {}),
    ],
)
@pytest.mark.parametrize("which", [0, 1])
def test_they_are_made_printed_and_changed_as_frozen_dataclasses(which, given, named):
    results = []
    for cls in (OURS[which], THEIRS[which]):
        try:
            made = cls(*given, **named)
        except TypeError:
            results.append(TypeError)
            continue
        changed = replace(made, number=7)
        results.append((repr(made), asdict(made), repr(changed), changed.twice, vars(made)))
    assert results[0] == results[1]


def test_compared_are_fields_of_the_same_class_that_are_to_be_compared():
    place, inner = OURS
    assert place("a", note="x") == place("a", note="y")
    assert place("a") != place("b")
    assert place("a") != inner("a")
    assert place("a") != THEIRS[0]("a")
    assert [each.name for each in fields(inner)] == [each.name for each in fields(THEIRS[1])]
    assert inner.__match_args__ == THEIRS[1].__match_args__


def test_what_is_equal_has_one_hash():
    @frozen
    class Pair:
        """Of two."""

        first: int
        second: tuple = ()

    assert len({Pair(1), Pair(1, ()), Pair(2)}) == 2


@frozen
class Kept:
    """At the top of a module, for pickle."""

    name: str


def test_they_are_copied_and_pickled():
    for again in (
        copy.copy(Kept("a")),
        copy.deepcopy(Kept("a")),
        pickle.loads(pickle.dumps(Kept("a"))),
    ):
        assert again == Kept("a")


def test_nothing_is_assigned_or_deleted():
    kept = Kept("a")
    with pytest.raises(FrozenInstanceError):
        kept.name = "b"
    with pytest.raises(FrozenInstanceError):
        kept.other = "b"
    with pytest.raises(FrozenInstanceError):
        del kept.name


def test_every_default_is_made_anew():
    assert OURS[0]("a").inside is not OURS[0]("a").inside


@pytest.mark.parametrize("room", ["base", "models", "bounds", "policies", "report"])
def test_what_an_analysis_loads_compiles_no_frozen_dataclasses(room):
    compiled = [
        path for path in (ROOT / room).rglob("*.py") if "\n@dataclass(frozen" in path.read_text()
    ]
    assert compiled == []


def test_what_says_so_is_not_hashed():
    assert hash(Topic("x", 1, settings={"deadline": 5})) == hash(Topic("x", 1))
    assert Topic("x", 1, settings={"deadline": 5}) != Topic("x", 1)
