"""A watchdog's handler runs in a thread of its own, and holds the lock of its reactor."""

from __future__ import annotations

import re

import pytest

from ddsrta.formats.yaml_writer import write
from ddsrta.lf.draft import read
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.reader import loads
from tests.lf.draft.drafted import federation, refused, save
from tests.lf.draft.test_events import starts

MS = 1_000_000
PROGRAM = """target C
reactor W {
  timer t(330 ms, 400 ms)  timer u(400 ms, 400 ms)
  input back: int  output o: int
  watchdog p(70 ms) {= busy(50); =}
  reaction(t, u) -> p {= lf_watchdog_start(p, 0); =}
  reaction(u) -> o {= lf_set(o, 1); =}
  reaction(back) {= =} deadline(100 ms) {= =}
  reaction(p) {= =} deadline(30 ms) {= =}
}
reactor Y { input i: int  output o: int  reaction(i) -> o {= busy(22); lf_set(o, 1); =} }
main reactor { w = new W()  y = new Y()  w.o -> y.i  y.o -> w.back }
"""
SPACING = "annotations: 1\nactions: {W.p: {min_spacing: 70ms}}"


def with_costs(tmp_path, costs: dict[str, str]) -> Federation:
    """The draft with the execution time of the first of `costs` that ends a reaction's name."""
    draft = read([save(tmp_path, PROGRAM)], annotations=save(tmp_path, SPACING, "a.yaml"))
    document, name = "", ""
    for line in write(draft).splitlines(keepends=True):
        if line.startswith(" " * 6) and line.endswith(":\n"):
            name = line.strip(" :\n")
        wcet = next((cost for end, cost in costs.items() if name.endswith(end)), "0ms")
        document += re.sub(r"wcet: \w+", f"wcet: {wcet}", line)
    return loads(document)


def test_without_annotations_nothing_is_bounded(tmp_path):
    draft = read([save(tmp_path, PROGRAM)])
    assert any("watchdog w.p" in note and "a core to itself" in note for note in draft.left_out)
    assert set(starts(loads(write(draft))).values()) == {None}


def test_each_reaction_of_the_reactor_may_wait_for_the_handler(tmp_path):
    found = federation(tmp_path, PROGRAM, annotations=save(tmp_path, SPACING, "a.yaml"))
    reactions = found.federates["main"].reactions
    own = [name for name in reactions if name.startswith("w.")]
    assert (
        own[-2:] == ["w.reaction_4 lock", "w.reaction_4"] and "y.reaction_1 lock" not in reactions
    )
    assert reactions["w.reaction_4 lock"].triggers == ("w.p",)


def test_bounds_are_not_below_a_run(tmp_path):
    """In runs both began 120 ms after their tags: the handler of 50 ms came before the first
    reaction at 400 ms, and again, for the expiration at 470, before the one behind 22 ms.
    """
    late = starts(with_costs(tmp_path, {" lock": "50ms", "y.reaction_1": "22ms"}))
    assert all(bound is None or bound >= 120 * MS for bound in late.values())


@pytest.mark.parametrize("effect", ["a", "reset(B)"])
def test_what_a_handler_schedules_is_refused(tmp_path, effect):
    """In runs the tag of such an action was 65 ms over; the draft had nobody schedule it."""
    text = f"""target C
    main reactor {{ logical action a  physical action q  timer t(0, 10 ms)
      watchdog w(5 ms) -> {effect} {{= =}}
      reaction(t) -> w {{= =}}
      initial mode A {{ }}
      mode B {{ }} }}"""
    assert "3:7: a watchdog that has an effect on" in refused(tmp_path, text)
    read([save(tmp_path, text.replace(f"-> {effect}", "-> q"))])
