"""Ctrl-C while repairs are searched, and while they are confirmed."""

from __future__ import annotations

import ddsrta
from ddsrta.bounds.analyze import analyze_until
from ddsrta.exploration.improve import repairs
from ddsrta.exploration.improve.score import MET
from ddsrta.exploration.improve.search import Heard
from tests.exploration.test_improve import SENT


def test_who_asks_to_stop_does_not_wait_until_all_repairs_are_confirmed(monkeypatch) -> None:
    asked, confirmed = [], []

    def confirm(system, stop):
        confirmed.append(system)
        asked.append(True)
        return analyze_until(system, stop)

    monkeypatch.setattr(repairs, "analyze_until", confirm)
    found = ddsrta.improve(ddsrta.loads(SENT), stop=lambda: bool(asked))
    assert found.ended == "it was interrupted" and len(confirmed) == 1
    assert not found.repairs and found.nearest is None and not found.refused


def test_who_stops_the_search_gets_one_repair_of_what_it_found() -> None:
    heard: list[Heard] = []

    def is_late() -> bool:
        """Whether it went on for a while behind the first that meets all."""
        return sum(each.best == MET for each in heard) > 9

    found = ddsrta.improve(ddsrta.loads(SENT), hear=heard.append, stop=is_late)
    assert found.ended == "it was interrupted" and len(found.repairs) == 1
    assert len(ddsrta.improve(ddsrta.loads(SENT)).repairs) > 1
