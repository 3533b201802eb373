"""Why a stage has no bound: what is overloaded, or the circle of delays, however far away."""

import re
import string
from pathlib import Path

import pytest

import ddsrta
from ddsrta.bounds import unbounded
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.reasons import reason
from ddsrta.lf.bounds import unbounded as of_federations
from ddsrta.report.html import result_html
from ddsrta.report.terminal import result_text
from tests.effort import growth

CIRCLE = """\
ddsrta: 1
machines: {m: {cores: [a, b]}}
threads:
  a1: {core: m/a, priority: 1, wcet: 1ms, bcet: 1us, period: 4ms}
  a2: {core: m/a, priority: 2, wcet: 2.4ms, bcet: 1us, follows: {threads: [b2]}}
  b1: {core: m/b, priority: 2, wcet: 2.4ms, bcet: 1us, follows: {threads: [a1]}}
  b2: {core: m/b, priority: 1, wcet: 1ms, bcet: 1us, period: 4ms}
"""
CALM = "  calm: {core: m/b, priority: 3, wcet: 1us, period: 4ms}\n"


def reasons(text, refinements=None):
    """Of each thread."""
    threads = ddsrta.analyze(ddsrta.loads(text), refinements=refinements).threads
    return {name: thread.unbounded_because for name, thread in threads.items()}


def test_a_way_to_what_is_overloaded_is_gone_back_once():
    def work(count):
        lines = "".join(
            f"  t{i}: {{core: m/b, priority: {i}, wcet: 1ns, follows: {{threads: [t{i - 1}]}}}}\n"
            for i in range(1, count)
        )
        first = "  t0: {core: m/a, priority: 1, wcet: 2ms, period: 1ms}\n"
        text = f"ddsrta: 1\nmachines: {{m: {{cores: [a, b]}}}}\nthreads:\n{first}{lines}"
        solution = solve(ddsrta.loads(text))
        return lambda: [reason(solution, key) for key in solution.compiled.stage_number]

    assert growth(work, 20, 80) < 1.5


def test_a_circle_of_delays_is_named_with_its_cores_and_is_no_overload():
    found = reasons(CIRCLE + CALM)
    for name in ("a1", "b2"):
        assert "each of thread a1, thread a2, thread b2, thread b1 comes later" in found[name]
        assert "in a circle that keeps growing (core m/a, core m/b)" in found[name]
        assert "by other priorities or cores, or known offsets" in found[name]
        assert found[name].endswith(
            "A closed window of all that delays or releases it (lemma closed-window) has no bound: "
            "one by one, it takes 170 % of the time: make that less than 100 %, most is "
            "thread b1 60 %, thread a2 60 %, thread a1 25 %"
        )
    assert found["a2"] == f"thread b2, which releases it, has no bound: {found['b2']}"
    assert found["calm"] is None


def test_a_circle_has_a_bound_where_what_takes_most_is_made_less():
    assert all(not each for each in reasons(CIRCLE.replace("2.4ms", "0.6ms")).values())


def test_a_circle_names_the_refinement_that_would_be_needed():
    without = ddsrta.Refinements(closed_windows=False)
    assert reasons(CIRCLE, without)["a1"].endswith(
        "Closed windows, which are left out, may bound it"
    )
    apart = (
        "  own: {core: m/a, reservation: {budget: 10us, period: 4ms}, wcet: 10us, period: 4ms}\n"
    )
    assert reasons(CIRCLE + apart)["a1"].endswith("has no bound: thread own runs by its deadlines")


ROUND = """\
topics: {ping: {size: 1B}, pong: {size: 1B}}
listeners: {L: {core: m/c, priority: 9}}
delays: {publisher: {1B: 1us}, listener: {1B: 1us}}
"""
PLAYERS = """\
  p: {core: m/c, priority: 2, wcet: 1us, publishes: [{topic: ping, mode: sync}],
      follows: {threads: [start]}, subscribes: {topics: [pong], listener: L}}
  q: {core: m/c, priority: 1, wcet: 1us, publishes: [{topic: pong, mode: sync, rounds: 2}],
      subscribes: {topics: [ping], listener: L}}
  start: {core: m/c, priority: 3, wcet: 1us, period: 9ms}
"""


