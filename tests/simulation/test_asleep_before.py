"""What a thread serves while more urgent ones sleep for a lock that it has.

F sends one x after the other, and takes the send mutex again as soon as it has let it go: each time
q is woken, on a core of its own, finds it taken and sleeps again. So p, more urgent than F on its
core, sleeps all that time, and its jobs pile up. When q has sent, p goes first, with all of them; z,
more urgent than each x, came just before.
"""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.locks.known import Known, Met
from ddsrta.bounds.solve import solve
from tests.simulation.drawings import Scene
from tests.soundness.test_corpus import FILES

POLICIES = ["HIGH_PRIORITY", "PRIORITY_WITH_RESERVATION"]
LESS = [f"x{number}" for number in range(15)]


def scene(policy: str) -> Scene:
    released = {
        "p": [200 + 2000 * n for n in range(40)],
        "q": [500],
        "z": [15_625],
        **{name: [0] for name in LESS},
    }
    sent = "publishes: [{topic: %s, flow_controller: F, delay: %dns}]"
    lines = [
        f"  {name}: {{core: m/{name}, priority: 1, wcet: 1ns, period: 1ms, "
        + sent % (name, 100 if name == "z" else 1000)
        + "}\n"
        for name in (*LESS, "z")
    ]
    ranks = ", ".join(f"{name}: {{size: 1B, priority: 5}}" for name in LESS)
    text = f"""middleware: {{fastdds: "2.9", write: 1ns}}
topics: {{a: {{size: 1B}}, b: {{size: 1B}}, z: {{size: 1B, priority: 0}}, {ranks}}}
listeners: {{L: {{core: m/l, priority: 50}}}}
flow_controllers: {{F: {{core: m/f, priority: 5, policy: {policy}}}}}
threads:
  p: {{core: m/f, priority: 9, wcet: 600ns, period: 2us, publishes: [{{topic: a, mode: sync, delay: 100ns}}]}}
  q: {{core: m/q, priority: 20, wcet: 1ns, period: 1ms, publishes: [{{topic: b, mode: sync, delay: 1us}}]}}
  R: {{core: m/l, priority: 1, wcet: 1ns, subscribes: {{topics: [a, b, z, {", ".join(LESS)}], listener: L}}}}
{"".join(lines)}"""
    return Scene(text, released, f"machines: {{m: {{cores: [f, q, l, z, {', '.join(LESS)}]}}}}\n")


@pytest.mark.parametrize("policy", POLICIES)
def test_what_piled_up_while_more_urgent_threads_slept_goes_first(
    policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = scene(policy)
    drawn.trace(100_000)
    seen = drawn.seen("response")[("sample", "z", "z")]
    assert bound(drawn) >= seen
    monkeypatch.setattr(Known, "met", lambda self, number: Met(self.counted(number)))
    result = ddsrta.analyze(drawn.system)
    assert result.check.status == "refuted"
    assert "sleeping-window" in (result.check.because or "")
    assert of_z(ddsrta.analyze(drawn.system, check=False)) < seen


def bound(drawn: Scene) -> int:
    result = ddsrta.analyze(drawn.system)
    assert result.check.status == "confirmed"
    return of_z(result)


def of_z(result: ddsrta.Result) -> int:
    found = next(m.flow_controller for m in result.messages if m.topic == "z")
    assert found is not None
    return found


def test_what_is_ahead_in_its_thread_is_not_waited_for_again() -> None:
    """All samples of a FIFO controller are of one level: they count since nothing of it was there."""
    drawn = scene("FIFO")
    solution = solve(drawn.system)
    assert not Known(solution.compiled).met(solution.number(("sample", "z", "z"))).locks


def test_turns_keep_who_has_a_lock_from_running_in_all_waits_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (file,) = (one for one in FILES if one.stem == "piled_up_while_turns_go_on")
    system = ddsrta.load(file)
    result = ddsrta.analyze(system)
    assert result.check.status == "confirmed"
    assert (result.callbacks["z"].wcrt or 0) > 1_222_000  # so long it takes in a run
    monkeypatch.setattr(Met, "always", property(lambda self: self.counted))
    result = ddsrta.analyze(system)
    assert result.check.status == "refuted"
    assert "sleeping-window" in (result.check.because or "")
    assert ddsrta.analyze(system, check=False).callbacks["z"].wcrt == 279_000
