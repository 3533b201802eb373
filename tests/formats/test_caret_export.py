"""CARET's architecture files: what goes there comes back, and what has no word there is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddsrta import InputError, System, loads
from ddsrta.examples import two_threads
from ddsrta.formats import caret_export
from ddsrta.formats.caret import read
from ddsrta.formats.yaml_writer import write

from . import drafted
from .tasks.systems import DISTRIBUTED
from .test_caret import ROBOT, VARIABLE


def there_and_back(system: System, folder: Path) -> System:
    content = caret_export.export(system).content
    assert isinstance(content, str)
    return imported(content, folder)


def imported(text: str, folder: Path) -> System:
    return loads(write(read([drafted.written(folder, "robot.yaml", text)])))


@pytest.mark.parametrize("text", [ROBOT, VARIABLE])
def test_callbacks_executors_and_paths_come_back(text: str, tmp_path: Path) -> None:
    system = imported(text, tmp_path)
    back = there_and_back(system, tmp_path)
    assert list(back.threads) == list(system.threads)
    for name, thread in system.threads.items():
        found = back.threads[name]
        assert (found.arrival, found.executor) == (thread.arrival, thread.executor)
        assert found.entity == thread.entity
        assert [p.topic for p in found.publishes] == [p.topic for p in thread.publishes]
        assert found.subscribes == thread.subscribes
        assert found.follows == thread.follows
        assert found.reentrant == thread.reentrant
    assert {e.name: e.kind for e in back.executors.values()} == {
        e.name: e.kind for e in system.executors.values()
    }
    assert back.chains == system.chains


def test_what_caret_has_no_word_for_is_told() -> None:
    told = caret_export.export(loads(DISTRIBUTED)).left_out
    assert told == (
        "execution times, priorities, cores, sizes, delays, listeners and flow controllers",
        "thread 'sensor': it is no callback",
        "thread 'local': it is no callback",
        "thread 'log': it is no callback",
        "thread 'drive': it is no callback",
        "deadline of chain 'go'",
        "deadline of chain 'logged'",
        "chain 'go': it is not of these callbacks alone",
        "chain 'logged': it is not of these callbacks alone",
    )


def test_a_system_without_callbacks_is_refused() -> None:
    with pytest.raises(InputError, match="CARET knows callbacks alone"):
        caret_export.export(two_threads())
