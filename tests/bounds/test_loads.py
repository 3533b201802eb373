"""Why something has no bound is asked of each stage, and what all have in common is counted once."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.terms.loads import Loads

LATE = """ddsrta: 1
machines: {m: {cores: [c, d]}}
threads:
"""


def system(count: int) -> ddsrta.System:
    each = "  t{}: {{core: m/c, priority: {}, wcet: 1ms, period: 10ms}}"
    threads = (each.format(n, 1 + n) for n in range(count))
    return ddsrta.loads(LATE + "\n".join(threads))


def test_the_loads_of_a_system_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once for each stage without a bound: of 20,000 threads a time limit of 10 s took minutes."""
    made: list[Loads] = []
    counted: list[object] = []
    begin, level = Loads.__init__, Loads._no_less_urgent

    def noted(self: Loads, *rest: object) -> None:
        made.append(self)
        begin(self, *rest)  # type: ignore[arg-type]

    def asked(self: Loads, *rest: object) -> float:
        counted.append(rest)
        return level(self, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Loads, "__init__", noted)
    monkeypatch.setattr(Loads, "_no_less_urgent", asked)
    found = ddsrta.analyze(system(30), check=False)
    late = [name for name, each in found.threads.items() if each.wcrt is None]
    assert len(late) == 20
    assert len(made) == 1 and len(counted) == len(set(counted))
    why = found.threads["t0"].unbounded_because
    assert why is not None and why.startswith("core m/c is loaded 300 % by what is at least as")


def test_a_load_does_not_depend_on_the_order_in_which_it_is_added() -> None:
    found = ddsrta.analyze(system(10), check=False)
    assert found.verdict == "met"  # ten times a tenth is all of the core, and not more