def test_messages_that_go_round_elsewhere_keep_no_refinements_from_a_circle():
    text = CIRCLE.replace("[a, b]", "[a, b, c]") + PLAYERS
    text = text.replace("\nthreads:", f"\n{ROUND}threads:")
    assert reasons(text)["a1"] == reasons(CIRCLE)["a1"]


def test_what_a_circle_delays_is_told_of_it():
    found = reasons(CIRCLE + "  low: {core: m/b, priority: 0, wcet: 1us, period: 1s}\n")
    assert "in a circle that keeps growing" in found["low"]


def test_what_arrives_without_bound_is_told_why():
    text = CIRCLE.replace("2.4ms", "1ms").replace("a1: {core: m/a", "a1: {core: m/c")
    text = text.replace("cores: [a, b]", "cores: [a, b, c]")
    text += "  much: {core: m/c, priority: 2, wcet: 3.5ms, period: 4ms}\n"
    assert reasons(text)["b2"] == (
        "thread b1, which can delay it, arrives without bound: thread a1 has no bound: "
        "core m/c is loaded 112 % by what is at least as urgent as a1; "
        "move work elsewhere, or make it rarer"
    )


SHARED = """ddsrta: 1
machines: {m: {cores: [a]}}
threads:
  sense: {core: m/a, priority: 4, wcet: %s, period: 20ms}
  plan: {core: m/a, policy: other, wcet: 5ms, period: 50ms}
  log: {core: m/a, policy: other, wcet: 20s, period: 10s}
"""


def test_who_has_no_share_for_want_of_a_tick_is_told_of_it():
    told = "say the 'tick' of machine m"
    found = reasons(SHARED % "1ms")
    assert told in found["plan"]
    assert told not in found["log"]  # has more work than there is time
    assert told not in reasons(SHARED % "20ms")["plan"]  # more urgent work leaves nothing
    assert reasons((SHARED % "1ms").replace("[a]", "[a], tick: 4ms"))["plan"] is None


LISTS = unbounded, of_federations
ALL = {
    (module.__name__, name): one
    for module in LISTS
    for name, one in vars(module).items()
    if isinstance(one, unbounded.Reason)
}


def places(template):
    return {place for _, place, *_ in string.Formatter().parse(template) if place}


@pytest.mark.parametrize("one", ALL.values(), ids=[name for _, name in ALL])
def test_each_reason_says_what_to_do(one):
    """`Because` is what mypy wants wherever there is no bound, and only these make one."""
    assert one.remedy.strip() and not one.remedy.endswith(".")
    words = {place: f"<{place}>" for place in places(one.says) | places(one.remedy)}
    assert str(one.of(**words)).partition("; ")[2]


def test_reasons_are_made_of_the_list_and_each_of_it_is_used():
    root = Path(ddsrta.__file__).parent
    texts = {path: path.read_text(encoding="utf-8") for path in root.rglob("*.py")}
    own = texts.pop(Path(unbounded.__file__))
    assert [path.name for path, text in texts.items() if "Because(" in text] == []
    assert own.count("Because(") == 2
    del texts[Path(of_federations.__file__)]
    used = re.compile(r"from (ddsrta[\w.]*\.unbounded) import ([^()\n]+|\([^)]+\))")
    found = {
        (module, name)
        for text in texts.values()
        for module, names in used.findall(text)
        for name in re.findall(r"\w+", names)
        if len(re.findall(rf"\b{name}\b", text)) > 1
    }
    assert ALL.keys() - found == set()


