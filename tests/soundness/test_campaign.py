"""A campaign adds up, goes on where it was, and finds again what it found."""

from __future__ import annotations

import json
import sys
from functools import partial
from itertools import count
from types import SimpleNamespace

import pytest

from tests.soundness import batch, shrink, tightness
from tests.soundness import campaign as command
from tests.soundness.batch import Plan, attack_seed, run_batch
from tests.soundness.campaign import campaign
from tests.soundness.checkpoint import Checkpoint
from tests.soundness.summary import Campaign, summary, written
from tests.soundness.tally import Tally, bucket_of, quantile, reached
from tests.soundness.version import analysis_version

PLAN = Plan(runs=4, size=5, kind="focused")


def counted(tally):
    return {
        key: value for key, value in tally.to_dict().items() if key not in ("seconds", "slowest")
    }


def test_the_number_of_processes_changes_nothing():
    alone, together = (campaign(PLAN, 10, 17, jobs).tally for jobs in (1, 2))
    assert counted(alone) == counted(together)
    assert alone.systems == 17 and alone.messages > 1000


def test_a_killed_campaign_goes_on(tmp_path, monkeypatch):
    file = tmp_path / "state.json"
    whole = campaign(PLAN, 0, 15, 1).tally

    def killed(plan, seeds):
        if 5 in seeds:
            raise KeyboardInterrupt
        return run_batch(plan, seeds)

    monkeypatch.setattr(command, "run_batch", killed)
    with pytest.raises(KeyboardInterrupt):
        campaign(PLAN, 0, 15, 1, file)
    assert json.loads(file.read_text())["done"] == [0]
    monkeypatch.setattr(command, "run_batch", run_batch)
    assert counted(campaign(PLAN, 0, 15, 1, file).tally) == counted(whole)
    assert list(tmp_path.iterdir()) == [file]


def test_the_state_of_another_campaign_is_refused(tmp_path):
    file = tmp_path / "state.json"
    campaign(PLAN, 0, 5, 1, file)
    with pytest.raises(SystemExit, match="first"):
        campaign(PLAN, 1, 5, 1, file)


def test_a_violation_is_shrunk_kept_and_found_again(tmp_path, monkeypatch, capsys):
    ticks = SimpleNamespace(monotonic=partial(next, count()))  # it counts, however busy it is here
    monkeypatch.setattr(shrink, "time", ticks)
    plan = Plan("published", runs=16, kind="focused", folder=tmp_path / "found", shrink_seconds=120)
    tally = attack_seed(plan, 48)
    assert tally.violations
    kept = {entry["file"] for entry in tally.violations}
    assert kept == {file.name for file in plan.folder.iterdir()}
    for name in kept:
        assert len((plan.folder / name).read_text().splitlines()) < 20
    options = ["--only", "48", "--profile", "published", "--runs", "16", "--kind", "focused"]
    monkeypatch.setattr(sys, "argv", ["campaign", *options, "--shrink", "0"])
    assert command.main() == 1
    printed = capsys.readouterr().out
    assert all(f"{entry['seen']} seen" in printed for entry in tally.violations)


def test_summary_says_what_was_done():
    done = campaign(PLAN, 0, 10, 1)
    text = summary(done)
    assert "| systems | 10 |" in text and "| **violations** | **0** |" in text
    assert f"{done.tally.messages:,}" in text and analysis_version() in text
    assert "No run was worse than its bound." in text


def test_what_was_left_out_is_counted(monkeypatch):
    monkeypatch.setattr(batch, "MOST_EVENTS", 1000)
    short = attack_seed(Plan(runs=40, kind="focused"), 1)
    assert short.capped == 1 and short.runs < 40
    monkeypatch.undo()
    assert attack_seed(Plan(runs=40, kind="focused"), 1).capped == 0
    many_paths = attack_seed(Plan(runs=2), 50)
    assert many_paths.cut == 1
    short.add(many_paths)
    text = summary(Campaign({"first": 1, "systems": 2, "kind": None, "profile": "busy-window",
                             "analysis": ""}, short, 1.0, 1))  # fmt: skip
    assert "events | 1 |" in text and "paths, the rest left out | 1 |" in text


def test_ratios_add_up():
    one, other = Tally(), Tally()
    for bound, tally in ((10, one), (20, one), (10, other), (100, other)):
        tally.ratio("thread", bound, 10)
    one.add(other)
    counts = one.ratios["thread"]
    assert sum(counts.values()) == 4 and reached(counts) == 0.5
    assert quantile(counts, 0.5) == 1.0
    assert 2.0 <= quantile(counts, 0.75) < 2.03 and 10.0 <= quantile(counts, 1) < 10.2
    assert bucket_of(1.0) == 0 < bucket_of(1.000001)


def test_a_checkpoint_makes_its_folder_before_any_work(tmp_path):
    path = tmp_path / "new" / "kept" / "state.json"
    kept = Checkpoint(path, {"runs": 1})
    assert path.parent.is_dir()
    kept.add(3, Tally(systems=2), 1.0)
    assert Checkpoint(path, {"runs": 1}).done == {3}


def test_checkpoint_without_a_file_keeps_nothing():
    kept = Checkpoint(None, {})
    kept.add(3, Tally(systems=2), 1.0)
    assert kept.done == {3} and kept.tally.systems == 2


def test_tightness_compares_the_same_bounds_in_every_column():
    figures = tightness.tightness(range(22), runs=6)
    totals = figures.tallies
    assert len(totals) == len(tightness.steps())
    kinds = [
        {k: sum(c.values()) for k, c in t.ratios.items() if k in tightness.KINDS} for t in totals
    ]
    assert all(counts == kinds[0] for counts in kinds) and kinds[0]["thread"] > 10
    most = sum(totals[-1].ratios[f"any {tightness.ALL_MESSAGES}"].values())
    assert 10 < kinds[0][tightness.ALL_MESSAGES] < most == len(figures.deliveries)
    text = tightness.page(figures, 6)
    assert "| thread |" in text and "6 runs of all bounds" in text
    assert "| listener |" in text and "| all |" in text


def test_only_its_section_of_a_page_is_written():
    page = "before\n<!-- x -->\nold\n<!-- end of x -->\nafter\n"
    assert written(page, "x", "new\n") == page.replace("old", "new")
    with pytest.raises(ValueError, match="no <!-- y -->"):
        written(page, "y", "new")
