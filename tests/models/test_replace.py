"""What a system is when one key of its file says something else: as if the file had been edited."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Iterator
from functools import partial, reduce
from pathlib import Path
from typing import Any

import pytest

import ddsrta
from ddsrta.base.shapes import Shape
from ddsrta.base.structures import Either, ListOf, MapOf, Record
from ddsrta.base.yaml_reader import read_text
from ddsrta.base.yaml_tree import Node
from ddsrta.examples import two_threads
from ddsrta.models.document import to_document
from ddsrta.models.grammar import SYSTEM
from ddsrta.models.system import Publication
from ddsrta.models.topics import Topic
from tests.models.test_schema import as_json

HERE = Path(__file__).parent
FULL = (HERE / "full.yaml").read_text("utf-8")
FILES = {
    "full": FULL,
    "fastdds": (HERE / "fastdds.yaml").read_text("utf-8"),
    "rounds": (HERE / "rounds.yaml").read_text("utf-8"),
}
OTHERS: list[Any] = [
    None, "7us", "3", "2kB", True, "or", "speed", "sensor", "ecu1/c0", "-1", "0", "20 %", {}, [], ["speed"],
    {"worst": "9us"}, "1Mbit/s", {"nothing": "here"}, "x: y",
]  # fmt: skip
Place = tuple[tuple[str | int, ...], str]


@pytest.fixture(autouse=True)
def _beside_the_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)


def places(node: Node, shape: Shape, path: tuple[str | int, ...] = ()) -> Iterator[Place]:
    """Where every key of every record stands in a file."""
    if isinstance(shape, Either):
        several = shape.mapping if isinstance(node.value, dict) else shape.sequence
        found = shape.scalar if isinstance(node.value, str) else several
        assert found is not None
        yield from places(node, found, path)
    elif isinstance(shape, Record | MapOf) and isinstance(node.value, dict):
        for name, entry in node.value.items():
            if isinstance(shape, Record):
                yield path, name
            inside = shape.keys[name].shape if isinstance(shape, Record) else shape.item
            yield from places(entry.node, inside, (*path, name))
    elif isinstance(shape, ListOf) and isinstance(node.value, list):
        for index, item in enumerate(node.value):
            yield from places(item, shape.item, (*path, index))


def places_of(name: str) -> list[Place]:
    return list(places(read_text(FILES[name]).root, SYSTEM))


def outcome(make: Callable[[], ddsrta.System]) -> Any:
    """The system, or what is wrong, wherever that is."""
    try:
        system = make()
    except ddsrta.InputError as error:
        unquoted = [each.message.replace("the text ", "") for each in error.diagnostics]
        return sorted(unquoted)
    return to_document(system)


def at(data: Any, path: tuple[str | int, ...]) -> Any:
    return reduce(lambda inside, step: inside[step], path, data)


def edited(name: str, path: tuple[str | int, ...], key: str, value: Any) -> str:
    """The file, with another value of a key, or without it."""
    data = as_json(read_text(FILES[name]).root)
    inside = at(data, path)
    inside[key] = int(value) if str(value) in ("3", "-1", "0") else value
    if value is None:
        del inside[key]
    return json.dumps(data)


def test_all_sections_are_looked_at() -> None:
    found = [place for name in FILES for place in places_of(name)]
    assert len(found) > 250
    assert {key for path, key in found if not path} == set(SYSTEM.keys)


@pytest.mark.parametrize("name", FILES)
def test_replacing_a_value_by_itself_changes_nothing(name: str) -> None:
    data = as_json(read_text(FILES[name]).root)
    system = ddsrta.loads(FILES[name])
    document = to_document(system)
    for path, key in places_of(name):
        value = at(data, path)[key]
        same = system.replace(*path, **{key: {} if value is None else value})
        assert (same, to_document(same)) == (system, document), (path, key)


@pytest.mark.parametrize("name", FILES)
def test_replacing_is_editing_the_file_and_loading_it(name: str) -> None:
    system = ddsrta.loads(FILES[name])
    for number, (path, key) in enumerate(places_of(name)):
        value = OTHERS[number % len(OTHERS)]
        replaced = outcome(partial(system.replace, *path, **{key: value}))
        loaded = outcome(partial(ddsrta.loads, edited(name, path, key, value)))
        assert replaced == loaded, (path, key, value)


def test_what_is_replaced_can_be_written_and_read_again() -> None:
    system = ddsrta.loads(FULL, "full.yaml").replace("topics", "speed", size=1500)
    assert system.written is not None
    assert ddsrta.loads(system.written.text) == system
    assert system.topics["speed"].size == 1500


def test_the_checker_reads_what_was_replaced() -> None:
    result = ddsrta.analyze(two_threads().replace("threads", "sensor", wcet="2 ms"))
    assert result.chains["control loop"].latency == 4_286_000


def test_what_follows_from_a_key_is_made_anew() -> None:
    """A callback has the core and priority of its executor; a whole service is two topics."""
    system = ddsrta.loads(FULL, "full.yaml")
    callback = next(t for t in system.threads.values() if t.executor and not t.reservation)
    assert callback.executor is not None
    changed = system.replace("executors", callback.executor, priority=3)
    assert changed.threads[callback.name].priority == 3
    assert system.altered("executors", callback.executor, priority=3) != changed


def test_values_are_texts_numbers_or_records() -> None:
    system = two_threads()
    said = system.replace(
        "threads", "sensor", wcet="3 ms", publishes=[{"topic": "speed", "mode": "sync"}]
    )
    assert said == system.replace(
        "threads",
        "sensor",
        wcet=ddsrta.Duration(3_000_000),
        publishes=(Publication("speed", "sync"),),
    )
    assert said == system.replace("threads", "sensor", wcet=3_000_000).replace(
        "threads", "sensor", "publishes", 0, mode="sync", flow_controller=None
    )


def test_a_key_that_is_not_there_may_be_taken_away() -> None:
    assert two_threads().replace("threads", "sensor", bcet=None) == two_threads()


def test_things_come_and_go() -> None:
    system = two_threads().replace("topics", angle=Topic("", 2000, priority=3))
    assert system.topics["angle"] == Topic("angle", 2000, priority=3)
    assert system.replace("topics", angle=None) == two_threads()
    other = system.replace("chains", other={"path": ["sensor"]})
    assert set(other.chains) == {"control loop", "other"}
    assert other.replace("chains", "other", deadline="1ms").chains["other"].deadline == 1_000_000


@pytest.mark.parametrize(
    ("path", "changes", "message"),
    [
        (("thread", "sensor"), {}, "1:1: there is no key 'thread'; did you mean 'threads'?"),
        (("threads", "sensr"), {}, "15:1: there is no thread 'sensr'; did you mean 'sensor'?"),
        (("threads", "sensor", "arival"), {"jitter": "1ms"},
         "16:3: there is no key 'arival'; did you mean 'arrival'?"),
        (("threads", "sensor"), {"wect": "1ms"}, "16:3: unknown key 'wect'; did you mean 'wcet'?"),
        (("threads", "sensor"), {"wcet": 0}, "19:11: '0 ms' must be more than zero"),
        (("threads", "sensor"), {"wcet": 3.5}, "19:11: '3.5' has no unit: write for example '3.5 us'"),
        (("threads", "sensor"), {"wcet": None}, "16:3: 'wcet' is missing"),
        (("threads", "sensor"), {"core": "ecu/c7"}, "17:11: there is no core 'ecu/c7'"),
        (("threads", "sensor", "wcet"), {"worst": 1}, "19:5: 'wcet' is '1ms', and has no keys"),
        (("threads", "sensor", "publishes", 1), {}, "21:16: 'publishes' is a list, and has no '1'"),
        (("topics",), {"speed": None}, "21:25: there is no topic 'speed'"),
        (("topics",), {"sped": None}, "9:1: there is no topic 'sped'; did you mean 'speed'?"),
        (("chains", "control loop"), {"deadlin": None},
         "28:3: there is no key 'deadlin'; did you mean 'deadline'?"),
        (("threads", "sensor", ["publishes"]), {}, "16:3: there is no key '['publishes']'"),
    ],
)  # fmt: skip
def test_what_cannot_be_replaced(path: Any, changes: Any, message: str) -> None:
    with pytest.raises(ddsrta.InputError) as caught:
        two_threads().replace(*path, **changes)
    assert str(caught.value).startswith(f"two_threads.yaml:{message}")


def test_a_system_made_in_python_has_no_file() -> None:
    with pytest.raises(ddsrta.InputError, match="made in Python"):
        two_threads().altered("threads", "sensor", wcet=5).replace("threads", "sensor", wcet=6)


@pytest.mark.parametrize(
    ("kind", "name", "attribute", "message"),
    [
        (
            "thread",
            "sensor",
            "wcet",
            "there is no kind of things 'thread'; did you mean 'threads'?",
        ),
        ("threads", "senser", "wcet", "there is no thread 'senser'; did you mean 'sensor'?"),
        (
            "threads",
            "sensor",
            "wcett",
            "there is no attribute of a thread 'wcett'; did you mean 'wcet'?",
        ),
    ],
)
def test_what_is_not_there_cannot_be_altered(
    kind: str, name: str, attribute: str, message: str
) -> None:
    with pytest.raises(ddsrta.InputError) as caught:
        two_threads().altered(kind, name, **{attribute: 5})
    assert str(caught.value) == message


@pytest.mark.parametrize("kind", ["threads", "cores", "chains", "topics"])
def test_a_system_that_was_read_is_read_only(kind: str) -> None:
    """Nobody would check it again, and a result of it would be refuted as a defect of ours."""
    things = getattr(two_threads(), kind)
    name, thing = next(iter(things.items()))
    changes: list[Callable[[], object]] = [
        lambda: things.__setitem__(name, thing),
        lambda: things.update({name: thing}),
        lambda: things.pop(name),
        lambda: things.setdefault("new", thing),
        things.clear,
    ]
    for change in changes:
        with pytest.raises(TypeError, match="a system stays as it was read: make another one"):
            change()
    settings = two_threads().topics["speed"].settings
    with pytest.raises(TypeError, match="a system stays as it was read"):
        settings["priority"] = 7  # type: ignore[index]


def test_a_system_that_is_read_only_can_be_copied_and_sent() -> None:
    system = two_threads()
    for other in (pickle.loads(pickle.dumps(system)), copy.deepcopy(system)):
        assert other == system
        assert ddsrta.analyze(other).to_dict() == ddsrta.analyze(system).to_dict()
