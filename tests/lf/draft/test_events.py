"""What the text does not show of timers and actions is asked for, not guessed."""

from __future__ import annotations

import pytest

from ddsrta.formats.yaml_writer import write
from ddsrta.lf.bounds.logical_time.activation import activation
from ddsrta.lf.bounds.offsets.judge import judge
from ddsrta.lf.draft import read
from ddsrta.lf.draft.scheduling import extra_delay
from ddsrta.lf.program.federates import Action
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.language.syntax import Reaction
from ddsrta.lf.program.reader import loads
from tests.lf.draft.drafted import SINK, SOURCE, federation, save

MS = 1_000_000
MODES = """target C {coordination: decentralized}
reactor M {
  output out: int
  timer t(0, 10 ms)
  reaction(t) {= =}
  initial mode ONE { timer m(5 ms, 10 ms) reaction(m) -> reset(TWO) {= =} deadline(500 us) {= =} }
  mode TWO { timer m2(3 ms, 10 ms) reaction(m2) -> KIND(ONE), out {= =} deadline(500 us) {= =} }
}
federated reactor { m = new M()  k = new Sink()  m.out -> k.in }
"""


def starts(found: Federation) -> dict[str, int | None]:
    return {f"{start.federate}.{start.reaction}": start.latest for start in judge(found).starts}


class TestModes:
    """m2 starts 3 ms after each reset, wherever the other timers are then."""

    @pytest.mark.parametrize("kind", ["reset", "history"])
    def test_timers_of_modes_tick_at_any_time(self, tmp_path, kind):
        text = MODES.replace("KIND", kind) + SINK
        draft = read([save(tmp_path, text)])
        assert draft.left_out and all("modes of m: the federate" in note for note in draft.left_out)
        found = loads(write(draft)).federates["m"]
        assert list(found.timers) == ["t"]
        assert {name: action.is_free for name, action in found.actions.items()} == {
            "m": True, "m2": True, "mode": False,
        }  # fmt: skip
        assert starts(loads(write(draft))) == {"m.reaction_2": None, "m.reaction_3": None}

    def test_annotations_say_how_far_apart(self, tmp_path):
        notes = "annotations: 1\nactions: {M.m: {min_spacing: 18ms}, m.m2: {min_spacing: 18ms}}"
        text = MODES.replace("KIND", "reset") + SINK
        found = federation(
            tmp_path, text, annotations=save(tmp_path, notes, "a.yaml"), version="0.12.0"
        )
        assert found.federates["m"].actions["m"].min_spacing == 18 * MS
        # The timer outside of modes, the other mode's and earlier tags may come first: 1 ms each.
        assert starts(found) == {"m.reaction_2": 3 * MS, "m.reaction_3": 4 * MS}

    def test_a_change_of_modes_is_followed_by_a_tag(self, tmp_path):
        """Empty, one microstep later: it takes what each tag takes."""
        text = """target C
        reactor M { timer g(0, 50 ms)  timer k(1 ms, 50 ms)
          initial mode A { reaction(g) -> KIND {= =} }
          mode B { }
          reaction(k) {= =} deadline(1 s) {= =} }
        main reactor { m = new M() }"""
        found = {}
        for kind in ("reset(B)", "history(B)", "m"):
            changed = text.replace("KIND", kind).replace("-> m ", "")
            draft = write(read([save(tmp_path, changed)])).replace("wcet: 1ms", "wcet: 0 ms")
            draft = draft.replace("workers: 1", "workers: 1\n    overhead: 5ms")
            found[kind] = starts(loads(draft))["main.m.reaction_2"]
        assert found == {"reset(B)": 14 * MS, "history(B)": 14 * MS, "m": 9 * MS}

    def test_reactors_in_modes_have_their_time(self, tmp_path):
        text = """target C
        reactor Inner { timer t(0, 5 ms)  logical action a(1 ms)  output o: int  input i: int
          reaction(startup) -> a {= lf_schedule(a, 0); =}
          reaction(t, a) -> o {= =} }
        reactor Outer { one = new Inner()  two = new Inner()  one.o -> two.i after 3 ms }
        main reactor { initial mode A { x = new Outer()  reaction(reset) {= =} }  mode B { } }"""
        main = federation(tmp_path, text).federates["main"]
        assert not main.timers
        assert all(action.is_free for action in main.actions.values())
        assert "x.one.o -> x.two.i" in main.actions
        assert main.reactions["x.one.reaction_1"].triggers == ("reset",)
        assert not main.connections

    def test_modes_that_would_wait_for_each_other_do_not(self, tmp_path):
        """As ModalCycleBreaker of lingua-franca: what mode ONE sends, TWO reads, and stands above."""
        text = """target C
        reactor M { input in: int  input back: int  output out: int
          reaction(startup) {= =}
          mode TWO { reaction(back) {= =} reaction(in) -> reset(ONE) {= =} }
          initial mode ONE { reaction(in) -> out {= =} } }
        main reactor { timer t(0, 5 ms)  m = new M()  m.out -> m.back  reaction(t) -> m.in {= =} }"""
        reactions = federation(tmp_path, text).federates["main"].reactions
        assert {name: (one.reactor, one.after) for name, one in reactions.items()} == {
            "reaction_1": ("", ()), "m.reaction_1": ("m", ()),
            "m.reaction_2": ("m/TWO", ("m.reaction_1",)),
            "m.reaction_3": ("m/TWO", ("m.reaction_1",)),
            "m.reaction_4": ("m/ONE", ("m.reaction_1",)),
        }  # fmt: skip

    def test_two_timers_of_one_name_are_refused(self, tmp_path):
        text = "target C\nmain reactor { timer t(0, 1 s)  logical action t  reaction(t) {= =} }"
        with pytest.raises(Exception, match="2:33: there is another timer or action 't'"):
            read([save(tmp_path, text)])


