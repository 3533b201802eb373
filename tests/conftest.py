"""For all tests: which of them are quick, no clock and no chance in examples, and what was skipped."""

from __future__ import annotations

import gc
import linecache
import os
from collections import Counter
from collections.abc import Generator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings

TESTS = Path(__file__).parent
RARELY = 20_000  # things made: tests drop a few MB before circles are looked for, not each 100 kB
SOON = 10_000  # steps
HARNESS = TESTS.parent / "harness/build/skipped"  # what its own tests left out
# What draws many systems, is large, runs whole studies or programs: `make quick` leaves it to `make test`.
LONG = (
    *(
        "benchmarks",
        "casestudies",
        "docs",
        "exploration",
        "measure",
        "packaging",
        "properties",
        "soundness",
    ),
    *("models/test_bombs.py", "models/test_fuzz.py", "models/test_exit_status.py"),
    *("lf/run", "lf/bounds/offsets/test_stp_runs.py", "lf/bounds/rti/test_rti_traces.py"),
    *("lf/bounds/test_scale.py", "lf/bounds/launch/test_launch_runs.py"),
    *(
        "lf/bounds/schedulers/test_schedulers_linux.py",
        "lf/bounds/schedulers/test_schedulers_own.py",
    ),
    *("formats/test_draft.py", "formats/test_hostile.py"),
    *("formats/ctf/test_damage.py", "formats/ros2_trace/test_caret_demo.py"),
    *("checker/test_hostile.py", "checker/test_work.py", "checker/test_executors.py"),
    *(
        "checker/test_verdicts.py",
        "checker/test_sampled.py",
        "kernel/test_kernel.py",
        "kernel/test_brute_force.py",
    ),
    *(
        "cli/test_faults.py",
        "cli/test_measure.py",
        "cli/test_whole.py",
        "mutation/test_mutation.py",
    ),
    *("checker/test_yaml_respelled.py", "checker/test_least.py", "bounds/test_offsets.py"),
    *(
        "simulation/test_records.py",
        "simulation/test_engines.py",
        "simulation/test_synchronizers.py",
    ),
    *("bounds/test_end_to_end_window.py", "bounds/test_explain.py"),
    *("report/test_page_in_browser.py",),
    *("bounds/test_growth.py", "bounds/test_update.py"),
    *("policies/test_registered.py", "ros2/test_registered.py", "simulation/test_attack.py"),
    *("checker/test_orders.py", "checker/lf/test_enclaves.py", "simulation/test_choices.py"),
    *("checker/test_kept.py", "checker/test_synchronizers.py", "checker/lf/test_results.py"),
    *("bounds/test_synchronizers.py", "bounds/test_event_alone.py", "kernel/test_walks.py"),
    *("simulation/test_simulate.py", "simulation/test_oracle.py", "simulation/test_rounds.py"),
    *("validation/test_mutations.py", "lf/bounds/rti/test_provisional.py"),
    *("lf/bounds/enclaves/test_enclaves_runs.py", "kernel/test_kept.py"),
    *("checker/test_growth.py", "checker/test_common.py", "checker/test_lemmas.py"),
    *("lf/bounds/logical_time/test_piles.py", "bounds/test_from_below.py", "cli/test_simulate.py"),
    *("models/test_replace.py", "models/test_paths.py"),
)

settings.register_profile(
    "ddsrta",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("ddsrta")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "long: draws much, is large, or starts programs")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    long = {TESTS / name for name in LONG}
    assert all(place.exists() for place in long)
    for item in items:
        if not long.isdisjoint([item.path, *item.path.parents]):
            item.add_marker("long")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """A file has nothing to collect where there are neither tests nor examples."""
    if collection_path.suffix != ".py" or collection_path.name.startswith("test_"):
        return None
    return b">>>" not in collection_path.read_bytes() or None


@pytest.fixture
def soon_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows that have no end give up after fewer steps, as most of the time of some tests would
    go into them. It takes nothing that a test finds: its bounds need still fewer."""
    monkeypatch.setattr("ddsrta.bounds.solve.MOST_STEPS", SOON)


def import_from_the_end() -> None:
    """Rewriting assertions is most of a first collection. One worker goes through the files from
    the end, until it meets what the other has rewritten and kept; errors are told by the collection.
    """
    for path in sorted(TESTS.rglob("test_*.py"), reverse=True):
        with suppress(Exception, pytest.skip.Exception):
            import_module(".".join(path.relative_to(TESTS.parent).with_suffix("").parts))


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """There is nothing to free in what all tests need, and little in circles after it."""
    gc.disable()
    try:
        all_of_them = session.config.args_source is pytest.Config.ArgsSource.TESTPATHS
        if all_of_them and os.environ.get("PYTEST_XDIST_WORKER") == "gw1":
            import_from_the_end()
        return (yield)
    finally:
        linecache.clearcache()  # each doctest would ask whether one of all its files has changed
        gc.freeze()
        gc.set_threshold(RARELY)
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """A worker tells of a test once where it passes: that its fixtures did, too, nobody looks at,
    unless for times or a file of all results."""
    option = item.config.option
    if "PYTEST_XDIST_WORKER" not in os.environ or option.durations or option.xmlpath:
        return None
    for report in runtestprotocol(item, nextitem=nextitem, log=False):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many were skipped, by reason."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(str(report.longrepr[2]).removeprefix("Skipped: ") for report in skipped)
    if reasons:
        terminalreporter.write_line(f"skipped: {len(skipped)}")
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"  {count}: {reason}")
    if HARNESS.exists():
        for line in sorted(set(HARNESS.read_text(encoding="utf-8").splitlines())):
            terminalreporter.write_line(f"  harness: {line}")
