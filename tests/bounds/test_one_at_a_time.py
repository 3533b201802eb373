"""Events that are at one stage of a thread at a time (lemma one-at-a-time), and windows that are
found from below."""

from types import SimpleNamespace

import pytest

import ddsrta
from ddsrta.bounds.pending_window import rising
from ddsrta.checker.lines import Ahead, work_ahead
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget, attack_all
from tests.soundness.draw import drawn

pytestmark = pytest.mark.usefixtures("soon_over")

WITHOUT = ddsrta.Refinements(one_at_a_time=False)
# the period of each chain, in ms, and of each of its threads the core, priority and wcet in us
CIRCLE = tuple(
    (period, *((f"c{(k + 3 * j) % 8}", 10 * k + j + 1, 200) for j in range(4)))
    for k, period in enumerate((20, 40, 50, 100, 20, 40))
)
CALM = tuple(
    (period, *((f"c{(k + 2 * j) % 2}", 1 + (7 * k + 11 * j) % 90, 500) for j in range(4)))
    for k, period in enumerate((20, 40, 50, 100))
)


def robot(chains, delta):
    """Chains through one flow controller and one listener, each on a core of its own."""
    topics, threads, paths = [], [], []
    for k, (period, *jobs) in enumerate(chains):
        path = []
        for j, (core, priority, wcet) in enumerate(jobs):
            how = f"subscribes: {{topics: [x{k}_{j - 1}], listener: L}}" if j else ""
            sends = f", publishes: [{{topic: x{k}_{j}, flow_controller: F}}]"
            threads.append(
                f"  t{k}_{j}: {{core: m/{core}, priority: {priority}, wcet: {wcet}us, "
                f"{how or f'period: {period}ms'}{sends if j < len(jobs) - 1 else ''}}}"
            )
            path += [f"t{k}_{j}", f"x{k}_{j}"]
        topics += [f"x{k}_{j}: {{size: 1kB}}" for j in range(len(jobs) - 1)]
        paths.append(f"c{k}: {{path: [{', '.join(path[:-1])}]}}")
    cores = sorted({job[0] for _, *jobs in chains for job in jobs})
    text = f"""ddsrta: 1
machines: {{m: {{cores: [{", ".join(cores)}, f, l]}}}}
delays: {{flow_controller: {{1kB: {delta}us}}, listener: {{1kB: {delta}us}}}}
topics: {{{", ".join(topics)}}}
flow_controllers: {{F: {{core: m/f, priority: 99, policy: FIFO}}}}
listeners: {{L: {{core: m/l, priority: 99}}}}
threads:
"""
    return ddsrta.loads("\n".join([text, *threads, f"chains: {{{', '.join(paths)}}}", ""]))


def test_a_message_waits_for_one_hop_of_each_chain_alone():
    system = robot(CALM, 1200)
    found, plain = ddsrta.analyze(system), ddsrta.analyze(system, refinements=WITHOUT)
    assert found.check.status == plain.check.status == "confirmed"
    for name, thread in found.threads.items():
        assert thread.wcrt <= plain.threads[name].wcrt
    before = sum(chain.latency for chain in plain.chains.values())
    assert sum(chain.latency for chain in found.chains.values()) < before


FORK = """ddsrta: 1
machines: {m: {cores: [a, b, f, l]}}
delays: {flow_controller: {1kB: 1ms}, publisher: {1kB: 1ms}, listener: {1kB: 6ms}}
topics: {x: {size: 1kB}, y: {size: 1kB}, z: {size: 1kB}, u: {size: 1kB}}
flow_controllers: {F: {core: m/f, priority: 9}}
listeners: {L: {core: m/l, priority: 9}}
threads:
  p: {core: m/a, priority: 5, wcet: 1ms, period: 100ms, publishes: [{topic: x, flow_controller: F}]}
  q: {core: m/a, priority: 4, wcet: 1ms, subscribes: {topics: [x], listener: L}, publishes: [
    {topic: y, flow_controller: F}, {topic: z, mode: sync}]}
  r: {core: m/a, priority: 3, wcet: 1ms, subscribes: {topics: [y], listener: L, delay: 9ms}}
  s: {core: m/a, priority: 2, wcet: 1ms, subscribes: {topics: [z], listener: L, delay: 2ms}}
  other: {core: m/b, priority: 5, wcet: 1ms, period: 90ms, publishes: [{topic: u, mode: sync}]}
  reader: {core: m/b, priority: 4, wcet: 1ms, subscribes: {topics: [u], listener: L}}
"""