LIMITED = """\
ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {flow_controller: {1kB: 60us}, listener: {1kB: 100us}}
topics: {x: {size: 1kB}}
flow_controllers: {F: {core: m/a, priority: 50, policy: FIFO, limit: {bytes: 1500B, period: 1s}}}
listeners: {L: {core: m/b, priority: 80}}
threads:
  s: {core: m/a, priority: 60, wcet: 1ms, period: 10ms, publishes: [{topic: x, flow_controller: F}]}
  r: {core: m/b, priority: 60, wcet: 1ms, subscribes: {topics: [x], listener: L}}
chains: {way: {path: [s, x, r], deadline: 10ms}}
"""


def test_a_remedy_stands_in_each_format():
    system = ddsrta.loads(LIMITED)
    result = ddsrta.analyze(system)
    remedy = "have more bytes or a shorter period, or send less through it"
    explained = ddsrta.explain(system, "way")
    shown = [result_text(result), str(result.to_dict()), result_html(result)]
    shown += [str(explained), str(explained.to_dict()), explained._repr_html_()]
    shown = [" ".join(text.split()) for text in shown]
    assert [text for text in shown if remedy not in text] == []


def test_a_queue_without_a_bound_says_why_as_what_waits_in_it_does():
    result = ddsrta.analyze(ddsrta.loads(LIMITED))
    said = {name: queue.unbounded_because for name, queue in result.queues.items()}
    (message,) = result.messages
    assert set(said) == {"F", "L", "r < x"}
    assert said["F"] == message.unbounded_because
    assert all(unbounded.root(because) == said["F"] for because in said.values())
    assert result.to_dict()["queues"]["L"]["unbounded_because"] == said["L"]
    assert ddsrta.analyze(ddsrta.loads(CIRCLE)).queues == {}


FUSED = """\
ddsrta: 1
machines: {m: {cores: [a, f, l, b]}}
delays: {flow_controller: {1kB: 1ms}, listener: {1kB: 1ms}}
topics: {x: {size: 1kB}, y: {size: 1kB}, z: {size: 1kB}}
flow_controllers: {F: {core: m/f, priority: 5, policy: FIFO}}
listeners: {L: {core: m/l, priority: 5}}
threads:
  left: {core: m/a, priority: 5, wcet: 1ms, period: 20ms, publishes: [{topic: x, flow_controller: F}]}
  right: {core: m/a, priority: 4, wcet: 1ms, period: 20ms, publishes: [{topic: y, flow_controller: F}]}
  fuse: {core: m/b, priority: 5, wcet: 22ms, publishes: [{topic: z, flow_controller: F}],
    subscribes: {topics: [x, y], listener: L, activation: and, synchronize: approximate_time}}
  out: {core: m/b, priority: 6, wcet: 1ms, subscribes: {topics: [z], listener: L}}
"""


def test_a_synchronizer_whose_sets_delay_its_messages_is_not_to_blame_for_them():
    """Once the reason was that messages come late, and of that one to look at its reason."""
    assert "thread fuse is loaded 110 %; move work elsewhere" in reasons(FUSED)["fuse"]


SPREAD = """\
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
threads:
  fast: {core: m/a, priority: 5, wcet: 1us, period: 1ms}
  slow: {core: m/b, priority: 5, wcet: 1us, period: 7ms}
  both: {core: m/c, priority: 5, wcet: 1us, follows: {threads: [fast, slow], activation: and}}
chains: {free: {path: [fast, both]}, way: {path: [slow], deadline: 1ms}}
"""


def test_a_chain_without_a_deadline_or_a_bound_makes_the_verdict_and_is_named_beside_it():
    """Once 'BOUNDED, everything is bounded' stood above its 'unbounded'."""
    result = ddsrta.analyze(ddsrta.loads(SPREAD))
    assert result.chains["free"].latency is None and result.verdict == "unbounded"
    assert "the deadline is met, but free has no bound" in result_text(result).splitlines()[0]
    alone = ddsrta.analyze(ddsrta.loads(SPREAD.replace(", deadline: 1ms", "")))
    assert "no deadlines, but free has no bound" in result_text(alone).splitlines()[0]
