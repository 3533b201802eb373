"""Lags and counts of runs with an RTI beside the formula, fed with what each run itself shows.

Medians of an unisolated machine: sums of medians are no bounds, so both sides have a margin.
"""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from ddsrta.lf.federation import Federation
from ddsrta.lf.reader import loads
from ddsrta.lf.rti import lags
from ddsrta.lf.rti_counts import counts
from ddsrta.lf.traces import RunSeen, Samples, observe
from tests.formats.real_traces import shared

CHAIN = ("s.out → p.in", "p.out → q.in", "q.out → d.in")
PROGRAMS = {
    "Chain4": CHAIN,
    "Chain4N": CHAIN,
    "Diamond": ("s.out → p.in", "s.out → q.in", "p.out → d.a", "q.out → d.b"),
    "After": ("s.out → d.in after: 3ms",),
    "PhysUp": ("s.out → d.in",),
    "PhysUpA": ("s.out → d.in after: 5ms",),
    "Zdc": ("c.req → s.req", "s.resp → c.resp"),
}
MARGIN = 20  # percent


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, RunSeen]:
    folder: Path = tmp_path_factory.mktemp("traces")
    found = {}
    for name in PROGRAMS:
        with tarfile.open(shared(f"lf/traces/{name}.tar.xz")) as archive:
            archive.extractall(folder / name, filter="data")
        place = next((folder / name).rglob("rti.lft")).parent
        found[name] = observe(str(place))
    return found


def seen(samples: Samples, percent: int) -> int:
    return samples.at(percent) or 0


def hop(run: RunSeen, name: str, percent: int) -> int:
    """One way: that of LTC (or of NET, where there is none) and of TAG, or their mean."""
    found = [run.between(name, "rti", "LTC") or run.between(name, "rti", "NET")]
    found = [run.between("rti", name, "TAG"), *found]
    times = [seen(way.latency, percent) for way in found if way is not None]
    return sum(times) // len(times)


def federation(program: str, run: RunSeen, percent: int) -> Federation:
    """The program, with the times of a run: dispatch, execution of all reactions, hops, service."""
    assert run.rti is not None
    service = seen(run.rti.service.get("TAG", Samples()), percent)
    lines = ["federation: 1", "coordination: centralized", "hosts: {h: }",
             f"rti: {{service: {service}ns, dnet: {'false' if program.endswith('N') else 'true'}}}",
             "federates:"]  # fmt: skip
    ends = [part.split(" after")[0].split(" → ") for part in PROGRAMS[program]]
    for name, federate in run.federates.items():
        inputs = [end.split(".")[1] for _, end in ends if end.startswith(f"{name}.")]
        outputs = {end.split(".")[1] for end, _ in ends if end.startswith(f"{name}.")}
        triggers = list(inputs)
        lines += [f"  {name}:", "    host: h",
                  f"    overhead: {seen(federate.dispatch, percent)}ns",
                  f"    rti_hop: {hop(run, name, percent)}ns",
                  f"    inputs: [{', '.join(inputs)}]", f"    outputs: [{', '.join(outputs)}]"]  # fmt: skip
        if program.startswith("Phys") and name == "s":
            lines.append("    actions: {a: {kind: physical, min_spacing: 1s}}")
            triggers.append("a")
        elif program.startswith("Phys"):
            lines.append("    timers: {t: {offset: 2ms, period: 5ms}}")
            triggers.append("t")
        elif not inputs or name == "c":
            lines.append("    timers: {t: {period: 5ms}}")
            triggers.append("t")
        lines.append(
            f"    reactions: {{r: {{triggers: [{', '.join(triggers)}], effects: "
            f"[{', '.join(outputs)}], wcet: {seen(federate.spans, percent)}ns, always: true}}}}"
        )
    lines.append("connections:")
    for (source, target), written in zip(ends, PROGRAMS[program], strict=True):
        after = f", after: {written.split('after: ')[1]}" if "after" in written else ""
        lines.append(f"  - {{from: {source}, to: {target}{after}}}")
    return loads("\n".join(lines) + "\n", "f.yaml")


def formula(program: str, run: RunSeen, percent: int) -> dict[str, int]:
    """Until the start of a tag's processing: the grant's lag and the dispatch."""
    found = federation(program, run, percent)
    values = lags(found).values
    assert None not in values.values()
    return {name: (values[name] or 0) + f.overhead for name, f in found.federates.items()}


@pytest.mark.parametrize("program", ["Chain4", "Chain4N", "Diamond", "After"])
def test_medians_are_those_of_the_formula(runs: dict[str, RunSeen], program: str) -> None:
    run = runs[program]
    for name, expected in formula(program, run, 50).items():
        median = seen(run.federates[name].lags, 50)
        assert abs(median - expected) * 100 <= MARGIN * median, (name, median, expected)


@pytest.mark.parametrize("program", ["Chain4", "Chain4N", "Diamond", "After"])
def test_at_most_two_in_a_hundred_are_above_the_formula_of_p99(
    runs: dict[str, RunSeen], program: str
) -> None:
    run = runs[program]
    for name, most in formula(program, run, 99).items():
        late = [(time, lag) for time, _, lag in run.federates[name].by_tag if lag > most]
        assert len(late) * 50 <= len(run.federates[name].by_tag), (name, most, late)


@pytest.mark.parametrize(("program", "interval"), [("PhysUp", 10_000_000), ("PhysUpA", 5_000_000)])
def test_physical_actions_upstream_cost_up_to_the_interval(
    runs: dict[str, RunSeen], program: str, interval: int
) -> None:
    """The formula is for the worst moment within the interval: p99 is near it, not the median."""
    run = runs[program]
    expected = formula(program, run, 50)["d"]
    lag = run.federates["d"].lags
    assert interval < expected < interval * 105 // 100
    assert abs(seen(lag, 99) - expected) * 100 <= 5 * expected
    assert seen(lag, 50) * 100 <= 55 * expected
    late = [(time, over) for time, _, over in run.federates["d"].by_tag if over > expected]
    assert all(over < expected + 3_500_000 for _, over in late), late


EVENTS = {
    ("MSG", "up"): "receive_TAGGED_MSG", ("MSG", "down"): "send_TAGGED_MSG",
    ("LTC", "up"): "receive_LTC", ("NET", "up"): "receive_NET", ("PTAG", "down"): "send_PTAG",
    ("TAG", "down"): "send_TAG", ("DNET", "down"): "send_DNET",
}  # fmt: skip


@pytest.mark.parametrize("program", ["Chain4", "Chain4N", "Diamond", "After", "Zdc"])
def test_messages_per_tag(runs: dict[str, RunSeen], program: str) -> None:
    run = runs[program]
    for count in counts(lags(federation(program, run, 50))):
        really = run.per_tag(EVENTS[count.kind, count.direction])
        if count.claim == "at least":
            assert really * 100 >= count.count * 99, (count, really)
        else:
            assert abs(really - count.count) * 50 <= max(1, count.count), (count, really)