def test_where_a_way_forks_the_dearer_branch_is_on_the_line():
    # x is over when y or z comes, and these two may meet: 9 + 2 are ahead, and not 9 + 6
    result = ddsrta.analyze(ddsrta.loads(FORK))
    (found,) = (each for each in result.messages if each.topic == "u")
    assert (result.check.status, result.check.without) == ("confirmed", ())
    assert found.listener == ddsrta.Duration(17_000_000)


def test_no_run_is_above_what_counts_events_once():
    system = robot(CALM, 1200)
    result, program = ddsrta.analyze(system, check=False), program_of(system)
    bounds = {chain.path: chain.latency for chain in result.chains.values()}
    wanted = {
        n: bounds[each.of]
        for n, each in enumerate(program.measures)
        if each.kind == "latency" and each.of in bounds
    }
    assert len(wanted) == 4
    budget = Budget(runs=300, events=300_000)
    for found, bound in zip(
        attack_all(program, [*wanted], 1, budget, horizon=10**9), wanted.values(), strict=True
    ):
        assert 0 < found.worst <= bound


def test_windows_from_below_bound_what_has_no_bound_otherwise(monkeypatch):
    system = robot(CIRCLE, 815)
    result = ddsrta.analyze(system)
    assert (result.verdict, result.check.status) == ("met", "confirmed")
    assert max(chain.latency for chain in result.chains.values()) == 92_299_995
    assert 0.44 < max(core.utilization for core in result.cores.values()) < 0.441
    monkeypatch.setattr(rising, "MOST_RISES", 0)
    assert ddsrta.analyze(system, check=False).verdict == "unbounded"


def test_windows_from_below_may_come_by_fits_and_starts():
    """Two rises are more than the two before, and a later one is the last."""
    system = drawn(92000, "small")
    for some, bound in ((ddsrta.Refinements(), 962), (ddsrta.Refinements(spacing=False), 1022)):
        result = ddsrta.analyze(system, refinements=some)
        assert result.threads["t1"].wcrt == bound and result.check.status == "confirmed"


def line(*latencies, period=20, cost=1):
    """Stages of a line that is fed each period, done so long after their event at the latest."""
    base = SimpleNamespace(most=lambda window: max(0, -(-window // period)))
    streams = [SimpleNamespace(base=base, times=1, best=best) for best in range(len(latencies))]
    return [
        Ahead(stream, base.most(latency - stream.best), cost, latency)
        for stream, latency in zip(streams, latencies, strict=True)
    ]


OTHER = SimpleNamespace(base=None, before=0, best=0)


def test_of_a_line_that_is_done_before_the_next_event_one_unit_is_ahead():
    assert work_ahead(line(5, 10, 15), OTHER) == 1
    assert work_ahead(line(5, 10, 20), OTHER) == 1
    assert work_ahead(line(5, 10, cost=9), OTHER) == 9


def test_of_a_line_that_takes_longer_two_events_are_there():
    assert work_ahead(line(5, 10, 15, 30), OTHER) == 2
    assert work_ahead(line(5, 30), OTHER) == 2


def test_a_line_is_cut_where_that_counts_less():
    dear, *cheap = line(5, 10, 70)
    assert work_ahead([dear._replace(cost=10), *cheap], OTHER) == 10 + 4
    assert work_ahead([dear._replace(cost=2), *cheap], OTHER) == 2 + 4