BODIES = {
    "lf_schedule(a, 0);": Action("a", min_delay=2 * MS),
    "if (x) { lf_schedule_int(a, 0, 3); }": Action("a", min_delay=2 * MS),
    "schedule(a, MSEC(5));": Action("a", min_delay=7 * MS),
    "": Action("a", min_delay=2 * MS),  # nobody does
    "/* lf_schedule(a, d); */ lf_schedule(a, 0); // a\n": Action("a", min_delay=2 * MS),
    "lf_schedule(a, self->d);": None,
    "lf_schedule(a, 0); lf_schedule(a, MSEC(1));": None,
    "for (int i = 0; i < 3; i++) lf_schedule(a, 0);": None,
    "while (n--) { lf_schedule(a, 0); }": None,
    "helper(a);": None,
    "#define LATER lf_schedule(a, 0)\n LATER; LATER;": None,
    "trigger_t* b = a; lf_schedule(b, MSEC(3));": None,
    "lf_schedule(a, rand());": None,
    "' lf_schedule(a, SEC(1));\n lf_schedule(a, 0);": None,  # a quote that nothing ends is code
}


class TestActions:
    """Target code may add a delay, or schedule an action more than once."""

    @pytest.mark.parametrize(("body", "action"), BODIES.items())
    def test_plain_bodies_tell_the_extra_delay(self, tmp_path, body, action):
        text = f"""target C
        main reactor {{ timer t(0, 10 ms)  logical action a(2 ms)
          reaction(t) -> a {{= {body} =}}
          reaction(a) {{= int x = a->value; =}} deadline(1 ms) {{= =}} }}"""
        found = federation(tmp_path, text)
        expected = action or Action("a", min_delay=2 * MS, extra_delay="any")
        assert found.federates["main"].actions["a"] == expected
        assert (starts(found)["main.reaction_2"] is None) == (action is None)

    def test_code_that_does_not_name_it_may_schedule_it_all_the_same(self, tmp_path):
        text = """target C
        preamble {=
          #define LATER lf_schedule(a, SEC(1))
        =}
        main reactor { timer t(0, 10 ms)  logical action a  reaction(t) -> a {= LATER; =} }"""
        assert federation(tmp_path, text).federates["main"].actions["a"].extra_delay == "any"

    @pytest.mark.parametrize("hostile", ["'\\", '"\\', "/* ", "lf_schedule(a,", "lf_schedule(a,  "])
    def test_what_nothing_ends_is_read_once(self, hostile):
        body = Reaction(
            "", (), (), (), None, None, "", 0, bodies=(hostile * 50_000 + " " * 90_000,)
        )
        assert extra_delay("a", [body], "C") is None or "/*" in hostile

    def test_a_deadline_says_that_the_time_of_its_handler_counts(self, tmp_path):
        text = "target C\nmain reactor { timer t(0, 9 ms)  reaction(t) {= =} deadline(1 ms) {= =} }"
        drafted = write(read([str(save(tmp_path, text))]))
        assert (
            "deadline: 1ms  # missed, its handler runs instead: the wcet is to cover that"
            in drafted
        )

    def test_handlers_schedule_too(self, tmp_path):
        text = """target C
        main reactor { timer t(0, 10 ms)  logical action a
          reaction(t) -> a {= lf_schedule(a, 0); =} deadline(1 ms) {= lf_schedule(a, SEC(1)); =} }"""
        assert federation(tmp_path, text).federates["main"].actions["a"].extra_delay == "any"

    def test_other_reactions_add_other_delays(self, tmp_path):
        text = """target C
        main reactor { timer t(0, 10 ms)  logical action a
          reaction(t) -> a {= lf_schedule(a, 0); =}
          reaction(a) -> a {= lf_schedule(a, MSEC(1)); =} }"""
        assert federation(tmp_path, text).federates["main"].actions["a"].extra_delay == "any"

    @pytest.mark.parametrize(
        ("target", "extra"), [("Python", "none"), ("Cpp", "any"), ("Rust", "any")]
    )
    def test_targets(self, tmp_path, target, extra):
        text = f"""target {target}
        main reactor {{ timer t(0, 10 ms)  logical action a  reaction(t) -> a {{= a.schedule(0) =}} }}"""
        assert federation(tmp_path, text).federates["main"].actions["a"].extra_delay == extra

    @pytest.mark.parametrize(
        ("action", "told"),
        [("logical action a(0, 0)", True), ("logical action a(0)", False),
         ("logical action a(0, 1 ms)", False), ("physical action a(0, 0)", False)],
    )  # fmt: skip
    def test_a_spacing_of_nothing_is_told(self, tmp_path, action, told):
        """In reactor-c a second event at microstep 1 gets microstep 0, and the program ends."""
        text = f"""target C
        main reactor {{ timer t(0, 50 ms)
          {action}
          reaction(t) -> a {{= lf_schedule(a, 0); =}} }}"""
        draft = write(read([save(tmp_path, text)]))
        assert ("3:11: the spacing of 0 of main.a is taken for none" in draft) == told

    def test_a_spacing_of_the_program_is_one(self, tmp_path):
        text = """target C
        main reactor { timer t(0, 10 ms)  logical action a(0, 5 ms)  reaction(t) -> a {= f(a); =} }"""
        action = federation(tmp_path, text).federates["main"].actions["a"]
        assert (action.min_spacing, action.extra_delay) == (5 * MS, "none")

    def test_any_extra_delay_is_any_time(self, tmp_path):
        text = """target C
        main reactor { timer t(0, 10 ms)  logical action a  reaction(t) -> a {= f(a); =} }"""
        found = federation(tmp_path, text)
        (moment,) = activation(found).places["main", "a"]
        assert moment.root.period is None and moment.root.phase is None


def test_absent_after_forever_waits_without_end(tmp_path):
    text = """target C {coordination: decentralized}
    reactor B { input in: int  timer t(0, 10 ms)  reaction(in, t) {= =} deadline(5 ms) {= =} }
    federated reactor { s = new Source(period = 1 s)  @maxwait(4 ms) b = new B()
      @absent_after(WAIT) s.out -> b.in }"""
    for wait, latest in (("1 ms", 5 * MS), ("forever", None)):
        found = federation(tmp_path, text.replace("WAIT", wait) + "\n" + SOURCE)
        assert starts(found) == {"b.reaction_1": latest}
    old = text.replace("@absent_after(WAIT)", "").replace(
        "=} deadline", "=} STP(forever) {= =} deadline"
    )
    old += "\n" + SOURCE
    assert federation(tmp_path, old).connections[0].absent_after == "forever"
